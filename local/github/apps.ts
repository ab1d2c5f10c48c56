import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RepositoryParams } from './access.ts';
import { authenticate } from './auth.ts';
import {
  accountById,
  findAccount,
  findRepository,
  type GitHub,
  installationOf,
  installedRepositories,
  ownedRepository,
} from './context.ts';
import { ApiError, badCredentials, forbidden, notFound, parseBody } from './errors.ts';
import { removeInstallation } from './installations.ts';
import { linksFor } from './links.ts';
import { paginate } from './paginate.ts';
import { renderApp, renderInstallation } from './render/app.ts';
import { renderRepository } from './render/repository.ts';
import { hashOf, newToken } from './secrets.ts';
import { type Installation, type Permissions, toTime } from './state.ts';

const hour = 3_600_000;

const tokenRequest = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number()).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
});

export function appRoutes(app: FastifyInstance, github: GitHub): void {
  const { state } = github.store;
  const byId = (request: FastifyRequest<{ Params: { id: string } }>): Installation => {
    requireApp(github, request);
    const installation = state.installations.find(each => String(each.id) === request.params.id);
    if (!installation) throw notFound();
    return installation;
  };

  app.get('/app', request => {
    requireApp(github, request);
    return renderApp(github, linksFor(github, request));
  });

  app.get('/app/installations', (request, reply) => {
    requireApp(github, request);
    return paginate(request, reply, state.installations).map(each =>
      renderInstallation(github, each, linksFor(github, request)),
    );
  });

  app.get<{ Params: { id: string } }>('/app/installations/:id', request =>
    renderInstallation(github, byId(request), linksFor(github, request)),
  );

  app.delete<{ Params: { id: string } }>('/app/installations/:id', (request, reply) => {
    const installation = byId(request);
    removeInstallation(github, installation, accountById(github, installation.accountId));
    return reply.code(204).send();
  });

  app.get<{ Params: RepositoryParams }>('/repos/:owner/:repo/installation', request => {
    requireApp(github, request);
    const { owner, repo } = request.params;
    const repository = findRepository(github, owner, repo);
    const installation = repository && installationOf(github, repository);
    if (!installation) throw notFound();
    return renderInstallation(github, installation, linksFor(github, request));
  });

  for (const prefix of ['users', 'orgs']) {
    app.get<{ Params: { login: string } }>(`/${prefix}/:login/installation`, request => {
      requireApp(github, request);
      const account = findAccount(github, request.params.login);
      const installation = state.installations.find(each => each.accountId === account?.id);
      if (!installation) throw notFound();
      return renderInstallation(github, installation, linksFor(github, request));
    });
  }

  app.post<{ Params: { id: string } }>('/app/installations/:id/access_tokens', (request, reply) => {
    const installation = byId(request);
    const wanted = parseBody(tokenRequest, request.body, 'InstallationToken');
    const repositoryIds = selectRepositories(github, installation, wanted);
    const permissions = selectPermissions(github.config.app.permissions, wanted.permissions);
    const token = newToken('ghs');
    const expiresAt = toTime(new Date(Date.now() + hour));
    state.tokens = state.tokens.filter(each => !each.expiresAt || Date.parse(each.expiresAt) > Date.now());
    state.tokens.push({
      hash: hashOf(token),
      kind: 'installation',
      subjectId: installation.id,
      expiresAt,
      repositoryIds,
      permissions,
    });
    github.store.changed();
    reply.code(201);
    const selected = state.repositories.filter(each => repositoryIds?.includes(each.id));
    return {
      token,
      expires_at: expiresAt,
      permissions,
      repository_selection: repositoryIds || installation.repositoryIds ? 'selected' : 'all',
      ...(repositoryIds && {
        repositories: selected.map(each => renderRepository(github, each, linksFor(github, request))),
      }),
    };
  });

  app.get('/installation/repositories', (request, reply) => {
    const actor = authenticate(github, request);
    if (actor.kind !== 'installation') {
      throw forbidden('You must authenticate with an installation access token');
    }
    const ids = actor.repositoryIds;
    const all = installedRepositories(github, actor.installation).filter(
      each => !ids || ids.includes(each.id),
    );
    return {
      total_count: all.length,
      repository_selection: ids ? 'selected' : 'all',
      repositories: paginate(request, reply, all).map(each =>
        renderRepository(github, each, linksFor(github, request)),
      ),
    };
  });
}

function requireApp(github: GitHub, request: FastifyRequest): void {
  if (authenticate(github, request).kind !== 'app') throw badCredentials();
}

/** The ids of the repositories asked for, or null for all that the installation covers. */
function selectRepositories(
  github: GitHub,
  installation: Installation,
  wanted: z.output<typeof tokenRequest>,
): number[] | null {
  if (!wanted.repositories && !wanted.repository_ids) return null;
  const owner = accountById(github, installation.accountId);
  const ids = [
    ...(wanted.repository_ids ?? []),
    ...(wanted.repositories ?? []).map(name => ownedRepository(github, owner, name)?.id ?? 0),
  ];
  const covered = new Set(installedRepositories(github, installation).map(each => each.id));
  if (ids.every(id => covered.has(id))) return ids;
  throw new ApiError(
    422,
    'There is at least one repository that does not exist or is not accessible to the parent installation.',
  );
}

function selectPermissions(granted: Permissions, wanted: Permissions | undefined): Permissions {
  if (!wanted) return granted;
  const exceeds = Object.entries(wanted).some(
    ([name, level]) => granted[name] !== 'write' && granted[name] !== level,
  );
  if (exceeds) throw new ApiError(422, 'The permissions requested are not granted to this installation.');
  return { metadata: 'read', ...wanted };
}
