import type { FastifyInstance } from 'fastify';
import { isVisible, roleOf } from './access.ts';
import { authenticate, requireUser } from './auth.ts';
import { accountById, findAccount, type GitHub, installedRepositories } from './context.ts';
import { notFound } from './errors.ts';
import { linksFor } from './links.ts';
import { paginate } from './paginate.ts';
import { renderOrganization, renderProfile } from './render/account.ts';
import { renderInstallation } from './render/app.ts';
import { renderRepository, rolePermissions } from './render/repository.ts';
import type { Account, Installation } from './state.ts';

export function userRoutes(app: FastifyInstance, github: GitHub): void {
  const { state } = github.store;
  const publicRepositories = (account: Account) =>
    state.repositories.filter(each => each.ownerId === account.id && !each.private).length;

  app.get('/user', request => {
    const account = requireUser(github, request);
    return renderProfile(account, linksFor(github, request), publicRepositories(account));
  });

  app.get('/user/emails', request => {
    const { email } = requireUser(github, request);
    return [{ email, primary: true, verified: true, visibility: 'public' }];
  });

  app.get('/user/orgs', (request, reply) => {
    const { login } = requireUser(github, request);
    const mine = state.accounts.filter(each => each.members[login]);
    return paginate(request, reply, mine).map(each => renderOrganization(each, linksFor(github, request)));
  });

  app.get<{ Params: { login: string } }>('/users/:login', request => {
    const account = findAccount(github, request.params.login);
    if (!account) throw notFound();
    return renderProfile(account, linksFor(github, request), publicRepositories(account));
  });

  app.get('/user/installations', (request, reply) => {
    const account = requireUser(github, request);
    const mine = state.installations.filter(each => isVisibleTo(github, account, each));
    const page = paginate(request, reply, mine);
    return {
      total_count: mine.length,
      installations: page.map(each => renderInstallation(github, each, linksFor(github, request))),
    };
  });

  app.get<{ Params: { id: string } }>('/user/installations/:id/repositories', (request, reply) => {
    const account = requireUser(github, request);
    const actor = authenticate(github, request);
    const installation = state.installations.find(each => String(each.id) === request.params.id);
    if (!installation || !isVisibleTo(github, account, installation)) throw notFound();
    const mine = installedRepositories(github, installation).filter(
      each => isVisible(github, actor, each) && roleOf(github, account, each) !== 'none',
    );
    return {
      total_count: mine.length,
      repository_selection: installation.repositoryIds ? 'selected' : 'all',
      repositories: paginate(request, reply, mine).map(each => ({
        ...renderRepository(github, each, linksFor(github, request)),
        permissions: rolePermissions(roleOf(github, account, each)),
      })),
    };
  });
}

/** A person sees installations on their own account, their organizations, and where they are a collaborator. */
function isVisibleTo(github: GitHub, account: Account, installation: Installation): boolean {
  const owner = accountById(github, installation.accountId);
  return (
    owner.id === account.id ||
    owner.members[account.login] !== undefined ||
    installedRepositories(github, installation).some(each => each.collaborators[account.login])
  );
}
