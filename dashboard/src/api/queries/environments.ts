import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';

/** Prefix of every query about environments. */
export const environmentsKey = ['environments'] as const;

export const activeEnvironmentsQuery = queryOptions({
  queryKey: [...environmentsKey, 'active'],
  queryFn: async ({ signal }) =>
    (await call('listEnvironments', { query: { active: 'true' }, signal })).environments,
});

export const repositoryEnvironmentsQuery = (repositoryId: string) =>
  queryOptions({
    queryKey: [...environmentsKey, 'of-repository', repositoryId],
    queryFn: ({ signal }) => call('listRepositoryEnvironments', { params: { id: repositoryId }, signal }),
  });

export const environmentQuery = (id: string) =>
  queryOptions({
    queryKey: [...environmentsKey, 'one', id],
    queryFn: ({ signal }) => call('getEnvironment', { params: { id }, signal }),
  });
