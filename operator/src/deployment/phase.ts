import type { V1Deployment, V1Job, V1Pod } from '@kubernetes/client-node';
import type { Deployment } from '#crds/kinds.ts';
import type { Reason } from '#crds/vocabulary.ts';
import type { BuildRequest } from '../build/job.ts';
import type { KubeObject, Wire } from '../kube/resources.ts';
import type { HealthCheck } from '../route/health-check.ts';
import type { Plan } from './plan.ts';
import type { StepChange } from './steps.ts';

export type Workload = Wire<V1Deployment> | Wire<V1Job>;
export type Pod = Wire<V1Pod>;

/** All that a phase looks at; gathered before, so that deciding is pure. */
export interface Snapshot {
  deployment: Deployment;
  plan: Plan;
  /** Images of the plan that the registry holds. */
  presentImages: ReadonlySet<string>;
  /** Build jobs by image. */
  buildJobs: ReadonlyMap<string, Wire<V1Job>>;
  buildPods: readonly Pod[];
  /** Builds of all environments that are under way. */
  buildsUnderWay: number;
  buildLimit: number;
  /** Objects in the environment's namespace, by `objectKey`. */
  objects: ReadonlyMap<string, KubeObject>;
  pods: readonly Pod[];
  /** Result of the check of the primary URL, once the routes are there. */
  health?: HealthCheck;
  now: Date;
}

/** What a phase wants done and says about itself. */
export interface Outcome {
  steps: StepChange[];
  state: 'completed' | 'waiting' | 'failed';
  /** For a failed phase: one sentence that a developer can act on. */
  failure?: { reason: Reason; message: string; logs?: { namespace: string; pod: string; previous: boolean } };
  apply: KubeObject[];
  /** Objects that have to go before their new version can come. */
  remove: KubeObject[];
  build: BuildRequest[];
  /** Look again after this time, although nothing may have changed by then. */
  recheckMs?: number;
}

export const outcome = (state: Outcome['state'], rest: Partial<Outcome> = {}): Outcome => ({
  steps: [],
  apply: [],
  remove: [],
  build: [],
  ...rest,
  state,
});
