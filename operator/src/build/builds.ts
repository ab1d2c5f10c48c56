import { setTimeout as sleep } from 'node:timers/promises';
import type { V1Job } from '@kubernetes/client-node';
import type { KubeClient } from '../kube/client.ts';
import { isConflict } from '../kube/client.ts';
import type { Wire } from '../kube/resources.ts';
import {
  BUILDKIT_CONFIG_MAP,
  type BuilderConfig,
  type BuildRequest,
  buildJob,
  buildkitConfig,
} from './job.ts';

/** Starts and stops build jobs. */
export class Builds {
  readonly config: BuilderConfig;
  readonly #client: KubeClient;

  constructor(client: KubeClient, config: BuilderConfig) {
    this.#client = client;
    this.config = config;
  }

  /** Puts BuildKit's configuration where the jobs find it; retried until the API server takes it. */
  async prepare(): Promise<void> {
    const { namespace } = this.config;
    for (;;) {
      try {
        await this.#client.apply({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: BUILDKIT_CONFIG_MAP, namespace },
          data: { 'buildkitd.toml': buildkitConfig(this.config) },
        } as Parameters<KubeClient['apply']>[0]);
        return;
      } catch {
        await sleep(2_000);
      }
    }
  }

  /** Starts a build. The token's Secret belongs to the job and goes with it. */
  async start(request: BuildRequest, token: string | undefined): Promise<void> {
    const manifest = buildJob(request, this.config);
    const job = await this.#client.create<Wire<V1Job>>(manifest).catch(error => {
      // Another deployment builds the same image: its job serves both.
      if (isConflict(error)) return undefined;
      throw error;
    });
    if (!job || !token) return;
    const { name, namespace, uid } = job.metadata;
    const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name, uid }];
    await this.#client.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace, labels: request.labels, ownerReferences },
      stringData: { token },
    } as Parameters<KubeClient['apply']>[0]);
  }

  async stop(job: Wire<V1Job>): Promise<void> {
    await this.#client.delete(job);
  }
}
