import type { Event } from '#events/envelope.ts';
import type { EnvironmentDoc } from '../store/views.ts';

const initial = (event: Event): EnvironmentDoc => ({
  _id: event.uid,
  seq: 0,
  name: event.name,
  resource_namespace: event.namespace,
  repository_id: '',
  repository_full_name: '',
  pull_request: null,
  branch_name: '',
  namespace: null,
  status: 'building',
  status_message: '',
  preview_url: null,
  commit: null,
  created_at: new Date(event.at),
  updated_at: new Date(event.at),
  expires_at: null,
});

/** The view of an environment after an event. Pure; `repository_id` is filled in by the caller. */
export function evolveEnvironment(current: EnvironmentDoc | undefined, event: Event): EnvironmentDoc {
  const next = { ...(current ?? initial(event)), seq: event.seq, updated_at: new Date(event.at) };
  switch (event.type) {
    case 'environment.created':
    case 'environment.updated':
      return {
        ...next,
        repository_full_name: event.data.repository,
        pull_request: event.data.pullRequest ?? null,
        branch_name: event.data.branch,
      };
    case 'environment.status-changed':
      return {
        ...next,
        status: event.data.status,
        status_message: event.data.message,
        preview_url: event.data.url ?? null,
        namespace: event.data.namespace,
        commit: event.data.commit ?? next.commit,
        expires_at: event.data.expiresAt ? new Date(event.data.expiresAt) : null,
      };
    case 'environment.deleted':
      return { ...next, status: 'stopped', status_message: 'Removed', preview_url: null, expires_at: null };
    default:
      return next;
  }
}
