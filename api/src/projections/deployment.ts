import type { Step } from '#crds/deployment.ts';
import { type DeploymentStatus, IN_FLIGHT_STATUSES } from '#crds/vocabulary.ts';
import type { Event } from '#events/envelope.ts';
import type { DeploymentDoc, StepView } from '../store/views.ts';

const initial = (event: Event): DeploymentDoc => ({
  _id: event.uid,
  seq: 0,
  name: event.name,
  resource_namespace: event.namespace,
  repository_id: '',
  repository_full_name: '',
  environment_id: '',
  commit: '',
  status: 'pending',
  message: '',
  failure_reason: null,
  external_url: null,
  steps: [],
  created_at: new Date(event.at),
  started_at: null,
  ready_at: null,
  ended_at: null,
});

/** The view of a deployment after an event. Pure; `repository_id` is filled in by the caller. */
export function evolveDeployment(current: DeploymentDoc | undefined, event: Event): DeploymentDoc {
  const next = { ...(current ?? initial(event)), seq: event.seq };
  switch (event.type) {
    case 'deployment.created':
      return {
        ...next,
        repository_full_name: event.data.repository,
        environment_id: event.data.environmentUid,
        commit: event.data.commit,
      };
    case 'deployment.status-changed':
      return {
        ...next,
        status: event.data.status,
        message: event.data.message,
        failure_reason: event.data.failureReason ?? next.failure_reason,
        external_url: event.data.url ?? next.external_url,
        ...times(next, event.data.status, new Date(event.at)),
      };
    case 'deployment.step-changed':
      return { ...next, steps: withStep(next.steps, stepView(event.data)) };
    default:
      return next;
  }
}

function times(view: DeploymentDoc, status: DeploymentStatus, at: Date): Partial<DeploymentDoc> {
  if (status === 'pending') return {};
  const started_at = view.started_at ?? at;
  if (status === 'running') return { started_at, ready_at: view.ready_at ?? at };
  if (IN_FLIGHT_STATUSES.includes(status)) return { started_at };
  return { started_at: view.started_at, ended_at: view.ended_at ?? at };
}

const date = (value: string | undefined) => (value ? new Date(value) : null);

const stepView = (step: Step): StepView => ({
  phase: step.phase,
  step_name: step.name,
  status: step.status,
  started_at: date(step.startedAt),
  completed_at: date(step.completedAt),
  failed_at: date(step.failedAt),
  failed_reason: step.status === 'failed' ? (step.message ?? step.reason ?? null) : null,
  reason: step.reason ?? null,
  message: step.message ?? null,
});

function withStep(steps: StepView[], step: StepView): StepView[] {
  const index = steps.findIndex(each => each.phase === step.phase && each.step_name === step.step_name);
  return index < 0 ? [...steps, step] : steps.with(index, step);
}
