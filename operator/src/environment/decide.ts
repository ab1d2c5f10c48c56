import { createHash } from 'node:crypto';
import type { Deployment, PreviewEnvironment } from '#crds/kinds.ts';
import type { PreviewEnvironmentStatus } from '#crds/preview-environment.ts';
import {
  API_GROUP,
  API_GROUP_VERSION,
  type EnvironmentStatus,
  FINALIZER,
  IN_FLIGHT_STATUSES,
  LABELS,
  type Reason,
} from '#crds/vocabulary.ts';
import { summarize } from '../kube/conditions.ts';
import { environmentNamespace } from './names.ts';

/** Annotation on a Deployment: hash of the inputs that it was made for. */
export const INPUTS_ANNOTATION = `${API_GROUP}/inputs`;

export interface EnvironmentObservation {
  environment: PreviewEnvironment;
  /** Deployments of this environment, in any order. */
  deployments: Deployment[];
  now: Date;
}

export type EnvironmentDecision =
  /** A Deployment is due; it needs the commit that the source's ref points to, unless one is given. */
  | { action: 'deploy'; inputs: string }
  /** The lifetime has ended: remove everything from the cluster, keep the record. */
  | { action: 'expire'; status: Partial<PreviewEnvironmentStatus> }
  | { action: 'report'; status: Partial<PreviewEnvironmentStatus>; requeueAfterMs?: number };

/** What is to be done for an environment that is not being deleted. */
export function decide(observation: EnvironmentObservation): EnvironmentDecision {
  const { environment, now } = observation;
  const deployments = newestFirst(observation.deployments);
  const newest = deployments[0];
  const inputs = inputsHash(environment);
  const status = environment.status ?? {};
  if (newest?.metadata.annotations?.[INPUTS_ANNOTATION] !== inputs && !isByHand(newest, environment)) {
    return { action: 'deploy', inputs };
  }
  if (!newest) return { action: 'deploy', inputs };
  const expiresAt = new Date(
    Date.parse(newest.metadata.creationTimestamp) + environment.spec.maxDurationMinutes * 60_000,
  );
  // It had ended, and its lifetime was extended since.
  const hadExpired = status.conditions?.some(({ type, reason }) => type === 'Ready' && reason === 'Expired');
  if (hadExpired && now < expiresAt && newest.status?.endedAt) return { action: 'deploy', inputs };
  const serving = deployments.find(deployment => deployment.status?.status === 'running');
  const state = now >= expiresAt ? EXPIRED : describe(newest, serving);
  const { generation } = environment.metadata;
  const next: Partial<PreviewEnvironmentStatus> = {
    ...status,
    status: state.status,
    namespace: environmentNamespace(environment),
    commit: (serving ?? newest).spec.source.commit,
    deployment: newest.metadata.name,
    expiresAt: expiresAt.toISOString(),
    observedGeneration: generation,
    conditions: summarize(status.conditions ?? [], { ...state, generation }, now),
  };
  delete next.url;
  if (state === EXPIRED) return { action: 'expire', status: next };
  if (serving?.status?.url) next.url = serving.status.url;
  return { action: 'report', status: next, requeueAfterMs: expiresAt.getTime() - now.getTime() };
}

/** The status when the environment's ref or repository cannot be read. */
export function sourceProblem(
  environment: PreviewEnvironment,
  message: string,
  final: boolean,
  now: Date,
): Partial<PreviewEnvironmentStatus> {
  const { generation } = environment.metadata;
  const reason = final ? 'CommitNotFound' : 'SourceUnavailable';
  const state = { ready: false, reconciling: !final, stalled: final, reason, message, generation } as const;
  return {
    ...environment.status,
    status: final ? 'failed' : 'building',
    namespace: environmentNamespace(environment),
    observedGeneration: generation,
    conditions: summarize(environment.status?.conditions ?? [], state, now),
  };
}

/** The Deployment for an environment as it is wanted now. Its name follows from the generation: made twice, it is one. */
export function newDeployment(environment: PreviewEnvironment, commit: string, inputs: string) {
  const { metadata, spec } = environment;
  const { repository, composeFile, services, serviceLimits, buildLimits } = spec;
  return {
    apiVersion: API_GROUP_VERSION,
    kind: 'Deployment' as const,
    metadata: {
      name: `${metadata.name}-${metadata.generation}`,
      namespace: metadata.namespace,
      labels: { [LABELS.environment]: metadata.name.slice(0, 63) },
      annotations: { [INPUTS_ANNOTATION]: inputs },
      finalizers: [FINALIZER],
      ownerReferences: [ownedBy(environment)],
    },
    spec: {
      environment: metadata.name,
      namespace: environmentNamespace(environment),
      source: { ...spec.source, commit },
      services,
      serviceLimits,
      buildLimits,
      ...(repository && { repository }),
      ...(composeFile && { composeFile }),
    },
  };
}

/** What says that a Deployment is an environment's and goes with it. */
export function ownedBy({ metadata }: PreviewEnvironment) {
  const { name, uid } = metadata;
  return { apiVersion: API_GROUP_VERSION, kind: 'PreviewEnvironment', name, uid, controller: true };
}

/** Newest first: by creation, then by the number that the environment's generation gave to the name. */
export function newestFirst(deployments: Deployment[]): Deployment[] {
  const number = ({ metadata }: Deployment) => Number(/-(\d+)$/.exec(metadata.name)?.[1] ?? 0);
  return deployments.toSorted(
    (a, b) =>
      Date.parse(b.metadata.creationTimestamp) - Date.parse(a.metadata.creationTimestamp) ||
      number(b) - number(a),
  );
}

export function isInFlight(deployment: Deployment): boolean {
  return IN_FLIGHT_STATUSES.includes(deployment.status?.status ?? 'pending');
}

/** A Deployment that a person made counts as long as the environment has not been changed after it. */
function isByHand(newest: Deployment | undefined, environment: PreviewEnvironment): boolean {
  return (
    newest !== undefined &&
    newest.metadata.annotations?.[INPUTS_ANNOTATION] === undefined &&
    environment.status?.observedGeneration === environment.metadata.generation
  );
}

/** The same exactly when the environment asks for the same thing to run. Title and lifetime are no part of it. */
function inputsHash({ spec }: PreviewEnvironment): string {
  const { source, composeFile, services, serviceLimits, buildLimits } = spec;
  const parts = [source.url, source.commit ?? source.ref, composeFile, services, serviceLimits, buildLimits];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

interface State {
  status: EnvironmentStatus;
  ready: boolean;
  reconciling: boolean;
  stalled: boolean;
  reason: Reason;
  message: string;
}

const EXPIRED: State = {
  status: 'stopped',
  ready: false,
  reconciling: false,
  stalled: false,
  reason: 'Expired',
  message: 'Its lifetime has ended. A new commit or a change of the spec starts it again',
};

function describe(newest: Deployment, serving: Deployment | undefined): State {
  const commit = (deployment: Deployment) => deployment.spec.source.commit?.slice(0, 8) ?? '';
  if (isInFlight(newest)) {
    const step = newest.status?.steps?.find(({ status }) => status === 'running');
    const doing = step ? `${step.phase}: ${step.name}` : 'waiting to start';
    const message = `Deploying ${commit(newest)}, ${doing}${serving ? `; ${commit(serving)} is still served` : ''}`;
    return {
      status: 'building',
      ready: false,
      reconciling: true,
      stalled: false,
      reason: 'Progressing',
      message,
    };
  }
  if (newest.status?.status === 'running') {
    const message = `Serving ${commit(newest)} at ${newest.status.url ?? 'no public URL'}`;
    return {
      status: 'running',
      ready: true,
      reconciling: false,
      stalled: false,
      reason: 'Succeeded',
      message,
    };
  }
  const why =
    newest.status?.failureReason ?? `Deployment ${newest.metadata.name} was ${newest.status?.status}`;
  const message = serving ? `${why}. ${commit(serving)} is still served` : why;
  const reason = (newest.status?.conditions?.find(({ type }) => type === 'Ready')?.reason ??
    'RolloutFailed') as Reason;
  const status = serving ? 'running' : newest.status?.status === 'canceled' ? 'stopped' : 'failed';
  return { status, ready: serving !== undefined, reconciling: false, stalled: true, reason, message };
}
