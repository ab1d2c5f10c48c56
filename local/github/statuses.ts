import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { openRepository, type RepositoryParams } from './access.ts';
import { accountOf } from './auth.ts';
import { accountById, fullName, type GitHub, gitDirectory } from './context.ts';
import { parseBody } from './errors.ts';
import { commitOf } from './git.ts';
import { type Links, linksFor, nodeId } from './links.ts';
import { paginate } from './paginate.ts';
import { renderAccount } from './render/account.ts';
import { renderRepository } from './render/repository.ts';
import { now, type Repository, type Status } from './state.ts';

type WithSha = { Params: RepositoryParams & { sha: string } };

const newStatus = z.object({
  state: z.enum(['error', 'failure', 'pending', 'success']),
  context: z.string().default('default'),
  description: z.string().max(140).nullish(),
  target_url: z.string().nullish(),
});

/** Commit statuses: the marks beside a commit. */
export function statusRoutes(app: FastifyInstance, github: GitHub): void {
  const { state } = github.store;
  /** Newest first. */
  const statusesOf = (repository: Repository, sha: string) =>
    state.statuses.filter(each => each.repositoryId === repository.id && each.sha === sha).reverse();

  app.post<WithSha>('/repos/:owner/:repo/statuses/:sha', async (request, reply) => {
    const { actor, repository } = openRepository(github, request, 'statuses', 'write');
    const wanted = parseBody(newStatus, request.body, 'Status');
    const sha = await commitOf(gitDirectory(github, repository), request.params.sha);
    const status: Status = {
      id: github.store.nextId(),
      repositoryId: repository.id,
      sha,
      state: wanted.state,
      context: wanted.context,
      description: wanted.description ?? null,
      targetUrl: wanted.target_url ?? null,
      creatorId: accountOf(github, actor).id,
      createdAt: now(),
    };
    state.statuses.push(status);
    reply.code(201);
    return renderStatus(github, repository, status, linksFor(github, request));
  });

  app.get<WithSha>('/repos/:owner/:repo/commits/:sha/statuses', async (request, reply) => {
    const { repository } = openRepository(github, request, 'statuses', 'read');
    const sha = await commitOf(gitDirectory(github, repository), request.params.sha);
    return paginate(request, reply, statusesOf(repository, sha)).map(each =>
      renderStatus(github, repository, each, linksFor(github, request)),
    );
  });

  app.get<WithSha>('/repos/:owner/:repo/commits/:sha/status', async request => {
    const { repository } = openRepository(github, request, 'statuses', 'read');
    const sha = await commitOf(gitDirectory(github, repository), request.params.sha);
    const links = linksFor(github, request);
    const latest = [
      ...new Map(
        statusesOf(repository, sha)
          .reverse()
          .map(each => [each.context, each]),
      ).values(),
    ];
    const url = `${links.api}/repos/${fullName(github, repository)}/commits/${sha}`;
    return {
      state: combine(latest),
      statuses: latest.map(each => renderStatus(github, repository, each, links)),
      sha,
      total_count: latest.length,
      repository: renderRepository(github, repository, links),
      commit_url: url,
      url: `${url}/status`,
    };
  });
}

function combine(statuses: Status[]): 'failure' | 'pending' | 'success' {
  if (statuses.some(each => each.state === 'failure' || each.state === 'error')) return 'failure';
  return statuses.length === 0 || statuses.some(each => each.state === 'pending') ? 'pending' : 'success';
}

function renderStatus(github: GitHub, repository: Repository, status: Status, links: Links) {
  const creator = accountById(github, status.creatorId);
  return {
    url: `${links.api}/repos/${fullName(github, repository)}/statuses/${status.sha}`,
    avatar_url: `${links.html}/avatars/${creator.id}`,
    id: status.id,
    node_id: nodeId('Status', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    creator: renderAccount(creator, links),
  };
}
