import { queryOptions } from '@tanstack/react-query';
import { call } from '../client.ts';

/** Accounts on which the GitHub App is installed. */
export const ownersQuery = queryOptions({
  queryKey: ['owners'],
  queryFn: ({ signal }) => call('listOwners', { signal }),
});

/** Repositories of an account that the GitHub App can reach. */
export const ownerRepositoriesQuery = (owner: string) =>
  queryOptions({
    queryKey: ['owners', owner, 'repositories'],
    queryFn: ({ signal }) => call('listOwnerRepositories', { params: { owner }, signal }),
  });
