import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { NotFound } from '../features/shell/not-found.tsx';
import type { Arrival } from '../session/arrival.ts';

export interface RouterContext {
  queryClient: QueryClient;
  /** What GitHub's callback brought to /login when the page was opened. */
  arrival: Arrival;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: NotFound,
});
