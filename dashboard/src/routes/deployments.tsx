import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { deploymentEventsQuery, deploymentQuery, deploymentsQuery } from '../api/queries/deployments.ts';
import { environmentQuery } from '../api/queries/environments.ts';
import { repositoryQuery } from '../api/queries/repositories.ts';
import { guardedRoute } from './guarded.tsx';
import { pageNumber } from './search.ts';

const ENVIRONMENT = '/repository/$id/environment/$environmentId';
const DEPLOYMENT = `${ENVIRONMENT}/deployment/$deploymentId` as const;

export const deploymentsRoute = createRoute({
  getParentRoute: () => guardedRoute,
  path: `${ENVIRONMENT}/deployments`,
  validateSearch: pageNumber,
  loaderDeps: ({ search }) => ({ page: search.page ?? 1 }),
  loader: ({ context: { queryClient }, params, deps }) => {
    void queryClient.prefetchQuery(repositoryQuery(params.id));
    void queryClient.prefetchQuery(environmentQuery(params.environmentId));
    void queryClient.prefetchQuery(deploymentsQuery(params.environmentId, deps.page));
  },
  component: lazyRouteComponent(
    () => import('../features/deployments/deployments-screen.tsx'),
    'DeploymentsScreen',
  ),
});

export const deploymentRoute = createRoute({
  getParentRoute: () => guardedRoute,
  path: DEPLOYMENT,
  loader: ({ context: { queryClient }, params }) => {
    void queryClient.prefetchQuery(repositoryQuery(params.id));
    void queryClient.prefetchQuery(environmentQuery(params.environmentId));
    void queryClient.prefetchQuery(deploymentQuery(params.deploymentId));
  },
  component: lazyRouteComponent(
    () => import('../features/deployment/deployment-screen.tsx'),
    'DeploymentScreen',
  ),
});

export const eventsRoute = createRoute({
  getParentRoute: () => guardedRoute,
  path: `${DEPLOYMENT}/events`,
  loader: ({ context: { queryClient }, params }) => {
    void queryClient.prefetchQuery(repositoryQuery(params.id));
    void queryClient.prefetchQuery(environmentQuery(params.environmentId));
    void queryClient.prefetchQuery(deploymentQuery(params.deploymentId));
    void queryClient.prefetchQuery(deploymentEventsQuery(params.deploymentId));
  },
  component: lazyRouteComponent(() => import('../features/events/events-screen.tsx'), 'EventsScreen'),
});
