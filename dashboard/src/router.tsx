import { createRouter } from '@tanstack/react-router';
import { deploymentRoute, deploymentsRoute, eventsRoute } from './routes/deployments.tsx';
import { guardedRoute, indexRoute } from './routes/guarded.tsx';
import {
  onboardingRoute,
  overviewRoute,
  repositoriesRoute,
  repositoryRoute,
} from './routes/repositories.tsx';
import { type RouterContext, rootRoute } from './routes/root.tsx';
import { RouteError } from './routes/route-error.tsx';
import { betaRoute, loginRoute } from './routes/sign-in.tsx';

const routeTree = rootRoute.addChildren([
  loginRoute,
  betaRoute,
  guardedRoute.addChildren([
    indexRoute,
    overviewRoute,
    repositoriesRoute,
    onboardingRoute,
    repositoryRoute,
    deploymentsRoute,
    deploymentRoute,
    eventsRoute,
  ]),
]);

export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    // TanStack Query decides how old is too old.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
