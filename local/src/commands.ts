import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderName } from './cluster/provider.ts';
import { startDev } from './platform/dev.ts';
import { readPlatform, startPlatform, stopPlatform } from './platform/platform.ts';
import { readStatus } from './platform/status.ts';
import { welcome } from './platform/welcome.ts';
import { createProgress } from './progress.ts';
import { runTests } from './testing/run.ts';

export interface Options {
  instance: string;
  detach: boolean;
  json: boolean;
  keep: boolean;
  port?: number;
  provider?: ProviderName;
  kubeconfig?: string;
  files: string[];
}

/** What each command of package.json does; the returned number is the exit code. */
export const COMMANDS: Record<string, (options: Options) => Promise<number>> = {
  async start(options) {
    await startPlatform({ ...clusterOptions(options), progress: createProgress() });
    const status = await readStatus(options.instance);
    process.stdout.write(welcome(status));
    if (options.detach) return 0;
    process.stdout.write('Ctrl-C stops it.\n');
    await untilStopped(options.instance);
    return 0;
  },

  async stop({ instance }) {
    await createProgress().step('stopping Greenroom', () => stopPlatform(instance, false));
    return 0;
  },

  async reset({ instance }) {
    await createProgress().step('stopping Greenroom and removing its data', () =>
      stopPlatform(instance, true),
    );
    return 0;
  },

  async status({ instance, json }) {
    const status = await readStatus(instance);
    if (json) process.stdout.write(`${JSON.stringify(status, null, 2)}\n`);
    else if (!status.running) process.stdout.write('Greenroom does not run: npm start\n');
    else {
      for (const [part, health] of Object.entries(status.health))
        process.stdout.write(`${health.padEnd(5)} ${part}\n`);
      process.stdout.write(welcome(status));
    }
    return status.running && Object.values(status.health).every(health => health === 'up') ? 0 : 1;
  },

  async dev(options) {
    const progress = createProgress();
    await startPlatform({ ...clusterOptions(options), progress, withParts: false });
    await startDev(options.instance);
    await progress.step('stopping Greenroom', () => stopPlatform(options.instance, false));
    return 0;
  },

  async test({ files, keep }) {
    const { passed, failed } = await runTests({ files, keep, progress: createProgress() });
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return failed === 0 && passed > 0 ? 0 : 1;
  },
};

function clusterOptions({ instance, port, provider, kubeconfig }: Options) {
  return {
    instance,
    ...(port && { httpPort: port }),
    ...(provider && { provider }),
    ...(kubeconfig && { kubeconfig }),
  };
}

/** Waits for Ctrl-C, and then stops everything; or for somebody else to have stopped it. */
async function untilStopped(instance: string): Promise<void> {
  const signal = Promise.withResolvers<true>();
  // Kept: a second Ctrl-C, or npm's copy of the first, must not end the process while it stops the rest.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => signal.resolve(true));
  for (;;) {
    if (await Promise.race([signal.promise, sleep(1_000)])) break;
    if (!(await readPlatform(instance))) return;
  }
  await createProgress().step('stopping Greenroom', () => stopPlatform(instance, false));
}
