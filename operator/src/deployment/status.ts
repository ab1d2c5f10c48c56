import type { DeploymentStatusFields } from '#crds/deployment.ts';
import type { Deployment } from '#crds/kinds.ts';
import type { DeploymentStatus, Phase, Reason } from '#crds/vocabulary.ts';
import { summarize } from '../kube/conditions.ts';
import { type StepChange, withSteps } from './steps.ts';

/** The status word while a phase is being worked on. */
export const STATUS_OF_PHASE: Record<Phase, DeploymentStatus> = {
  Setup: 'processing',
  Building: 'building',
  Deploying: 'deploying',
  Booting: 'deploying',
};

export interface Verdict {
  status: DeploymentStatus;
  reason: Reason;
  message: string;
}

const ENDED: readonly DeploymentStatus[] = ['failed', 'canceled', 'completed'];

/** The deployment's status after a verdict on it, with its conditions and times. */
export function withVerdict(
  deployment: Deployment,
  verdict: Verdict,
  changes: readonly StepChange[],
  now: Date,
  extra: Partial<Pick<DeploymentStatusFields, 'url' | 'images'>> = {},
): Partial<DeploymentStatusFields> {
  const before = deployment.status ?? {};
  const { generation } = deployment.metadata;
  const { status, reason, message } = verdict;
  const at = now.toISOString();
  const changed = withSteps(before.steps ?? [], changes, now);
  // What was under way beside the step that failed, or when it was canceled, goes on no more.
  const gaveUp = status === 'failed' || status === 'canceled';
  const abandoned = (gaveUp ? changed : []).filter(step => step.status === 'running');
  const steps = withSteps(
    changed,
    abandoned.map(({ phase, name }) => ({
      phase,
      name,
      status: 'failed',
      reason,
      message: 'stopped before it was done',
    })),
    now,
  );
  const flags = {
    ready: status === 'running',
    reconciling: status !== 'running' && !ENDED.includes(status),
    stalled: status === 'failed',
  };
  return {
    ...before,
    ...extra,
    status,
    steps,
    observedGeneration: generation,
    conditions: summarize(
      before.conditions ?? [],
      { ...flags, reason, message: message.slice(0, 2000), generation },
      now,
    ),
    ...(status !== 'pending' && { startedAt: before.startedAt ?? at }),
    ...(status === 'running' && { readyAt: before.readyAt ?? at }),
    ...(ENDED.includes(status) && { endedAt: before.endedAt ?? at }),
    ...(status === 'failed' && { failureReason: message }),
  };
}
