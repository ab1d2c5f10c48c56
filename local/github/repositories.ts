import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isVisible, openRepository, roleOf } from './access.ts';
import { type Actor, authenticate, requireUser } from './auth.ts';
import { findAccount, type GitHub, gitDirectory, installationOf, ownedRepository } from './context.ts';
import { forbidden, invalid, notFound, parseBody } from './errors.ts';
import { createBareRepository } from './git.ts';
import { linksFor } from './links.ts';
import { paginate } from './paginate.ts';
import { renderAccount } from './render/account.ts';
import { renderFullRepository, renderRepository, rolePermissions } from './render/repository.ts';
import { type Account, now, type Repository, type Role } from './state.ts';

const newRepository = z.object({
  name: z.string().regex(/^[\w.-]+$/),
  description: z.string().nullish(),
  private: z.boolean().default(false),
});

export function repositoryRoutes(app: FastifyInstance, github: GitHub): void {
  app.get('/repos/:owner/:repo', request => {
    const { actor, repository } = openRepository(github, request, 'metadata', 'read');
    const role = actorRole(github, actor, repository);
    return renderFullRepository(github, repository, linksFor(github, request), role);
  });

  app.get('/user/repos', (request, reply) => {
    const account = requireUser(github, request);
    const actor = authenticate(github, request);
    const mine = github.store.state.repositories.filter(
      each => isVisible(github, actor, each) && isConnected(github, account, each),
    );
    return paginate(request, reply, mine).map(each => ({
      ...renderRepository(github, each, linksFor(github, request)),
      permissions: rolePermissions(roleOf(github, account, each)),
    }));
  });

  for (const prefix of ['users', 'orgs']) {
    app.get<{ Params: { login: string } }>(`/${prefix}/:login/repos`, (request, reply) => {
      const actor = authenticate(github, request);
      const owner = findAccount(github, request.params.login);
      if (!owner) throw notFound();
      const owned = github.store.state.repositories.filter(
        each => each.ownerId === owner.id && isVisible(github, actor, each),
      );
      return paginate(request, reply, owned).map(each =>
        renderRepository(github, each, linksFor(github, request)),
      );
    });
  }

  app.post('/user/repos', async (request, reply) => {
    const account = requireUser(github, request);
    const repository = await createRepository(
      github,
      account,
      parseBody(newRepository, request.body, 'Repository'),
    );
    reply.code(201);
    return renderFullRepository(github, repository, linksFor(github, request), 'admin');
  });

  app.post<{ Params: { login: string } }>('/orgs/:login/repos', async (request, reply) => {
    const account = requireUser(github, request);
    const owner = findAccount(github, request.params.login);
    if (owner?.type !== 'Organization') throw notFound();
    if (owner.members[account.login] !== 'admin')
      throw forbidden('You need admin access to the organization');
    const repository = await createRepository(
      github,
      owner,
      parseBody(newRepository, request.body, 'Repository'),
    );
    reply.code(201);
    return renderFullRepository(github, repository, linksFor(github, request), 'admin');
  });

  app.get<{ Params: { username: string } }>(
    '/repos/:owner/:repo/collaborators/:username/permission',
    request => {
      const { repository } = openRepository(github, request, 'metadata', 'read');
      const account = findAccount(github, request.params.username);
      if (!account) throw notFound();
      const role = roleOf(github, account, repository);
      return { permission: role, role_name: role, user: renderAccount(account, linksFor(github, request)) };
    },
  );
}

const isConnected = (github: GitHub, account: Account, repository: Repository): boolean =>
  roleOf(github, account, repository) === 'admin' ||
  account.login in repository.collaborators ||
  github.store.state.accounts.some(
    each => each.id === repository.ownerId && each.members[account.login] !== undefined,
  );

function actorRole(github: GitHub, actor: Actor, repository: Repository): Role {
  if (actor.kind === 'user') return roleOf(github, actor.account, repository);
  if (actor.kind !== 'installation') return 'read';
  const installed = installationOf(github, repository)?.id === actor.installation.id;
  return installed && actor.permissions.contents === 'write' ? 'write' : 'read';
}

/** Makes a repository and its git directory. Throws GitHub's 422 where the name is taken. */
export async function createRepository(
  github: GitHub,
  owner: Account,
  wanted: z.output<typeof newRepository> & { collaborators?: Repository['collaborators'] },
): Promise<Repository> {
  if (ownedRepository(github, owner, wanted.name)) {
    const message = 'name already exists on this account';
    throw invalid({ resource: 'Repository', code: 'custom', field: 'name', message });
  }
  const time = now();
  const repository: Repository = {
    id: github.store.nextId(),
    ownerId: owner.id,
    name: wanted.name,
    description: wanted.description ?? null,
    private: wanted.private,
    defaultBranch: 'main',
    collaborators: wanted.collaborators ?? {},
    nextNumber: 1,
    createdAt: time,
    updatedAt: time,
    pushedAt: time,
  };
  github.store.state.repositories.push(repository);
  await createBareRepository(gitDirectory(github, repository), repository.defaultBranch);
  return repository;
}
