import { createRoute, redirect } from '@tanstack/react-router';
import { userQuery } from '../api/queries/user.ts';
import { Shell } from '../features/shell/shell.tsx';
import { rememberReturn } from '../session/return-to.ts';
import { sessionToken } from '../session/session.ts';
import { PageSpinner } from '../ui/states.tsx';
import { rootRoute } from './root.tsx';
import { RouteError } from './route-error.tsx';

/** Everything that needs a signed-in user with access. The server checks the same on every call. */
export const guardedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'guarded',
  beforeLoad: async ({ context, location }) => {
    if (!sessionToken()) {
      rememberReturn(location.href);
      throw redirect({ to: '/login', replace: true });
    }
    const user = await context.queryClient.ensureQueryData(userQuery);
    if (!user.has_beta_access && !user.is_admin) throw redirect({ to: '/beta', replace: true });
    return { user };
  },
  pendingMs: 0,
  pendingComponent: PageSpinner,
  errorComponent: RouteError,
  component: Shell,
});

export const indexRoute = createRoute({
  getParentRoute: () => guardedRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview', replace: true });
  },
});
