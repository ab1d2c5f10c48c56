import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { openRepository, type RepositoryParams } from './access.ts';
import { accountOf } from './auth.ts';
import { fullName, type GitHub, gitDirectory } from './context.ts';
import { ApiError, notFound, parseBody } from './errors.ts';
import { findCommit, git, listRefs } from './git.ts';
import { readCommit } from './git-history.ts';
import { linksFor, nodeId } from './links.ts';
import { paginate } from './paginate.ts';
import { movingRefs } from './pushes.ts';
import { renderCommit } from './render/commit.ts';
import type { Repository } from './state.ts';

type WithPath = { Params: RepositoryParams & { '*': string } };

const newRef = z.object({
  ref: z.string().regex(/^refs\/(heads|tags)\/./),
  sha: z.string().regex(/^[0-9a-f]{40}$/),
});

/** Branches and tags. */
export function refRoutes(app: FastifyInstance, github: GitHub): void {
  app.get('/repos/:owner/:repo/branches', async (request, reply) => {
    const { repository } = openRepository(github, request, 'contents', 'read');
    const refs = await listRefs(gitDirectory(github, repository), 'refs/heads');
    const url = `${linksFor(github, request).api}/repos/${fullName(github, repository)}/commits`;
    return paginate(request, reply, [...refs]).map(([ref, sha]) => ({
      name: ref.slice('refs/heads/'.length),
      commit: { sha, url: `${url}/${sha}` },
      protected: false,
    }));
  });

  app.get<WithPath>('/repos/:owner/:repo/branches/*', async request => {
    const { repository } = openRepository(github, request, 'contents', 'read');
    const name = request.params['*'];
    const directory = gitDirectory(github, repository);
    const sha = (await listRefs(directory, `refs/heads/${name}`)).get(`refs/heads/${name}`);
    if (!sha) throw new ApiError(404, 'Branch not found');
    const links = linksFor(github, request);
    const path = fullName(github, repository);
    const self = `${links.api}/repos/${path}/branches/${name}`;
    return {
      name,
      commit: renderCommit(github, repository, await readCommit(directory, sha), links),
      _links: { self, html: `${links.html}/${path}/tree/${name}` },
      protected: false,
      protection: {
        enabled: false,
        required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] },
      },
      protection_url: `${self}/protection`,
    };
  });

  app.get<WithPath>('/repos/:owner/:repo/git/ref/*', async request => {
    const { repository } = openRepository(github, request, 'contents', 'read');
    const name = `refs/${request.params['*']}`;
    const sha = (await listRefs(gitDirectory(github, repository), name)).get(name);
    if (!sha) throw notFound();
    return renderRef(github, repository, request, name, sha);
  });

  app.get<WithPath>('/repos/:owner/:repo/git/matching-refs/*', async (request, reply) => {
    const { repository } = openRepository(github, request, 'contents', 'read');
    const prefix = `refs/${request.params['*']}`;
    const refs = [...(await listRefs(gitDirectory(github, repository)))];
    const matching = refs.filter(([name]) => name.startsWith(prefix));
    return paginate(request, reply, matching).map(([name, sha]) =>
      renderRef(github, repository, request, name, sha),
    );
  });

  app.post('/repos/:owner/:repo/git/refs', async (request, reply) => {
    const { actor, repository } = openRepository(github, request, 'contents', 'write');
    const { ref, sha } = parseBody(newRef, request.body, 'Reference');
    const directory = gitDirectory(github, repository);
    if (!(await findCommit(directory, sha))) throw new ApiError(422, 'Object does not exist');
    if ((await listRefs(directory, ref)).has(ref)) throw new ApiError(422, 'Reference already exists');
    await movingRefs(github, repository, accountOf(github, actor), () =>
      git(directory, ['update-ref', ref, sha]),
    );
    reply.code(201);
    return renderRef(github, repository, request, ref, sha);
  });

  app.delete<WithPath>('/repos/:owner/:repo/git/refs/*', async (request, reply) => {
    const { actor, repository } = openRepository(github, request, 'contents', 'write');
    const ref = `refs/${request.params['*']}`;
    const directory = gitDirectory(github, repository);
    if (ref === `refs/heads/${repository.defaultBranch}`) {
      throw new ApiError(422, 'Cannot delete the default branch');
    }
    const isOurs = ref.startsWith('refs/pull/') || !(await listRefs(directory, ref)).has(ref);
    if (isOurs) throw new ApiError(422, 'Reference does not exist');
    await movingRefs(github, repository, accountOf(github, actor), () =>
      git(directory, ['update-ref', '-d', ref]),
    );
    return reply.code(204).send();
  });
}

function renderRef(
  github: GitHub,
  repository: Repository,
  request: FastifyRequest,
  ref: string,
  sha: string,
) {
  const url = `${linksFor(github, request).api}/repos/${fullName(github, repository)}/git`;
  return {
    ref,
    node_id: nodeId('Ref', `${repository.id}:${ref}`),
    url: `${url}/${ref}`,
    object: { sha, type: 'commit', url: `${url}/commits/${sha}` },
  };
}
