import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { openRepository, type RepositoryParams, roleOf } from './access.ts';
import { type Actor, accountOf } from './auth.ts';
import { findPull, type GitHub } from './context.ts';
import { forbidden, notFound, parseBody } from './errors.ts';
import { emit } from './events.ts';
import { linksFor } from './links.ts';
import { paginate } from './paginate.ts';
import { renderComment } from './render/comment.ts';
import { renderIssue } from './render/pull.ts';
import { type Account, type Comment, now, type Repository } from './state.ts';

type WithNumber = { Params: RepositoryParams & { number: string } };
type WithId = { Params: RepositoryParams & { id: string } };

const text = z.object({ body: z.string().min(1).max(65_536) });

/** Comments on a pull request's conversation. */
export function commentRoutes(app: FastifyInstance, github: GitHub): void {
  const { state } = github.store;

  app.get<WithNumber>('/repos/:owner/:repo/issues/:number/comments', (request, reply) => {
    const { repository } = openRepository(github, request, 'issues', 'read');
    const pull = findPull(github, repository, Number(request.params.number));
    const comments = state.comments.filter(
      each => each.repositoryId === repository.id && each.number === pull.number,
    );
    return paginate(request, reply, comments).map(each =>
      renderComment(github, repository, each, linksFor(github, request)),
    );
  });

  app.post<WithNumber>('/repos/:owner/:repo/issues/:number/comments', async (request, reply) => {
    const { actor, repository } = openRepository(github, request, 'issues', 'write');
    const pull = findPull(github, repository, Number(request.params.number));
    const author = accountOf(github, actor);
    const time = now();
    const comment: Comment = {
      id: github.store.nextId(),
      repositoryId: repository.id,
      number: pull.number,
      authorId: author.id,
      body: parseBody(text, request.body, 'IssueComment').body,
      createdAt: time,
      updatedAt: time,
    };
    state.comments.push(comment);
    await emitComment(github, repository, comment, author, { action: 'created' });
    reply.code(201);
    return renderComment(github, repository, comment, linksFor(github, request));
  });

  app.get<WithId>('/repos/:owner/:repo/issues/comments/:id', request => {
    const { repository } = openRepository(github, request, 'issues', 'read');
    const comment = findComment(github, repository, request);
    return renderComment(github, repository, comment, linksFor(github, request));
  });

  app.patch<WithId>('/repos/:owner/:repo/issues/comments/:id', async request => {
    const { actor, repository } = openRepository(github, request, 'issues', 'write');
    const comment = findComment(github, repository, request);
    assertMayEdit(github, actor, repository, comment);
    const from = comment.body;
    comment.body = parseBody(text, request.body, 'IssueComment').body;
    comment.updatedAt = now();
    github.store.changed();
    const change = { action: 'edited', changes: { body: { from } } } as const;
    await emitComment(github, repository, comment, accountOf(github, actor), change);
    return renderComment(github, repository, comment, linksFor(github, request));
  });

  app.delete<WithId>('/repos/:owner/:repo/issues/comments/:id', async (request, reply) => {
    const { actor, repository } = openRepository(github, request, 'issues', 'write');
    const comment = findComment(github, repository, request);
    assertMayEdit(github, actor, repository, comment);
    state.comments = state.comments.filter(each => each.id !== comment.id);
    github.store.changed();
    await emitComment(github, repository, comment, accountOf(github, actor), { action: 'deleted' });
    return reply.code(204).send();
  });
}

function findComment(github: GitHub, repository: Repository, request: FastifyRequest<WithId>): Comment {
  const comment = github.store.state.comments.find(
    each => each.repositoryId === repository.id && String(each.id) === request.params.id,
  );
  if (!comment) throw notFound();
  return comment;
}

/** One's own comments, and anybody's for those who may push. */
function assertMayEdit(github: GitHub, actor: Actor, repository: Repository, comment: Comment): void {
  if (accountOf(github, actor).id === comment.authorId) return;
  const role = actor.kind === 'user' ? roleOf(github, actor.account, repository) : 'write';
  if (role !== 'write' && role !== 'admin') throw forbidden('Must be the author or have push access.');
}

type CommentChange =
  | { action: 'created' | 'deleted' }
  | { action: 'edited'; changes: { body: { from: string } } };

function emitComment(
  github: GitHub,
  repository: Repository,
  comment: Comment,
  sender: Account,
  { action, ...details }: CommentChange,
): Promise<void> {
  const pull = findPull(github, repository, comment.number);
  return emit(github, {
    name: 'issue_comment',
    action,
    repository,
    sender,
    payload: links => ({
      issue: renderIssue(github, repository, pull, links),
      comment: renderComment(github, repository, comment, links),
      ...details,
    }),
  });
}
