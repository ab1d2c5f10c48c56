import type { V1Job } from '@kubernetes/client-node';
import type { Deployment, PreviewEnvironment } from '#crds/kinds.ts';
import { API_GROUP_VERSION, FINALIZER, LABELS, type Phase } from '#crds/vocabulary.ts';
import type { Builds } from '../build/builds.ts';
import { jobName } from '../build/job.ts';
import type { Registry } from '../build/registry.ts';
import { isInFlight, newestFirst, ownedBy } from '../environment/decide.ts';
import { isolation } from '../environment/isolation.ts';
import type { Applier } from '../kube/apply.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Informer } from '../kube/informer.ts';
import { objectKey, type Wire } from '../kube/resources.ts';
import { type CommitTools, commit, hasPublishedAll } from '../outbox/commit.ts';
import { deploymentFacts } from '../outbox/facts.ts';
import { checkUrl } from '../route/health-check.ts';
import type { Result } from '../runtime/controller.ts';
import { booting, routesArePublished } from './booting.ts';
import { building } from './building.ts';
import type { ClusterView } from './cluster-view.ts';
import { deploying } from './deploying.ts';
import { withLogs } from './failure.ts';
import type { Outcome, Snapshot } from './phase.ts';
import type { Plan, PlanSettings } from './plan.ts';
import type { Plans } from './plans.ts';
import { obsolete } from './prune.ts';
import { setup } from './setup.ts';
import { STATUS_OF_PHASE, type Verdict, withVerdict } from './status.ts';
import type { StepChange } from './steps.ts';

export interface DeploymentReconcilerOptions {
  client: KubeClient;
  environments: Informer<PreviewEnvironment>;
  deployments: Informer<Deployment>;
  cluster: ClusterView;
  applier: Applier;
  builds: Builds;
  registry: Registry;
  plans: Plans;
  commitTools: CommitTools;
  planSettings: Omit<PlanSettings, 'labels'>;
  ingressNamespace: string;
  ingressUrl?: string;
  maxParallelBuilds: number;
}

/** The phases after Setup, in order. Each is pure: it looks at a snapshot and says what is to be done. */
const PHASES: [Phase, (snapshot: Snapshot) => Outcome][] = [
  ['Building', building],
  ['Deploying', deploying],
  ['Booting', booting],
];

/** Brings one Deployment from its commit to a URL that answers. */
export class DeploymentReconciler {
  readonly #options: DeploymentReconcilerOptions;

  constructor(options: DeploymentReconcilerOptions) {
    this.#options = options;
  }

  readonly reconcile = async (namespace: string, name: string): Promise<Result> => {
    const deployment = this.#options.deployments.get(namespace, name);
    if (!deployment) return {};
    if (deployment.metadata.deletionTimestamp) return this.#finalize(deployment);
    const verdict = this.#verdictFromOutside(deployment);
    if (verdict) {
      await this.#stopBuilds(deployment);
      await this.#commit(deployment, verdict);
      return {};
    }
    return isInFlight(deployment) ? this.#advance(deployment) : {};
  };

  /** What other deployments, or people, have decided about this one. */
  #verdictFromOutside(deployment: Deployment): Verdict | undefined {
    const { spec, metadata } = deployment;
    const status = deployment.status?.status;
    const siblings = newestFirst(
      this.#options.deployments
        .list(metadata.namespace)
        .filter(other => other.spec.environment === spec.environment),
    );
    const newer = siblings.slice(
      0,
      siblings.findIndex(({ metadata: { uid } }) => uid === metadata.uid),
    );
    const replacement = newer.find(other => other.status?.status === 'running');
    if (status === 'running') {
      if (spec.cancel)
        return {
          status: 'completed',
          reason: 'Expired',
          message: 'The lifetime of its environment has ended',
        };
      if (!replacement) return undefined;
      return {
        status: 'completed',
        reason: 'Superseded',
        message: `Replaced by ${replacement.metadata.name}`,
      };
    }
    if (!isInFlight(deployment)) return undefined;
    const [newest] = newer;
    if (newest)
      return { status: 'canceled', reason: 'Superseded', message: `Superseded by ${newest.metadata.name}` };
    if (spec.cancel) return { status: 'canceled', reason: 'Canceled', message: 'Canceled on request' };
    return undefined;
  }

  async #advance(deployment: Deployment): Promise<Result> {
    const { cluster, applier, client, builds, plans } = this.#options;
    const started = await this.#adopt(deployment);
    if (started) return {};
    const planned = await setup(deployment, plans, this.#settings(deployment));
    if (planned.state !== 'completed' || !planned.plan) {
      await this.#commit(deployment, this.#verdict(deployment, 'Setup', planned), planned.steps);
      return planned.recheckMs === undefined ? {} : { requeueAfterMs: planned.recheckMs };
    }
    const { plan } = planned;
    const namespace = deployment.spec.namespace;
    const observedNamespace = cluster.namespaces.get(undefined, namespace);
    if (observedNamespace?.metadata.deletionTimestamp) return { requeueAfterMs: 1_000 };
    const snapshot = await this.#observe(deployment, plan);
    const fence = isolation(namespace, this.#labels(deployment), this.#options.ingressNamespace);
    for (const object of fence) {
      const observed =
        object.kind === 'Namespace' ? observedNamespace : snapshot.objects.get(objectKey(object));
      await applier.apply(object, observed);
    }
    const steps: StepChange[] = [...planned.steps];
    const images = plan.builds.map(({ service, image }) => ({ service, image }));
    for (const [phase, run] of PHASES) {
      const result = run(snapshot);
      steps.push(...result.steps);
      for (const object of result.remove) await client.delete(object);
      for (const object of result.apply) await applier.apply(object, snapshot.objects.get(objectKey(object)));
      if (result.build.length > 0) {
        const token = await plans.token(deployment);
        for (const request of result.build) await builds.start(request, token);
      }
      if (result.state === 'failed' && result.failure)
        result.failure = await withLogs(result.failure, client);
      if (result.state === 'completed') continue;
      await this.#commit(deployment, this.#verdict(deployment, phase, result), steps, { images });
      return result.recheckMs === undefined ? {} : { requeueAfterMs: result.recheckMs };
    }
    for (const object of obsolete(snapshot.objects, [...fence, ...plan.objects])) await client.delete(object);
    const url = plan.routes.find(({ primary }) => primary)?.url;
    const message = url ? `Serving at ${url}` : 'Running; no service is public';
    await this.#commit(deployment, { status: 'running', reason: 'Succeeded', message }, steps, {
      images,
      ...(url && { url }),
    });
    plans.forget(deployment);
    return {};
  }

  /** A Deployment made by hand lacks what the environment's controller puts on its own. @returns whether it was changed */
  async #adopt(deployment: Deployment): Promise<boolean> {
    const { metadata, spec } = deployment;
    const owned = metadata.ownerReferences?.some(({ kind }) => kind === 'PreviewEnvironment');
    if (owned && metadata.finalizers?.includes(FINALIZER)) return false;
    const environment = this.#options.environments.get(metadata.namespace, spec.environment);
    if (!environment)
      throw new Error(`there is no PreviewEnvironment ${metadata.namespace}/${spec.environment}`);
    const ownerReferences = [ownedBy(environment)];
    const finalizers = [...new Set([...(metadata.finalizers ?? []), FINALIZER])];
    await this.#options.client.mergePatch(
      { ...deployment, apiVersion: API_GROUP_VERSION },
      { metadata: { ownerReferences, finalizers, resourceVersion: metadata.resourceVersion } },
    );
    return true;
  }

  async #observe(deployment: Deployment, plan: Plan): Promise<Snapshot> {
    const { cluster, builds, registry, ingressUrl, maxParallelBuilds } = this.#options;
    const jobs = cluster.jobs(builds.config.namespace);
    const presentImages = new Set<string>();
    for (const { image, service } of plan.builds) {
      const built = deployment.status?.steps?.some(
        ({ phase, name, status }) => phase === 'Building' && name === service && status === 'completed',
      );
      if (built || (await registry.digest(image))) presentImages.add(image);
    }
    const snapshot: Snapshot = {
      deployment,
      plan,
      presentImages,
      buildJobs: new Map(
        plan.builds.flatMap(({ image }) => {
          const job = jobs.find(({ metadata }) => metadata.name === jobName(image));
          return job ? [[image, job] as [string, Wire<V1Job>]] : [];
        }),
      ),
      buildPods: cluster.pods(builds.config.namespace),
      buildsUnderWay: jobs.filter(({ status }) => !status?.conditions?.length).length,
      buildLimit: maxParallelBuilds,
      objects: cluster.objects(deployment.spec.namespace),
      pods: cluster.pods(deployment.spec.namespace),
      now: new Date(),
    };
    const primary = plan.routes.find(route => route.primary);
    if (!primary || !routesArePublished(snapshot)) return snapshot;
    return { ...snapshot, health: await checkUrl(primary.url, ingressUrl) };
  }

  #verdict(
    deployment: Deployment,
    phase: Phase,
    result: Pick<Outcome, 'state' | 'failure' | 'steps'>,
  ): Verdict {
    if (result.state === 'failed') {
      const { reason = 'RolloutFailed', message = 'failed' } = result.failure ?? {};
      return { status: 'failed', reason, message };
    }
    const doing = result.steps.filter(({ status }) => status === 'running').map(({ name }) => name);
    const message = doing.length > 0 ? `${phase}: ${doing.join(', ')}` : phase;
    // Going back to an earlier phase (an image vanished from the registry) is still the work of the later one.
    const status = STATUS_OF_PHASE[phase];
    const before = deployment.status?.status;
    return { status: before === 'deploying' ? 'deploying' : status, reason: 'Progressing', message };
  }

  async #finalize(deployment: Deployment): Promise<Result> {
    const { metadata, status } = deployment;
    if (!metadata.finalizers?.includes(FINALIZER)) return {};
    await this.#stopBuilds(deployment);
    let current = deployment;
    if (!status?.endedAt) {
      const ended = status?.status === 'running' ? 'completed' : 'canceled';
      current = await this.#commit(deployment, {
        status: ended,
        reason: 'Deleting',
        message: 'Its environment was removed',
      });
    }
    if (!hasPublishedAll(this.#options.commitTools, current)) return { requeueAfterMs: 250 };
    const finalizers = metadata.finalizers.filter(finalizer => finalizer !== FINALIZER);
    await this.#options.client.mergePatch(
      { ...current, apiVersion: API_GROUP_VERSION },
      { metadata: { finalizers, resourceVersion: current.metadata.resourceVersion } },
    );
    this.#options.plans.forget(deployment);
    return {};
  }

  async #stopBuilds({ metadata }: Deployment): Promise<void> {
    const { cluster, builds } = this.#options;
    for (const job of cluster.jobs(builds.config.namespace)) {
      const { labels = {} } = job.metadata;
      const mine =
        labels[LABELS.deployment] === metadata.name &&
        labels[LABELS.environmentNamespace] === metadata.namespace;
      if (mine) await builds.stop(job);
    }
  }

  #commit(
    deployment: Deployment,
    verdict: Verdict,
    steps: readonly StepChange[] = [],
    extra: Parameters<typeof withVerdict>[4] = {},
  ): Promise<Deployment> {
    const now = new Date();
    const after = { ...deployment, status: withVerdict(deployment, verdict, steps, now, extra) };
    const owner = deployment.metadata.ownerReferences?.find(({ kind }) => kind === 'PreviewEnvironment');
    return commit(
      this.#options.commitTools,
      deployment,
      after,
      deploymentFacts(deployment, after, owner?.uid ?? ''),
      now,
    );
  }

  #settings(deployment: Deployment): PlanSettings {
    return { ...this.#options.planSettings, labels: this.#labels(deployment) };
  }

  #labels({ metadata, spec }: Deployment): Record<string, string> {
    return {
      'app.kubernetes.io/managed-by': 'greenroom',
      [LABELS.environment]: spec.environment,
      [LABELS.environmentNamespace]: metadata.namespace,
    };
  }
}
