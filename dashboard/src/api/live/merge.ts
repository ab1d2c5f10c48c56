import type { Deployment, DeploymentEvent, Environment } from '#contract/entities.ts';
import type { DeploymentPage } from '../queries/deployments.ts';

/**
 * How one streamed document changes what is cached. Every function may be given the same document twice, or an older one
 * after a newer one, and returns what it was given when nothing changes.
 */

/** The later of two versions of an environment. */
export function laterEnvironment(cached: Environment, incoming: Environment): Environment {
  return Date.parse(incoming.last_updated_at) < Date.parse(cached.last_updated_at) ? cached : incoming;
}

/** The later of two versions of a deployment: each change of it stamps a time. */
export function laterDeployment(cached: Deployment, incoming: Deployment): Deployment {
  return lastStamp(incoming) < lastStamp(cached) ? cached : incoming;
}

function lastStamp(deployment: Deployment): number {
  const stamps = [deployment.created_at, deployment.started_at, deployment.ready_at, deployment.ended_at];
  for (const step of deployment.steps) stamps.push(step.started_at, step.completed_at, step.failed_at);
  return Math.max(...stamps.map(stamp => (stamp ? Date.parse(stamp) : 0)));
}

/** A list of environments with this one replaced, or put first when it is new. */
export function withEnvironment(list: Environment[], incoming: Environment): Environment[] {
  if (!list.some(({ id }) => id === incoming.id)) return [incoming, ...list];
  return replaced(list, incoming, laterEnvironment);
}

/** The active environments: as withEnvironment, but a stopped one leaves the list. */
export function withActiveEnvironment(list: Environment[], incoming: Environment): Environment[] {
  const next = withEnvironment(list, incoming);
  const stopped = next.some(({ id, status }) => id === incoming.id && status === 'stopped');
  return stopped ? next.filter(({ id }) => id !== incoming.id) : next;
}

/** Replaces this deployment on a page that has it. */
export const withDeployment =
  (incoming: Deployment) =>
  (page: DeploymentPage): DeploymentPage => {
    const data = replaced(page.data, incoming, laterDeployment);
    return data === page.data ? page : { ...page, data };
  };

/** Events in order of time, each once. */
export function withEvent(events: DeploymentEvent[], incoming: DeploymentEvent): DeploymentEvent[] {
  if (events.some(({ id }) => id === incoming.id)) return events;
  return [...events, incoming].sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
}

function replaced<T extends { id: string }>(
  list: T[],
  incoming: T,
  later: (cached: T, incoming: T) => T,
): T[] {
  let changed = false;
  const next = list.map(item => {
    if (item.id !== incoming.id) return item;
    const winner = later(item, incoming);
    changed ||= winner !== item;
    return winner;
  });
  return changed ? next : list;
}
