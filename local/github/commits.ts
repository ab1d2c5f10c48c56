import type { FastifyInstance } from 'fastify';
import { openRepository, type RepositoryParams } from './access.ts';
import { fullName, type GitHub, gitDirectory } from './context.ts';
import { ApiError, notFound } from './errors.ts';
import { commitOf, findCommit } from './git.ts';
import { countCommits, mergeBase, readChanges, readCommit, readCommits, totals } from './git-history.ts';
import { type Links, linksFor } from './links.ts';
import { renderChange, renderCommit } from './render/commit.ts';
import type { Repository } from './state.ts';

export function commitRoutes(app: FastifyInstance, github: GitHub): void {
  app.get<{ Querystring: { sha?: string; path?: string; per_page?: string; page?: string } }>(
    '/repos/:owner/:repo/commits',
    async request => {
      const { repository } = openRepository(github, request, 'contents', 'read');
      const directory = gitDirectory(github, repository);
      const { sha, path, per_page = '30', page = '1' } = request.query;
      const start = await findCommit(directory, sha ?? repository.defaultBranch);
      if (!start) throw sha ? notFound() : new ApiError(409, 'Git Repository is empty.');
      const limit = Math.min(Number(per_page) || 30, 100);
      const skip = limit * ((Number(page) || 1) - 1);
      const commits = await readCommits(directory, [start], { limit, skip, ...(path && { path }) });
      return commits.map(each => renderCommit(github, repository, each, linksFor(github, request)));
    },
  );

  app.get<{ Params: RepositoryParams & { '*': string } }>(
    '/repos/:owner/:repo/commits/*',
    async (request, reply) => {
      const { repository } = openRepository(github, request, 'contents', 'read');
      const directory = gitDirectory(github, repository);
      const sha = await commitOf(directory, request.params['*']);
      if (request.headers.accept?.includes('application/vnd.github.sha')) {
        return reply.type('application/vnd.github.sha').send(sha);
      }
      const commit = await readCommit(directory, sha);
      const changes = await readChanges(directory, commit.parents[0], sha);
      const { additions, deletions } = totals(changes);
      const links = linksFor(github, request);
      return {
        ...renderCommit(github, repository, commit, links),
        stats: { additions, deletions, total: additions + deletions },
        files: changes.map(each => renderChange(fullName(github, repository), sha, each, links)),
      };
    },
  );

  app.get<{ Params: RepositoryParams & { '*': string } }>('/repos/:owner/:repo/compare/*', async request => {
    const { repository } = openRepository(github, request, 'contents', 'read');
    const [base, head] = request.params['*'].split('...', 2);
    if (!base || !head) throw notFound();
    return compare(github, repository, base, head, linksFor(github, request));
  });
}

async function compare(github: GitHub, repository: Repository, base: string, head: string, links: Links) {
  const directory = gitDirectory(github, repository);
  const [from, to] = await Promise.all([findCommit(directory, base), findCommit(directory, head)]);
  if (!from || !to) throw notFound();
  const common = await mergeBase(directory, from, to);
  if (!common) throw new ApiError(404, `No common ancestor between ${base} and ${head}.`);
  const [ahead, behind, commits, changes] = await Promise.all([
    countCommits(directory, `${from}..${to}`),
    countCommits(directory, `${to}..${from}`),
    readCommits(directory, [`${from}..${to}`]),
    readChanges(directory, common, to),
  ]);
  const path = fullName(github, repository);
  const html = `${links.html}/${path}/compare/${base}...${head}`;
  const render = async (sha: string) =>
    renderCommit(github, repository, await readCommit(directory, sha), links);
  return {
    url: `${links.api}/repos/${path}/compare/${base}...${head}`,
    html_url: html,
    permalink_url: `${links.html}/${path}/compare/${from.slice(0, 7)}...${to.slice(0, 7)}`,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: await render(from),
    merge_base_commit: await render(common),
    status: ahead ? (behind ? 'diverged' : 'ahead') : behind ? 'behind' : 'identical',
    ahead_by: ahead,
    behind_by: behind,
    total_commits: ahead,
    commits: commits.reverse().map(each => renderCommit(github, repository, each, links)),
    files: changes.map(each => renderChange(path, to, each, links)),
  };
}
