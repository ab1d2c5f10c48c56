import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { takeReturn } from '../session/return-to.ts';
import { sessionToken } from '../session/session.ts';
import { rootRoute } from './root.tsx';

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  beforeLoad: () => {
    if (sessionToken()) throw redirect({ to: takeReturn(), replace: true });
  },
  component: lazyRouteComponent(() => import('../features/sign-in/login-screen.tsx'), 'LoginScreen'),
});

export const betaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/beta',
  beforeLoad: () => {
    if (!sessionToken()) throw redirect({ to: '/login', replace: true });
  },
  component: lazyRouteComponent(() => import('../features/sign-in/beta-screen.tsx'), 'BetaScreen'),
});
