import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DEFAULTS } from '#crds/vocabulary.ts';
import { BUILDER_MODES } from './build/job.ts';

const flag = z.stringbool().default(false);

/** The operator's environment variables. The chart sets them; `charts/greenroom/values.yaml` says what they are for. */
const schema = z.object({
  NATS_URL: z.string().optional(),
  NATS_TOKEN_FILE: z.string().optional(),
  BUILD_NAMESPACE: z.string().default('greenroom-builds'),
  BUILDER_IMAGE: z.string(),
  BUILDER_MODE: z.enum(BUILDER_MODES).default('rootless'),
  BUILD_TIMEOUT_MINUTES: z.coerce.number().min(1).default(DEFAULTS.buildTimeoutMinutes),
  MAX_PARALLEL_BUILDS: z.coerce.number().int().min(1).default(4),
  REGISTRY: z.string(),
  REGISTRY_URL: z.url().optional(),
  REGISTRY_INSECURE: flag,
  REGISTRY_MIRROR: z.string().optional(),
  PREVIEW_DOMAIN: z.string(),
  PREVIEW_SCHEME: z.enum(['http', 'https']).default('https'),
  PREVIEW_PORT: z.coerce.number().int().optional(),
  INGRESS_CLASS: z.string().optional(),
  INGRESS_NAMESPACE: z.string().default('ingress'),
  INGRESS_URL: z.url().optional(),
  WORKERS: z.coerce.number().int().min(1).default(8),
  PORT: z.coerce.number().int().default(8081),
  WAITING_PAGE_PORT: z.coerce.number().int().default(8082),
  LOG_LEVEL: z.string().default('info'),
});

export type Config = z.infer<typeof schema> & { natsToken?: string };

/**
 * Reads the configuration once.
 * @throws Error that names each variable that is missing or wrong
 */
export function readConfig(variables: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new Error(`configuration:\n${z.prettifyError(parsed.error)}`);
  const { NATS_TOKEN_FILE } = parsed.data;
  return {
    ...parsed.data,
    ...(NATS_TOKEN_FILE && { natsToken: readFileSync(NATS_TOKEN_FILE, 'utf8').trim() }),
  };
}
