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
  const { reason: _reason, message: _message, ...lasting } = before ?? {};
  // What a step waited for, or stumbled over, is no longer true once it got on; that it was cached is.
  const after: Step = { ...(before?.status === change.status ? before : lasting), ...change };
  if (change.status !== 'pending') after.startedAt ??= at;
  if (change.status === 'completed') after.completedAt ??= at;
  if (change.status === 'failed') after.failedAt ??= at;
  return before ? steps.map(step => (step === before ? after : step)) : [...steps, after];
}

export function withSteps(steps: readonly Step[], changes: readonly StepChange[], now: Date): Step[] {
  return changes.reduce<Step[]>((list, change) => withStep(list, change, now), [...steps]);
}
