import type { FastifyRequest } from 'fastify';
import { type Actor, authenticate } from './auth.ts';
import { accountById, covers, findRepository, type GitHub, installationOf } from './context.ts';
import { forbidden, notFound, requiresAuthentication } from './errors.ts';
import type { Account, Level, Permissions, Repository, Role } from './state.ts';

/** What an app's permissions and a person's role are asked about. */
export type Resource =
  | 'administration'
  | 'contents'
  | 'deployments'
  | 'issues'
  | 'metadata'
  | 'pull_requests'
  | 'repository_hooks'
  | 'statuses';

export interface RepositoryParams {
  owner: string;
  repo: string;
}

const rank = { none: 0, read: 1, write: 2, admin: 3 } as const;

/** A person's role in a repository: its owner, an organization's member, a collaborator, or anybody. */
export function roleOf(github: GitHub, account: Account, repository: Repository): Role {
  const owner = accountById(github, repository.ownerId);
  if (owner.id === account.id || owner.members[account.login] === 'admin') return 'admin';
  const roles: Role[] = [
    repository.collaborators[account.login] ?? 'none',
    owner.members[account.login] || !repository.private ? 'read' : 'none',
  ];
  return roles.reduce((a, b) => (rank[a] >= rank[b] ? a : b));
}

/** The role a person needs: hooks are for administrators, comments for whoever can read. */
function roleNeeded(resource: Resource, level: Level): Role {
  if (resource === 'repository_hooks' || resource === 'administration') return 'admin';
  if (resource === 'issues' || resource === 'pull_requests') return 'read';
  return level;
}

const allows = (permissions: Permissions, resource: Resource, level: Level): boolean =>
  rank[resource === 'metadata' ? 'read' : (permissions[resource] ?? 'none')] >= rank[level];

export function isVisible(github: GitHub, actor: Actor, repository: Repository): boolean {
  if (!repository.private) return true;
  if (actor.kind === 'installation') return isInstalledOn(actor, repository);
  if (actor.kind !== 'user') return false;
  // A person's token made by an app sees only what both of them see.
  const installed = !actor.throughApp || installationOf(github, repository) !== undefined;
  return installed && roleOf(github, actor.account, repository) !== 'none';
}

const isInstalledOn = (actor: Extract<Actor, { kind: 'installation' }>, repository: Repository) =>
  actor.installation.accountId === repository.ownerId && covers(actor.repositoryIds, repository);

function isAllowed(github: GitHub, actor: Actor, repository: Repository, resource: Resource, level: Level) {
  const isPublicRead = !repository.private && level === 'read' && roleNeeded(resource, level) === 'read';
  if (isPublicRead) return true;
  if (actor.kind === 'installation') {
    return isInstalledOn(actor, repository) && allows(actor.permissions, resource, level);
  }
  if (actor.kind !== 'user') return false;
  if (rank[roleOf(github, actor.account, repository)] < rank[roleNeeded(resource, level)]) return false;
  if (!actor.throughApp) return true;
  const installed = installationOf(github, repository) !== undefined;
  return installed && allows(github.config.app.permissions, resource, level);
}

/** Throws 404 where the repository is not to be seen, 401 or 403 where the actor may not do this. */
export function assertAllowed(
  github: GitHub,
  actor: Actor,
  repository: Repository,
  resource: Resource,
  level: Level,
): void {
  if (!isVisible(github, actor, repository)) throw notFound();
  if (isAllowed(github, actor, repository, resource, level)) return;
  if (actor.kind === 'anonymous') throw requiresAuthentication();
  if (actor.kind === 'installation' || actor.kind === 'app' || actor.throughApp) {
    throw forbidden('Resource not accessible by integration');
  }
  throw forbidden(
    roleNeeded(resource, level) === 'admin'
      ? 'Must have admin rights to Repository.'
      : 'Must have push access to repository.',
  );
}

/** The repository of a route and who asks, once allowed. Throws as `assertAllowed` does. */
export function openRepository(
  github: GitHub,
  request: FastifyRequest,
  resource: Resource,
  level: Level,
): { actor: Actor; repository: Repository } {
  const { owner, repo } = request.params as RepositoryParams;
  const actor = authenticate(github, request);
  const repository = findRepository(github, owner, repo);
  if (!repository) throw notFound();
  assertAllowed(github, actor, repository, resource, level);
  return { actor, repository };
}
