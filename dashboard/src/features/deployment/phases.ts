import type { Deployment, DeploymentStep } from '#contract/entities.ts';
import { PHASES, type Phase, type StepStatus } from '#crds/vocabulary.ts';

/** A step's status as shown: one that never ran after a failure was skipped, one cut off by the end was canceled. */
export type ShownStatus = StepStatus | 'skipped' | 'canceled';

export interface ShownStep {
  name: string;
  status: ShownStatus;
  cached: boolean;
  startedAt: string | null;
  endedAt: string | null;
  message: string | null;
}

export interface ShownPhase {
  phase: Phase;
  status: ShownStatus;
  startedAt: string | null;
  /** Null while the phase is not over. */
  endedAt: string | null;
  steps: ShownStep[];
}

/** The four phases in order, whatever order the deployment's steps arrived in. */
export function shownPhases(deployment: Deployment): ShownPhase[] {
  let failed = false;
  return PHASES.map(phase => {
    const over = failed || deployment.status === 'failed' || deployment.status === 'canceled';
    const steps = deployment.steps
      .filter(step => step.phase === phase)
      .map(step => shownStep(step, over, deployment.ended_at));
    const status = steps.length > 0 ? phaseStatus(steps) : emptyPhaseStatus(deployment, over);
    failed ||= status === 'failed';
    return { phase, status, steps, ...span(steps, status) };
  });
}

function shownStep(step: DeploymentStep, over: boolean, endedAt: string | null): ShownStep {
  const status =
    over && step.status === 'pending'
      ? 'skipped'
      : endedAt && step.status === 'running'
        ? 'canceled'
        : step.status;
  return {
    name: step.step_name,
    status,
    cached: step.reason === 'Cached',
    startedAt: step.started_at,
    endedAt: step.completed_at ?? step.failed_at ?? (status === 'canceled' ? endedAt : null),
    message: step.failed_reason ?? step.message,
  };
}

function phaseStatus(steps: ShownStep[]): ShownStatus {
  const has = (status: ShownStatus) => steps.some(step => step.status === status);
  const all = (status: ShownStatus) => steps.every(step => step.status === status);
  if (has('failed')) return 'failed';
  if (has('canceled')) return 'canceled';
  if (all('completed')) return 'completed';
  if (all('pending')) return 'pending';
  if (has('skipped')) return 'skipped';
  // Running, or between two steps.
  return 'running';
}

/** A phase that has had no step yet. */
function emptyPhaseStatus(deployment: Deployment, over: boolean): ShownStatus {
  if (over) return 'skipped';
  return deployment.status === 'running' || deployment.status === 'completed' ? 'completed' : 'pending';
}

function span(steps: ShownStep[], status: ShownStatus): Pick<ShownPhase, 'startedAt' | 'endedAt'> {
  const starts = steps.flatMap(step => step.startedAt ?? []).sort();
  const ends = steps.flatMap(step => step.endedAt ?? []).sort();
  const going = status === 'running' || steps.some(step => step.status === 'running');
  return { startedAt: starts.at(0) ?? null, endedAt: going ? null : (ends.at(-1) ?? null) };
}

/** The step that a failed deployment failed in, with its phase. */
export function failedStep(phases: ShownPhase[]): { phase: Phase; step: ShownStep } | null {
  for (const { phase, steps } of phases) {
    const step = steps.find(({ status }) => status === 'failed');
    if (step) return { phase, step };
  }
  return null;
}
