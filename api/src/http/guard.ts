import type { FastifyRequest } from 'fastify';
import type { Route } from '#contract/routes.ts';
import { hasBetaAccess } from '../auth/roles.ts';
import { findSession } from '../auth/sessions.ts';
import type { Context } from '../context.ts';
import { confirmAccess } from '../repositories/access.ts';
import type { RepositoryDoc } from '../store/repositories.ts';
import type { UserDoc } from '../store/users.ts';
import type { DeploymentDoc, EnvironmentDoc } from '../store/views.ts';
import { HttpError, notFound } from './errors.ts';

/** Who calls, and what of theirs the path names. */
export interface Caller {
  user?: UserDoc;
  sessionId?: string;
  repository?: RepositoryDoc;
  environment?: EnvironmentDoc;
  deployment?: DeploymentDoc;
}

/** Lets a request pass as its route's access rule says; throws 401, 403 or, for what belongs to others, 404. */
export async function admit(context: Context, route: Route, request: FastifyRequest): Promise<Caller> {
  // A signed webhook proves itself by its body, which is not read yet: its handler checks the signature first.
  if (route.access === 'anonymous' || route.access === 'signed-webhook') return {};
  const found = await findSession(context.store, bearer(request) ?? '');
  if (!found) throw new HttpError(401, 'Unauthorized - please log in again', 'unauthorized');
  const caller = { user: found.user, sessionId: found.session._id };
  if (route.access === 'signed-in') return caller;
  if (!hasBetaAccess(context.config, found.user)) {
    throw new HttpError(403, 'A beta access key is needed to use Greenroom', 'beta_access_required');
  }
  if (route.access === 'user') return caller;
  const { id = '' } = request.params as { id?: string };
  return { ...caller, ...(await owned(context, route.path, id, found.user)) };
}

/** The token of `Authorization: Bearer`. */
function bearer(request: FastifyRequest): string | undefined {
  const [, token] = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '') ?? [];
  return token;
}

type Owned = Pick<Caller, 'environment' | 'deployment'> & { repository: RepositoryDoc };

async function owned(context: Context, path: string, id: string, user: UserDoc): Promise<Owned> {
  const { store } = context;
  const repositoryOf = async (repositoryId: string, what: string) => {
    const repository = await store.repositories
      .findOne({ _id: repositoryId, user_ids: user._id })
      .lean<RepositoryDoc>();
    if (!repository || !(await confirmAccess(context, context.trust, user, repository))) throw notFound(what);
    return repository;
  };
  if (path.startsWith('/api/repositories/:id')) {
    return { repository: await repositoryOf(id, 'Repository') };
  }
  if (path.startsWith('/api/environments/:id')) {
    const environment = await store.environments.findById(id).lean<EnvironmentDoc>();
    if (!environment) throw notFound('Environment');
    return { environment, repository: await repositoryOf(environment.repository_id, 'Environment') };
  }
  if (path.startsWith('/api/deployments/:id')) {
    const deployment = await store.deployments.findById(id).lean<DeploymentDoc>();
    if (!deployment) throw notFound('Deployment');
    return { deployment, repository: await repositoryOf(deployment.repository_id, 'Deployment') };
  }
  throw new Error(`${path} is for owners, and nothing says whose it is`);
}
