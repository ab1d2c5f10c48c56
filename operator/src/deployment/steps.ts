import type { Step } from '#crds/deployment.ts';
import type { Phase, Reason, StepStatus } from '#crds/vocabulary.ts';

export interface StepChange {
  phase: Phase;
  name: string;
  status: StepStatus;
  reason?: Reason;
  message?: string;
}

/** The steps after one of them changed. Times are set when a status is first reached and never move afterwards. */
export function withStep(steps: readonly Step[], change: StepChange, now: Date): Step[] {
  const before = steps.find(({ phase, name }) => phase === change.phase && name === change.name);
  const at = now.toISOString();
  const after: Step = { ...before, ...change };
  if (change.status !== 'pending') after.startedAt ??= at;
  if (change.status === 'completed') after.completedAt ??= at;
  if (change.status === 'failed') after.failedAt ??= at;
  // What a step waited for is no longer true once it is done; that it was cached is.
  if (change.status === 'completed' && !change.message && before?.status !== 'completed')
    delete after.message;
  return before ? steps.map(step => (step === before ? after : step)) : [...steps, after];
}

export function withSteps(steps: readonly Step[], changes: readonly StepChange[], now: Date): Step[] {
  return changes.reduce<Step[]>((list, change) => withStep(list, change, now), [...steps]);
}
