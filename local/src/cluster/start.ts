import { imagesCanBePulled } from '../images/pullable.ts';
import { createLimiter } from '../limiter.ts';
import { ensureContainerEngine } from '../requirements/preflight.ts';
import { externalCluster } from './external.ts';
import { startKindCluster } from './kind.ts';
import { findNode, removeNode } from './node-container.ts';
import { startNodeImageCluster } from './node-image.ts';
import { firstFreePort } from './ports.ts';
import type { Cluster, ClusterState, ProviderName, StartOptions } from './provider.ts';
import { readState, removeState, writeState } from './state.ts';

/** The first provider that can work here, unless one is asked for. */
async function chooseProvider(options: StartOptions): Promise<ProviderName> {
  if (options.provider) return options.provider;
  if (options.kubeconfig) return 'kubeconfig';
  const running = (await readState(options.instance))?.provider;
  // What runs goes on: its data is of that provider.
  if (running) return running;
  return (await imagesCanBePulled()) ? 'kind' : 'node-image';
}

/** Host port of the ingress: what is asked for, that of the last start, or the first free one. */
async function choosePort(options: StartOptions): Promise<number> {
  return options.httpPort ?? (await readState(options.instance))?.httpPort ?? firstFreePort(8080);
}

const withEnd = (state: ClusterState): Cluster => {
  const end = async (data: boolean) => {
    if (state.container) await removeNode(state.instance, data);
    if (data) await removeState(state.instance);
  };
  return { ...state, stop: () => end(false), remove: () => end(true) };
};

/**
 * Starts the cluster of an instance, or attaches to it if it runs, and brings its add-ons and images up to date.
 * @throws PreflightError when the machine lacks something; otherwise an Error that says which part failed and why.
 */
export async function startCluster(options: StartOptions): Promise<Cluster> {
  const { instance, progress } = options;
  const limiter = options.limiter ?? createLimiter(2);
  if (options.kubeconfig) {
    const state = await externalCluster(instance, options.kubeconfig);
    await writeState(state);
    return withEnd(state);
  }
  await ensureContainerEngine(progress);
  const provider = await chooseProvider(options);
  const httpPort = await choosePort(options);
  const state =
    provider === 'kind'
      ? await startKindCluster(instance, httpPort, progress)
      : await startNodeImageCluster(instance, httpPort, limiter, progress);
  await writeState(state);
  return withEnd(state);
}

/** The instance's cluster if it runs; undefined if there is none or it is stopped. */
export async function attachCluster(instance: string): Promise<Cluster | undefined> {
  const state = await readState(instance);
  if (!state) return undefined;
  if (state.container && !(await findNode(instance))) return undefined;
  return withEnd(state);
}

/** Stops the instance's cluster, running or not, and with `data` removes all that it kept. */
export async function endCluster(instance: string, data: boolean): Promise<void> {
  const state = await readState(instance);
  if (state?.provider !== 'kubeconfig') await removeNode(instance, data);
  if (data) await removeState(instance);
}
