import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { activeEnvironmentsQuery, repositoryEnvironmentsQuery } from '../api/queries/environments.ts';
import { repositoriesQuery, repositoryQuery } from '../api/queries/repositories.ts';
import { guardedRoute } from './guarded.tsx';
import { optionalText } from './search.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => guardedRoute,
  path: '/overview',
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(repositoriesQuery);
    void queryClient.prefetchQuery(activeEnvironmentsQuery);
  },
  component: lazyRouteComponent(() => import('../features/overview/overview-screen.tsx'), 'OverviewScreen'),
});

export const repositoriesRoute = createRoute({
  getParentRoute: () => guardedRoute,
  path: '/repositories',
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(repositoriesQuery);
  },
  component: lazyRouteComponent(
    () => import('../features/repositories/repositories-screen.tsx'),
    'RepositoriesScreen',
  ),
});

export const onboardingRoute = createRoute({
  getParentRoute: () => guardedRoute,
  path: '/onboarding',
  /** `repository` is the id of a connected repository whose set-up is to be completed. */
  validateSearch: (search: Record<string, unknown>): { repository?: string } =>
    optionalText('repository', search),
  component: lazyRouteComponent(
    () => import('../features/onboarding/onboarding-screen.tsx'),
    'OnboardingScreen',
  ),
});

export const repositoryRoute = createRoute({
  getParentRoute: () => guardedRoute,
  path: '/repository/$id',
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(repositoryQuery(id));
    void queryClient.prefetchQuery(repositoryEnvironmentsQuery(id));
  },
  component: lazyRouteComponent(
    () => import('../features/repository/repository-screen.tsx'),
    'RepositoryScreen',
  ),
});
