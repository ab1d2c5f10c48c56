import { isDeepStrictEqual } from 'node:util';
import type { Step } from '#crds/deployment.ts';
import type { Deployment, PreviewEnvironment } from '#crds/kinds.ts';
import type { EventData, EventType } from '#events/catalog.ts';

/** A fact that is about to be committed, and what `kubectl describe` shows of it. */
export type Fact = {
  [T in EventType]: {
    type: T;
    data: EventData<T>;
    describe?: { type: 'Normal' | 'Warning'; reason: string; message: string };
  };
}[EventType];

/** What happened to an environment between two of its statuses. */
export function environmentFacts(before: PreviewEnvironment, after: PreviewEnvironment): Fact[] {
  const facts: Fact[] = [];
  const { spec, status = {} } = after;
  const snapshot = {
    repository: spec.repository ?? '',
    branch: spec.branch ?? spec.source.ref ?? '',
    maxDurationMinutes: spec.maxDurationMinutes,
    ...(spec.pullRequest && { pullRequest: spec.pullRequest }),
  };
  if (!before.status?.eventSeq) facts.push({ type: 'environment.created', data: snapshot });
  else if (before.status.observedGeneration !== status.observedGeneration) {
    facts.push({ type: 'environment.updated', data: snapshot });
  }
  const old = statusData(before);
  const data = statusData(after);
  if (data && !isDeepStrictEqual(old, data)) {
    const ready = status.conditions?.find(({ type }) => type === 'Ready');
    const told = old?.status === data.status && old.message === data.message;
    facts.push({
      type: 'environment.status-changed',
      data,
      ...(!told && {
        describe: {
          type: data.status === 'failed' ? 'Warning' : 'Normal',
          reason: ready?.reason ?? 'Progressing',
          message: data.message,
        },
      }),
    });
  }
  return facts;
}

function statusData({ status }: PreviewEnvironment): EventData<'environment.status-changed'> | undefined {
  if (!status?.status || !status.namespace) return undefined;
  const { url, commit, deployment, expiresAt } = status;
  return {
    status: status.status,
    message: status.conditions?.find(({ type }) => type === 'Ready')?.message ?? '',
    namespace: status.namespace,
    ...(url && { url }),
    ...(commit && { commit }),
    ...(deployment && { deployment }),
    ...(expiresAt && { expiresAt }),
  };
}

/** What happened to a deployment between two of its statuses. */
export function deploymentFacts(before: Deployment, after: Deployment, environmentUid: string): Fact[] {
  const facts: Fact[] = [];
  const { spec, status = {} } = after;
  if (!before.status?.eventSeq) {
    const { environment, repository = '', source } = spec;
    facts.push({
      type: 'deployment.created',
      data: { environment, environmentUid, repository, commit: source.commit ?? '' },
    });
  }
  // What begins is told before what ends: between the two, nobody shall think that a phase is over.
  const ended = ({ status }: Step) => Number(status === 'completed' || status === 'failed');
  for (const step of (status.steps ?? []).toSorted((a, b) => ended(a) - ended(b))) {
    const old = before.status?.steps?.find(({ phase, name }) => phase === step.phase && name === step.name);
    if (!isDeepStrictEqual(old, step)) facts.push({ type: 'deployment.step-changed', data: step });
  }
  if (status.status && status.status !== before.status?.status) {
    const { failureReason, url } = status;
    const ready = status.conditions?.find(({ type }) => type === 'Ready');
    const message = ready?.message ?? '';
    facts.push({
      type: 'deployment.status-changed',
      data: { status: status.status, message, ...(failureReason && { failureReason }), ...(url && { url }) },
      describe: {
        type: status.status === 'failed' ? 'Warning' : 'Normal',
        reason: ready?.reason ?? 'Progressing',
        message: failureReason ?? message,
      },
    });
  }
  return facts;
}
