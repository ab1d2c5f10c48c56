import type { dataTagSymbol, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Deployment, Environment, LiveMessage } from '#contract/entities.ts';
import {
  type DeploymentPage,
  deploymentEventsQuery,
  deploymentPagesKey,
  deploymentQuery,
} from '../queries/deployments.ts';
import {
  activeEnvironmentsQuery,
  environmentQuery,
  repositoryEnvironmentsQuery,
} from '../queries/environments.ts';
import { repositoriesQuery, repositoryQuery } from '../queries/repositories.ts';
import {
  laterDeployment,
  laterEnvironment,
  withActiveEnvironment,
  withDeployment,
  withEnvironment,
  withEvent,
} from './merge.ts';

/** Puts a streamed document into every cached answer that it concerns. */
export function applyLiveMessage(client: QueryClient, message: LiveMessage): void {
  if (message.kind === 'environment') applyEnvironment(client, message.environment);
  else if (message.kind === 'deployment') applyDeployment(client, message.deployment);
  else
    update(client, deploymentEventsQuery(message.deployment_id), cached => withEvent(cached, message.event));
}

function applyEnvironment(client: QueryClient, environment: Environment): void {
  const { id, repository_id } = environment;
  update(client, environmentQuery(id), cached => laterEnvironment(cached, environment));
  update(client, activeEnvironmentsQuery, cached => withActiveEnvironment(cached, environment));
  update(client, repositoryEnvironmentsQuery(repository_id), cached => withEnvironment(cached, environment));
  // Counts of environments and the time of the last change are computed by the server.
  void client.invalidateQueries({ queryKey: repositoriesQuery.queryKey });
  void client.invalidateQueries({ queryKey: repositoryQuery(repository_id).queryKey });
}

function applyDeployment(client: QueryClient, deployment: Deployment): void {
  update(client, deploymentQuery(deployment.id), cached => laterDeployment(cached, deployment));
  const queryKey = deploymentPagesKey(deployment.environment_id);
  const pages = client.getQueriesData<DeploymentPage>({ queryKey });
  const isCached = pages.some(([, page]) => page?.data.some(({ id }) => id === deployment.id));
  // On no cached page: it is new, and every page shifts.
  if (!isCached) void client.invalidateQueries({ queryKey });
  for (const [key] of pages)
    update(client, { queryKey: key as Tagged<DeploymentPage> }, withDeployment(deployment));
}

/** A key that says what is cached under it. */
type Tagged<T> = QueryKey & { [dataTagSymbol]: T };

/**
 * Changes what is cached under a key, if anything. An answer still under way may be older than the change: ask again. So must
 * what was invalid before, as writing to it makes it count as valid.
 */
function update<T>(
  client: QueryClient,
  { queryKey }: { queryKey: Tagged<T> },
  change: (cached: T) => T,
): void {
  const key: QueryKey = queryKey;
  const state = client.getQueryState(key);
  if (!state) return;
  client.setQueryData<T>(key, cached => (cached === undefined ? undefined : change(cached)));
  if (state.fetchStatus === 'fetching' || state.isInvalidated)
    void client.invalidateQueries({ queryKey: key, exact: true });
}
