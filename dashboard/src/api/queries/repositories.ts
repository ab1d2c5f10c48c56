import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';

/** Prefix of every query about repositories. */
export const repositoriesKey = ['repositories'] as const;

export const repositoriesQuery = queryOptions({
  queryKey: [...repositoriesKey, 'list'],
  queryFn: ({ signal }) => call('listRepositories', { signal }),
});

export const repositoryQuery = (id: string) =>
  queryOptions({
    queryKey: [...repositoriesKey, 'one', id],
    queryFn: ({ signal }) => call('getRepository', { params: { id }, signal }),
  });

export const composeFilesQuery = (id: string) =>
  queryOptions({
    queryKey: [...repositoriesKey, 'compose-files', id],
    queryFn: ({ signal }) => call('listComposeFiles', { params: { id }, signal }),
  });

export const composeServicesQuery = (id: string, path: string) =>
  queryOptions({
    queryKey: [...repositoriesKey, 'compose-services', id, path],
    queryFn: ({ signal }) => call('listComposeServices', { params: { id }, query: { path }, signal }),
  });
