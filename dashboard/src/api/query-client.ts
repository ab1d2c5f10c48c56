import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

/** The live stream keeps cached documents fresh, so nothing polls; the rest is refetched when it is looked at again. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // The server's answer will not change by asking again; a lost connection may come back.
        retry: (attempts, error) => !(error instanceof ApiError && error.status < 500) && attempts < 2,
      },
    },
  });
}
