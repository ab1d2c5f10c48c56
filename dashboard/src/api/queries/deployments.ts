import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';

/** Prefix of every query about deployments. */
export const deploymentsKey = ['deployments'] as const;
export const PAGE_SIZE = 8;

/** Prefix of every page of an environment's deployments. */
export const deploymentPagesKey = (environmentId: string) =>
  [...deploymentsKey, 'of-environment', environmentId] as const;

export const deploymentsQuery = (environmentId: string, page: number) =>
  queryOptions({
    queryKey: [...deploymentPagesKey(environmentId), page],
    queryFn: ({ signal }) =>
      call('listDeployments', { params: { id: environmentId }, query: { page, limit: PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
  });
export type DeploymentPage = Awaited<ReturnType<typeof call<'listDeployments'>>>;

export const deploymentQuery = (id: string) =>
  queryOptions({
    queryKey: [...deploymentsKey, 'one', id],
    queryFn: ({ signal }) => call('getDeployment', { params: { id }, signal }),
  });

export const deploymentEventsQuery = (id: string) =>
  queryOptions({
    queryKey: [...deploymentsKey, 'events', id],
    queryFn: ({ signal }) => call('listDeploymentEvents', { params: { id }, signal }),
  });
