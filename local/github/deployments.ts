import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { openRepository, type RepositoryParams } from './access.ts';
import { accountOf } from './auth.ts';
import { accountById, fullName, type GitHub, gitDirectory } from './context.ts';
import { notFound, parseBody } from './errors.ts';
import { commitOf } from './git.ts';
import { type Links, linksFor, nodeId } from './links.ts';
import { paginate } from './paginate.ts';
import { renderAccount } from './render/account.ts';
import { type Deployment, type DeploymentStatus, now, type Repository } from './state.ts';

type WithId = { Params: RepositoryParams & { id: string } };

const newDeployment = z.object({
  ref: z.string(),
  task: z.string().default('deploy'),
  environment: z.string().default('production'),
  description: z.string().nullish(),
  payload: z.union([z.record(z.string(), z.unknown()), z.string()]).default(''),
  transient_environment: z.boolean().default(false),
});

const newStatus = z.object({
  state: z.enum(['error', 'failure', 'inactive', 'in_progress', 'queued', 'pending', 'success']),
  description: z.string().max(140).default(''),
  environment: z.string().optional(),
  environment_url: z.string().default(''),
  log_url: z.string().default(''),
});

export function deploymentRoutes(app: FastifyInstance, github: GitHub): void {
  const { state } = github.store;

  app.post('/repos/:owner/:repo/deployments', async (request, reply) => {
    const { actor, repository } = openRepository(github, request, 'deployments', 'write');
    const wanted = parseBody(newDeployment, request.body, 'Deployment');
    const deployment: Deployment = {
      id: github.store.nextId(),
      repositoryId: repository.id,
      ref: wanted.ref,
      sha: await commitOf(gitDirectory(github, repository), wanted.ref),
      task: wanted.task,
      environment: wanted.environment,
      description: wanted.description ?? null,
      payload: wanted.payload,
      transient: wanted.transient_environment,
      creatorId: accountOf(github, actor).id,
      createdAt: now(),
      statuses: [],
    };
    state.deployments.push(deployment);
    reply.code(201);
    return renderDeployment(github, repository, deployment, linksFor(github, request));
  });

  app.get<{ Querystring: { sha?: string; ref?: string; environment?: string } }>(
    '/repos/:owner/:repo/deployments',
    (request, reply) => {
      const { repository } = openRepository(github, request, 'deployments', 'read');
      const { sha, ref, environment } = request.query;
      const found = state.deployments
        .filter(each => each.repositoryId === repository.id)
        .filter(each => (!sha || each.sha === sha) && (!ref || each.ref === ref))
        .filter(each => !environment || each.environment === environment)
        .reverse();
      return paginate(request, reply, found).map(each =>
        renderDeployment(github, repository, each, linksFor(github, request)),
      );
    },
  );

  app.get<WithId>('/repos/:owner/:repo/deployments/:id', request => {
    const { repository } = openRepository(github, request, 'deployments', 'read');
    const deployment = findDeployment(github, repository, request);
    return renderDeployment(github, repository, deployment, linksFor(github, request));
  });

  app.post<WithId>('/repos/:owner/:repo/deployments/:id/statuses', (request, reply) => {
    const { actor, repository } = openRepository(github, request, 'deployments', 'write');
    const deployment = findDeployment(github, repository, request);
    const wanted = parseBody(newStatus, request.body, 'DeploymentStatus');
    const status: DeploymentStatus = {
      id: github.store.nextId(),
      state: wanted.state,
      description: wanted.description,
      environment: wanted.environment ?? deployment.environment,
      environmentUrl: wanted.environment_url,
      logUrl: wanted.log_url,
      creatorId: accountOf(github, actor).id,
      createdAt: now(),
    };
    deployment.statuses.push(status);
    reply.code(201);
    return renderStatus(github, repository, deployment, status, linksFor(github, request));
  });

  app.get<WithId>('/repos/:owner/:repo/deployments/:id/statuses', (request, reply) => {
    const { repository } = openRepository(github, request, 'deployments', 'read');
    const deployment = findDeployment(github, repository, request);
    return paginate(request, reply, deployment.statuses.toReversed()).map(each =>
      renderStatus(github, repository, deployment, each, linksFor(github, request)),
    );
  });
}

function findDeployment(github: GitHub, repository: Repository, request: FastifyRequest<WithId>): Deployment {
  const deployment = github.store.state.deployments.find(
    each => each.repositoryId === repository.id && String(each.id) === request.params.id,
  );
  if (!deployment) throw notFound();
  return deployment;
}

const urlsOf = (github: GitHub, repository: Repository, deployment: Deployment, links: Links) => {
  const repositoryUrl = `${links.api}/repos/${fullName(github, repository)}`;
  return { repositoryUrl, url: `${repositoryUrl}/deployments/${deployment.id}` };
};

function renderDeployment(github: GitHub, repository: Repository, deployment: Deployment, links: Links) {
  const { repositoryUrl, url } = urlsOf(github, repository, deployment, links);
  return {
    url,
    id: deployment.id,
    node_id: nodeId('Deployment', deployment.id),
    sha: deployment.sha,
    ref: deployment.ref,
    task: deployment.task,
    payload: deployment.payload,
    original_environment: deployment.environment,
    environment: deployment.environment,
    description: deployment.description,
    creator: renderAccount(accountById(github, deployment.creatorId), links),
    created_at: deployment.createdAt,
    updated_at: deployment.statuses.at(-1)?.createdAt ?? deployment.createdAt,
    statuses_url: `${url}/statuses`,
    repository_url: repositoryUrl,
    transient_environment: deployment.transient,
    production_environment: deployment.environment === 'production',
  };
}

function renderStatus(
  github: GitHub,
  repository: Repository,
  deployment: Deployment,
  status: DeploymentStatus,
  links: Links,
) {
  const { repositoryUrl, url } = urlsOf(github, repository, deployment, links);
  return {
    url: `${url}/statuses/${status.id}`,
    id: status.id,
    node_id: nodeId('DeploymentStatus', status.id),
    state: status.state,
    creator: renderAccount(accountById(github, status.creatorId), links),
    description: status.description,
    environment: status.environment,
    target_url: status.logUrl,
    created_at: status.createdAt,
    updated_at: status.createdAt,
    deployment_url: url,
    repository_url: repositoryUrl,
    environment_url: status.environmentUrl,
    log_url: status.logUrl,
  };
}
