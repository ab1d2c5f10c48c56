import { readFileSync } from 'node:fs';
import { z } from 'zod';

const url = z.url({ protocol: /^https?$/ }).transform(value => value.replace(/\/+$/, ''));
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform(value => value === 'true');
const list = z
  .string()
  .default('')
  .transform(value =>
    value
      .split(',')
      .map(entry => entry.trim())
      .filter(Boolean),
  );

const schema = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Address of the dashboard as browsers see it. */
  PUBLIC_URL: url,
  MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://'),
  NATS_URL: z.string().min(1),
  NATS_TOKEN: z.string().optional(),
  /** GitHub as browsers see it. */
  GITHUB_URL: url.default('https://github.com'),
  /** GitHub's REST API as this process sees it. */
  GITHUB_API_URL: url.default('https://api.github.com'),
  GITHUB_APP_ID: z.coerce.number().int().positive(),
  GITHUB_APP_SLUG: z.string().min(1),
  GITHUB_CLIENT_ID: z.string().min(1),
  GITHUB_CLIENT_SECRET: z.string().min(1),
  GITHUB_PRIVATE_KEY: z.string().includes('PRIVATE KEY', 'must be a private key in PEM form'),
  GITHUB_WEBHOOK_SECRET: z.string().min(16, 'must have at least 16 characters'),
  /** Where GitHub delivers webhooks; by default below PUBLIC_URL. */
  WEBHOOK_URL: url.optional(),
  ENCRYPTION_KEY: z
    .base64('must be base64')
    .transform(value => Buffer.from(value, 'base64'))
    .refine(key => key.length === 32, 'must be 32 bytes in base64: openssl rand -base64 32'),
  ADMIN_LOGINS: list,
  BETA_GATE: flag,
  ENVIRONMENT_NAMESPACE: z.string().min(1).default('greenroom'),
  /** Built dashboard to serve; without it the API serves no pages. */
  DASHBOARD_DIR: z.string().optional(),
  /** Path of a kubeconfig; without it the service account of the pod. */
  KUBECONFIG: z.string().optional(),
});

type Parsed = z.infer<typeof schema>;
export type Config = Omit<Parsed, 'WEBHOOK_URL'> & { WEBHOOK_URL: string };

/**
 * The configuration in environment variables, checked. `NAME_FILE` names a file that holds the value of `NAME`.
 * Throws an Error that names every variable at fault.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const values = withFiles(environment);
  const result = schema.safeParse(values);
  if (result.success) {
    const { WEBHOOK_URL = `${result.data.PUBLIC_URL}/api/webhooks/github` } = result.data;
    return { ...result.data, WEBHOOK_URL };
  }
  const faults = result.error.issues.map(issue => {
    const name = String(issue.path[0]);
    return `  ${name} ${name in values ? issue.message : 'is not set'}`;
  });
  throw new Error(`These environment variables are missing or wrong:\n${[...new Set(faults)].join('\n')}`);
}

function withFiles(environment: Record<string, string | undefined>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const file = environment[`${name}_FILE`];
    const value = file ? readFile(name, file) : environment[name];
    // An empty variable is how charts and compose files say "not set".
    if (value) values[name] = value;
  }
  return values;
}

function readFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`${name}_FILE: ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
