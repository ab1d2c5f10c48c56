import type { V1Deployment, V1Job } from '@kubernetes/client-node';
import type { RolloutStep } from '#compose/translation.ts';
import { LABELS } from '#crds/vocabulary.ts';
import { type KubeObject, objectKey, type Wire } from '../kube/resources.ts';
import { failedBefore, hasFailed, isComplete } from './job-state.ts';
import { type Outcome, outcome, type Snapshot, type Workload } from './phase.ts';
import { podFailure } from './pod-failure.ts';
import { isPodOf, isSameRevision, stamp } from './revision.ts';
import type { StepChange } from './steps.ts';

const ROLLOUT_TIMEOUT_MS = 10 * 60_000;

type WorkloadState = 'absent' | 'progressing' | 'started' | 'healthy' | 'completed';

/** Deploying: a step per service, each begun when what it depends on is as it demands. */
export function deploying(snapshot: Snapshot): Outcome {
  const { plan, now, deployment } = snapshot;
  const { rollout } = plan;
  const desired = new Map(rollout.map(step => [step.service, workloadOf(step, snapshot)]));
  const states = new Map(rollout.map(step => [step.service, stateOf(desired.get(step.service), snapshot)]));
  const result = outcome('waiting', { apply: supportingObjects(snapshot), recheckMs: 15_000 });
  for (const step of rollout) {
    const workload = desired.get(step.service);
    if (!workload) continue;
    const named = { phase: 'Deploying', name: step.service } as const;
    const unmet = step.waitsFor.find(
      ({ service, condition }) => !isMet(states.get(service) ?? 'absent', condition),
    );
    const state = states.get(step.service) ?? 'absent';
    if (unmet && state === 'absent') {
      result.steps.push({
        ...named,
        status: 'pending',
        message: `waits for ${unmet.service} (${unmet.condition})`,
      });
      continue;
    }
    const live = snapshot.objects.get(objectKey(workload));
    // A Job cannot be changed, only replaced.
    if (state === 'absent' && live && step.kind === 'Job') result.remove.push(live);
    else result.apply.push(workload);
    const failure = failureOf(step, workload, snapshot);
    if (failure) {
      const change: StepChange = {
        ...named,
        status: 'failed',
        reason: failure.reason,
        message: failure.message,
      };
      return { ...result, state: 'failed', failure, steps: [...result.steps, change] };
    }
    const done = state === 'completed' || (step.kind === 'Deployment' && state === 'healthy');
    if (
      !done &&
      startedAt(deployment.status?.steps, step.service, now) < now.getTime() - ROLLOUT_TIMEOUT_MS
    ) {
      const message = `${step.service} did not become healthy within ${ROLLOUT_TIMEOUT_MS / 60_000} minutes`;
      const failure = { reason: 'RolloutFailed', message } as const;
      result.steps.push({ ...named, status: 'failed', ...failure });
      return { ...result, state: 'failed', failure };
    }
    result.steps.push({ ...named, status: done ? 'completed' : 'running' });
  }
  const done = result.steps.every(({ status }) => status === 'completed');
  return { ...result, state: done ? 'completed' : 'waiting' };
}

/** Everything of the environment but workloads and routes: names, volumes, configuration. */
function supportingObjects({ plan }: Snapshot): KubeObject[] {
  return plan.objects.filter(object => !isWorkload(object) && !isRoute(object));
}

export function isRoute({ metadata }: KubeObject): boolean {
  return metadata.labels?.[LABELS.route] === 'true';
}

function isWorkload({ kind }: KubeObject): boolean {
  return kind === 'Deployment' || kind === 'Job';
}

function workloadOf(step: RolloutStep, { plan }: Snapshot): Workload | undefined {
  const found = plan.objects.find(({ kind, metadata }) => kind === step.kind && metadata.name === step.name);
  return found && stamp(found as Workload);
}

function isMet(state: WorkloadState, condition: RolloutStep['waitsFor'][number]['condition']): boolean {
  if (condition === 'completed') return state === 'completed';
  if (condition === 'healthy') return state === 'healthy' || state === 'completed';
  return state === 'started' || state === 'healthy' || state === 'completed';
}

function stateOf(desired: Workload | undefined, { deployment, objects, pods }: Snapshot): WorkloadState {
  const live = desired && objects.get(objectKey(desired));
  if (!desired || !live || !isSameRevision(desired, live)) return 'absent';
  if (live.kind === 'Job') {
    const job = live as Wire<V1Job>;
    if (isComplete(job)) return 'completed';
    if (failedBefore(job, deployment)) return 'absent';
    return (job.status?.active ?? 0) > 0 ? 'started' : 'progressing';
  }
  const { spec, status, metadata } = live as Wire<V1Deployment>;
  const replicas = spec?.replicas ?? 1;
  const current = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  if (current && (status?.updatedReplicas ?? 0) >= replicas && readyPods(desired, pods) >= replicas)
    return 'healthy';
  const started = pods.some(
    pod =>
      isPodOf(pod, desired) &&
      pod.status?.containerStatuses?.every(({ state }) => state?.running !== undefined),
  );
  return started ? 'started' : 'progressing';
}

function readyPods(workload: Workload, pods: Snapshot['pods']): number {
  const ready = (pod: Snapshot['pods'][number]) =>
    pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  return pods.filter(pod => isPodOf(pod, workload) && !pod.metadata.deletionTimestamp && ready(pod)).length;
}

function failureOf(step: RolloutStep, workload: Workload, { pods, now, deployment, objects }: Snapshot) {
  const since = new Date(deployment.metadata.creationTimestamp);
  const ofStep = pods.filter(pod => isPodOf(pod, workload) && !pod.metadata.deletionTimestamp);
  for (const pod of ofStep) {
    const found = podFailure(pod, since, now);
    if (!found) continue;
    const logs = {
      namespace: pod.metadata.namespace ?? '',
      pod: pod.metadata.name,
      previous: found.previousLog,
    };
    return {
      reason: 'RolloutFailed' as const,
      message: `${step.service} does not start: ${found.message}`,
      logs,
    };
  }
  const job = objects.get(objectKey(workload)) as Wire<V1Job> | undefined;
  if (step.kind === 'Job' && job && hasFailed(job) && !failedBefore(job, deployment)) {
    const pod = ofStep.at(-1);
    const logs = pod && { namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name, previous: false };
    const message = `${step.service} failed: it was to run once and complete`;
    return { reason: 'RolloutFailed' as const, message, ...(logs && { logs }) };
  }
  return undefined;
}

function startedAt(
  steps: { phase: string; name: string; startedAt?: string | undefined }[] | undefined,
  service: string,
  now: Date,
) {
  const step = steps?.find(({ phase, name }) => phase === 'Deploying' && name === service);
  return step?.startedAt ? Date.parse(step.startedAt) : now.getTime();
}
