/**
 * The product's words, written once. CRDs, events, API and dashboard import them from here.
 * Deployment statuses and phases are those of the specification (part 2, section 4).
 */
export const API_GROUP = 'greenroom.dev';
export const API_VERSION = 'v1alpha1';
export const API_GROUP_VERSION = `${API_GROUP}/${API_VERSION}`;

/**
 * A deployment's status. `running` serves the environment's URL; `completed` did and was replaced by a newer
 * deployment; `canceled` was stopped by a person or superseded by a newer commit.
 */
export const DEPLOYMENT_STATUSES = [
  'pending',
  'processing',
  'building',
  'deploying',
  'running',
  'completed',
  'failed',
  'canceled',
] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** Statuses in which a deployment is still working towards `running`; the only ones that can be canceled. */
export const IN_FLIGHT_STATUSES: readonly DeploymentStatus[] = [
  'pending',
  'processing',
  'building',
  'deploying',
];

export const ENVIRONMENT_STATUSES = ['building', 'running', 'failed', 'stopped'] as const;
export type EnvironmentStatus = (typeof ENVIRONMENT_STATUSES)[number];

/** The phases of a deployment, in order. */
export const PHASES = ['Setup', 'Building', 'Deploying', 'Booting'] as const;
export type Phase = (typeof PHASES)[number];

export const STEP_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** How a compose service can be reached. Exactly one service of an environment is Primary. */
export const EXPOSURES = ['Internal', 'External', 'Primary'] as const;
export type Exposure = (typeof EXPOSURES)[number];

export const CONDITION_TYPES = ['Ready', 'Reconciling', 'Stalled'] as const;
export type ConditionType = (typeof CONDITION_TYPES)[number];

/** Machine-readable reasons in conditions, steps and Kubernetes events. */
export const REASONS = [
  'Progressing',
  'Succeeded',
  'Cached',
  'SourceUnavailable',
  'CommitNotFound',
  'ComposeFileNotFound',
  'ComposeInvalid',
  'ComposeRefused',
  'BuildFailed',
  'BuildTimedOut',
  'RolloutFailed',
  'HealthCheckFailed',
  'RouteConflict',
  'Canceled',
  'Superseded',
  'Expired',
  'Deleting',
  'ClusterUnavailable',
  'OutboxFull',
] as const;
export type Reason = (typeof REASONS)[number];

/** Labels and annotations that Greenroom puts on the objects it owns. */
export const LABELS = {
  environment: `${API_GROUP}/environment`,
  environmentNamespace: `${API_GROUP}/environment-namespace`,
  environmentUid: `${API_GROUP}/environment-uid`,
  deployment: `${API_GROUP}/deployment`,
  service: `${API_GROUP}/service`,
  route: `${API_GROUP}/route`,
  repository: `${API_GROUP}/repository`,
} as const;

export const FINALIZER = `${API_GROUP}/teardown`;
export const FIELD_MANAGER = 'greenroom-operator';

/** Constants of the specification (part 1, section 9; part 2, section 9). */
export const DEFAULTS = {
  prefix: 'env-',
  maxDurationMinutes: 480,
  serviceLimits: { cpu: '0.125', memory: '256Mi' },
  buildLimits: { cpu: '0.5', memory: '1Gi' },
  buildTimeoutMinutes: 10,
} as const;
