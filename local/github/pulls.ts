import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { assertAllowed, openRepository, type RepositoryParams } from './access.ts';
import { accountOf } from './auth.ts';
import { accountById, findPull, fullName, type GitHub, gitDirectory, pullsOf } from './context.ts';
import { ApiError, type FieldError, invalid, parseBody } from './errors.ts';
import { listRefs } from './git.ts';
import { countCommits, mergeBase, readChanges, readCommits } from './git-history.ts';
import { linksFor } from './links.ts';
import { mergePull } from './merging.ts';
import { paginate } from './paginate.ts';
import { emitPull } from './pull-events.ts';
import { closePull, updatePullRef } from './pushes.ts';
import { renderChange, renderCommit } from './render/commit.ts';
import { renderIssue, renderPull, renderPullSummary } from './render/pull.ts';
import { type Account, now, type Pull, type Repository } from './state.ts';

type WithNumber = { Params: RepositoryParams & { number: string } };

const newPull = z.object({
  title: z.string().min(1),
  head: z.string().min(1),
  base: z.string().min(1),
  body: z.string().nullish(),
  draft: z.boolean().default(false),
});

const editedPull = z.object({
  title: z.string().min(1).optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
});

export function pullRoutes(app: FastifyInstance, github: GitHub): void {
  app.get<{ Querystring: Filter }>('/repos/:owner/:repo/pulls', (request, reply) => {
    const { repository } = openRepository(github, request, 'pull_requests', 'read');
    const owner = accountById(github, repository.ownerId).login;
    const found = pullsOf(github, repository).filter(matches(request.query, owner));
    found.sort((a, b) => (request.query.direction === 'asc' ? a.number - b.number : b.number - a.number));
    return paginate(request, reply, found).map(each =>
      renderPullSummary(github, repository, each, linksFor(github, request)),
    );
  });

  app.post('/repos/:owner/:repo/pulls', async (request, reply) => {
    const { actor, repository } = openRepository(github, request, 'pull_requests', 'write');
    const author = accountOf(github, actor);
    const pull = await openPull(github, repository, author, parseBody(newPull, request.body, 'PullRequest'));
    reply.code(201);
    return renderPull(github, repository, pull, linksFor(github, request));
  });

  app.get<WithNumber>('/repos/:owner/:repo/pulls/:number', request => {
    const { repository } = openRepository(github, request, 'pull_requests', 'read');
    const pull = findPull(github, repository, Number(request.params.number));
    return renderPull(github, repository, pull, linksFor(github, request));
  });

  app.get<WithNumber>('/repos/:owner/:repo/issues/:number', request => {
    const { repository } = openRepository(github, request, 'issues', 'read');
    const pull = findPull(github, repository, Number(request.params.number));
    return renderIssue(github, repository, pull, linksFor(github, request));
  });

  app.patch<WithNumber>('/repos/:owner/:repo/pulls/:number', async request => {
    const { actor, repository } = openRepository(github, request, 'pull_requests', 'write');
    const pull = findPull(github, repository, Number(request.params.number));
    const sender = accountOf(github, actor);
    if (sender.id !== pull.authorId) assertAllowed(github, actor, repository, 'deployments', 'write');
    const edit = parseBody(editedPull, request.body, 'PullRequest');
    await editText(github, repository, pull, sender, edit);
    if (edit.state && edit.state !== pull.state) {
      await (edit.state === 'closed' ? closePull : reopenPull)(github, repository, pull, sender);
    }
    return renderPull(github, repository, pull, linksFor(github, request));
  });

  app.put<WithNumber>('/repos/:owner/:repo/pulls/:number/merge', async request => {
    const { actor, repository } = openRepository(github, request, 'contents', 'write');
    const pull = findPull(github, repository, Number(request.params.number));
    const sha = await mergePull(github, repository, pull, accountOf(github, actor));
    return { sha, merged: true, message: 'Pull Request successfully merged' };
  });

  app.get<WithNumber>('/repos/:owner/:repo/pulls/:number/files', async (request, reply) => {
    const { repository } = openRepository(github, request, 'pull_requests', 'read');
    const pull = findPull(github, repository, Number(request.params.number));
    const directory = gitDirectory(github, repository);
    const changes = await readChanges(
      directory,
      await mergeBase(directory, pull.baseSha, pull.headSha),
      pull.headSha,
    );
    return paginate(request, reply, changes).map(each =>
      renderChange(fullName(github, repository), pull.headSha, each, linksFor(github, request)),
    );
  });

  app.get<WithNumber>('/repos/:owner/:repo/pulls/:number/commits', async (request, reply) => {
    const { repository } = openRepository(github, request, 'pull_requests', 'read');
    const pull = findPull(github, repository, Number(request.params.number));
    const range = [`${pull.baseSha}..${pull.headSha}`];
    const commits = (await readCommits(gitDirectory(github, repository), range)).reverse();
    return paginate(request, reply, commits).map(each =>
      renderCommit(github, repository, each, linksFor(github, request)),
    );
  });
}

interface Filter {
  state?: string;
  /** `owner:branch`. */
  head?: string;
  base?: string;
  direction?: string;
}

const matches =
  ({ state = 'open', head, base }: Filter, owner: string) =>
  (pull: Pull): boolean =>
    (state === 'all' || pull.state === state) &&
    (!head || head === `${owner}:${pull.headRef}`) &&
    (!base || base === pull.baseRef);

const fault = (fields: Omit<FieldError, 'resource'>) => invalid({ resource: 'PullRequest', ...fields });

async function openPull(
  github: GitHub,
  repository: Repository,
  author: Account,
  wanted: z.output<typeof newPull>,
): Promise<Pull> {
  const owner = accountById(github, repository.ownerId).login;
  const headRef = wanted.head.startsWith(`${owner}:`) ? wanted.head.slice(owner.length + 1) : wanted.head;
  const directory = gitDirectory(github, repository);
  const branches = await listRefs(directory, 'refs/heads');
  const headSha = branches.get(`refs/heads/${headRef}`);
  const baseSha = branches.get(`refs/heads/${wanted.base}`);
  if (!headSha) throw fault({ field: 'head', code: 'invalid' });
  if (!baseSha) throw fault({ field: 'base', code: 'invalid' });
  const twin = pullsOf(github, repository).find(
    each => each.state === 'open' && each.headRef === headRef && each.baseRef === wanted.base,
  );
  if (twin)
    throw fault({ code: 'custom', message: `A pull request already exists for ${owner}:${headRef}.` });
  if ((await countCommits(directory, `${baseSha}..${headSha}`)) === 0) {
    throw fault({ code: 'custom', message: `No commits between ${wanted.base} and ${headRef}` });
  }
  const time = now();
  const pull: Pull = {
    id: github.store.nextId(),
    repositoryId: repository.id,
    number: repository.nextNumber++,
    title: wanted.title,
    body: wanted.body ?? null,
    state: 'open',
    draft: wanted.draft,
    authorId: author.id,
    headRef,
    headSha,
    baseRef: wanted.base,
    baseSha,
    labels: [],
    createdAt: time,
    updatedAt: time,
    closedAt: null,
    mergedAt: null,
    mergedById: null,
    mergeCommitSha: null,
  };
  github.store.state.pulls.push(pull);
  await updatePullRef(github, repository, pull);
  await emitPull(github, repository, pull, author, { action: 'opened' });
  return pull;
}

async function editText(
  github: GitHub,
  repository: Repository,
  pull: Pull,
  sender: Account,
  edit: z.output<typeof editedPull>,
): Promise<void> {
  const before = { title: pull.title, body: pull.body };
  if (edit.title !== undefined) pull.title = edit.title;
  if (edit.body !== undefined) pull.body = edit.body ?? null;
  const changes = {
    ...(pull.title !== before.title && { title: { from: before.title } }),
    ...(pull.body !== before.body && { body: { from: before.body ?? '' } }),
  };
  if (Object.keys(changes).length === 0) return;
  pull.updatedAt = now();
  github.store.changed();
  await emitPull(github, repository, pull, sender, { action: 'edited', changes });
}

async function reopenPull(github: GitHub, repository: Repository, pull: Pull, sender: Account) {
  if (pull.mergedAt) throw new ApiError(422, 'A merged pull request cannot be reopened');
  const branches = await listRefs(gitDirectory(github, repository), 'refs/heads');
  const headSha = branches.get(`refs/heads/${pull.headRef}`);
  if (!headSha) throw fault({ field: 'state', code: 'invalid', message: 'The head branch was deleted' });
  pull.headSha = headSha;
  pull.state = 'open';
  pull.closedAt = null;
  pull.updatedAt = now();
  github.store.changed();
  await updatePullRef(github, repository, pull);
  await emitPull(github, repository, pull, sender, { action: 'reopened' });
}
