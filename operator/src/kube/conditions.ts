import type { Condition } from '#crds/shared.ts';
import type { ConditionType, Reason } from '#crds/vocabulary.ts';

/**
 * Sets one condition and returns the new list. The transition time moves only when the status does.
 */
export function setCondition(
  conditions: readonly Condition[],
  condition: {
    type: ConditionType;
    status: boolean;
    reason: Reason;
    message: string;
    generation: number;
  },
  now: Date,
): Condition[] {
  const { type, reason, message, generation } = condition;
  const status = condition.status ? 'True' : 'False';
  const before = conditions.find(existing => existing.type === type);
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now.toISOString();
  const after = {
    type,
    status,
    reason,
    message,
    lastTransitionTime,
    observedGeneration: generation,
  } as const;
  return before
    ? conditions.map(existing => (existing === before ? after : existing))
    : [...conditions, after];
}

/**
 * The three conditions that say how an object is: Ready (it is as wanted), Reconciling (being worked on), Stalled (will
 * not get on without a change).
 */
export function summarize(
  conditions: readonly Condition[],
  state: {
    ready: boolean;
    reconciling: boolean;
    stalled: boolean;
    reason: Reason;
    message: string;
    generation: number;
  },
  now: Date,
): Condition[] {
  const { reason, message, generation } = state;
  const flags = { Ready: state.ready, Reconciling: state.reconciling, Stalled: state.stalled } as const;
  return (Object.keys(flags) as ConditionType[]).reduce<Condition[]>(
    (list, type) => setCondition(list, { type, status: flags[type], reason, message, generation }, now),
    [...conditions],
  );
}
