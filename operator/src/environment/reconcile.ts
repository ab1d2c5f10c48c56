import type { Deployment, PreviewEnvironment } from '#crds/kinds.ts';
import { API_GROUP_VERSION, FINALIZER } from '#crds/vocabulary.ts';
import { isConflict, type KubeClient } from '../kube/client.ts';
import type { Informer } from '../kube/informer.ts';
import { type CommitTools, commit, hasPublishedAll } from '../outbox/commit.ts';
import { environmentFacts } from '../outbox/facts.ts';
import type { Result } from '../runtime/controller.ts';
import { NotInRepository, resolveRef, whatGitSaid } from '../source/git.ts';
import type { readToken } from '../source/token.ts';
import { decide, newDeployment, sourceProblem } from './decide.ts';
import type { Teardown } from './teardown.ts';

export interface EnvironmentReconcilerOptions {
  client: KubeClient;
  environments: Informer<PreviewEnvironment>;
  deployments: Informer<Deployment>;
  commitTools: CommitTools;
  teardown: Teardown;
  readToken: typeof readToken;
}

const SOURCE_RETRY_MS = 15_000;

/** Makes Deployments for an environment, reports on it, and removes it. */
export class EnvironmentReconciler {
  readonly #options: EnvironmentReconcilerOptions;

  constructor(options: EnvironmentReconcilerOptions) {
    this.#options = options;
  }

  readonly reconcile = async (namespace: string, name: string): Promise<Result> => {
    const environment = this.#options.environments.get(namespace, name);
    if (!environment) return {};
    if (environment.metadata.deletionTimestamp) return this.#finalize(environment);
    if (!environment.metadata.finalizers?.includes(FINALIZER)) {
      await this.#setFinalizers(environment, [...(environment.metadata.finalizers ?? []), FINALIZER]);
      return {};
    }
    const decision = decide({ environment, deployments: this.#deploymentsOf(environment), now: new Date() });
    if (decision.action === 'deploy') return this.#deploy(environment, decision.inputs);
    if (decision.action === 'expire' && !(await this.#removeFromCluster(environment)))
      return { requeueAfterMs: 1000 };
    await this.#commit(environment, decision.status);
    if (decision.action === 'expire' || decision.requeueAfterMs === undefined) return {};
    return { requeueAfterMs: decision.requeueAfterMs };
  };

  #deploymentsOf({ metadata }: PreviewEnvironment): Deployment[] {
    return this.#options.deployments
      .list(metadata.namespace)
      .filter(({ spec }) => spec.environment === metadata.name);
  }

  async #deploy(environment: PreviewEnvironment, inputs: string): Promise<Result> {
    const { url, ref = '', commit: given, secretRef } = environment.spec.source;
    try {
      const token = await this.#options.readToken(
        this.#options.client,
        environment.metadata.namespace,
        secretRef?.name,
      );
      const sha = given ?? (await resolveRef({ url, ...(token && { token }) }, ref));
      await this.#options.client.create(newDeployment(environment, sha, inputs)).catch(ignoreConflict);
      return {};
    } catch (error) {
      const final = error instanceof NotInRepository;
      const message = error instanceof Error ? whatGitSaid(error.message) : String(error);
      await this.#commit(environment, sourceProblem(environment, message, final, new Date()));
      return final ? {} : { requeueAfterMs: SOURCE_RETRY_MS };
    }
  }

  async #finalize(environment: PreviewEnvironment): Promise<Result> {
    const { finalizers = [] } = environment.metadata;
    if (!finalizers.includes(FINALIZER)) return {};
    if (!(await this.#removeFromCluster(environment))) return { requeueAfterMs: 1000 };
    let current = environment;
    if (environment.status?.status !== 'stopped' || !isLastEvent(environment, 'environment.deleted')) {
      const after = { ...environment, status: { ...environment.status, status: 'stopped' as const } };
      current = await commit(
        this.#options.commitTools,
        environment,
        after,
        [{ type: 'environment.deleted', data: {} }],
        new Date(),
      );
    }
    if (!hasPublishedAll(this.#options.commitTools, current)) return { requeueAfterMs: 250 };
    await this.#setFinalizers(
      current,
      finalizers.filter(finalizer => finalizer !== FINALIZER),
    );
    return {};
  }

  /** @returns whether all of it is gone */
  async #removeFromCluster(environment: PreviewEnvironment): Promise<boolean> {
    return this.#options.teardown.remove(environment, this.#deploymentsOf(environment));
  }

  async #commit(
    environment: PreviewEnvironment,
    status: NonNullable<PreviewEnvironment['status']>,
  ): Promise<void> {
    const after = { ...environment, status };
    await commit(
      this.#options.commitTools,
      environment,
      after,
      environmentFacts(environment, after),
      new Date(),
    );
  }

  #setFinalizers(environment: PreviewEnvironment, finalizers: string[]) {
    const { metadata } = environment;
    return this.#options.client.mergePatch(
      { ...environment, apiVersion: API_GROUP_VERSION },
      { metadata: { finalizers, resourceVersion: metadata.resourceVersion } },
    );
  }
}

function isLastEvent(environment: PreviewEnvironment, type: string): boolean {
  return environment.status?.outbox?.at(-1)?.type === type;
}

function ignoreConflict(error: unknown): void {
  if (!isConflict(error)) throw error;
}
