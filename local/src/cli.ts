import { parseArgs } from 'node:util';
import type { ProviderName } from './cluster/provider.ts';
import { attachCluster, endCluster, startCluster } from './cluster/start.ts';
import { createProgress } from './progress.ts';
import { stopDocker } from './requirements/docker.ts';
import { PreflightError } from './requirements/preflight.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    instance: { type: 'string', default: 'dev' },
    provider: { type: 'string' },
    kubeconfig: { type: 'string' },
    'http-port': { type: 'string' },
  },
});
const instance = values.instance;
const kubeconfig = values.kubeconfig ?? process.env.GREENROOM_KUBECONFIG;

/** What each `cluster` command does. */
const clusterCommands: Record<string, () => Promise<void>> = {
  async up() {
    const cluster = await startCluster({
      instance,
      progress: createProgress(),
      ...(values.provider ? { provider: values.provider as ProviderName } : {}),
      ...(kubeconfig ? { kubeconfig } : {}),
      ...(values['http-port'] ? { httpPort: Number(values['http-port']) } : {}),
    });
    process.stdout.write(`${JSON.stringify(cluster, null, 2)}\n`);
  },
  async down() {
    await endCluster(instance, false);
    await stopDocker();
  },
  async reset() {
    await endCluster(instance, true);
    await stopDocker();
  },
  async kubeconfig() {
    const cluster = await attachCluster(instance);
    if (!cluster) throw new Error(`No cluster of the instance ${instance} runs`);
    process.stdout.write(`${cluster.kubeconfig}\n`);
  },
};

const [command, sub = ''] = positionals;
const action = command === 'cluster' ? clusterCommands[sub] : undefined;
if (!action) {
  process.stderr.write('usage: cluster up|down|reset|kubeconfig [--instance NAME]\n');
  process.exit(2);
}
await action().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof PreflightError ? 3 : 1;
});
