import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { configSchema } from './config.ts';
import { startGitHub } from './server.ts';

const usage = 'usage: node local/github/main.ts --config FILE';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string' } } });
  if (!values.config) throw new Error(usage);
  const parsed = configSchema.safeParse(JSON.parse(await readFile(values.config, 'utf8')));
  if (!parsed.success) throw new Error(`${values.config} does not fit:\n${z.prettifyError(parsed.error)}`);
  const github = await startGitHub(parsed.data);
  console.log(`GitHub stand-in at ${github.url}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => github.close().then(() => process.exit(0)));
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
