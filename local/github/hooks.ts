import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { openRepository, type RepositoryParams } from './access.ts';
import { accountOf } from './auth.ts';
import { fullName, type GitHub } from './context.ts';
import { invalid, notFound, parseBody } from './errors.ts';
import { linksFor, originOf } from './links.ts';
import { paginate } from './paginate.ts';
import { emitPing } from './ping.ts';
import { renderHook } from './render/hook.ts';
import { type Hook, now, type Repository } from './state.ts';

type WithId = { Params: RepositoryParams & { id: string } };

const hookConfig = z.object({
  url: z.url(),
  content_type: z.enum(['json', 'form']).default('form'),
  secret: z.string().optional(),
  insecure_ssl: z
    .union([z.string(), z.number()])
    .transform(value => (String(value) === '1' ? '1' : '0'))
    .default('0'),
});

const newHook = z.object({
  name: z.literal('web').default('web'),
  active: z.boolean().default(true),
  events: z.array(z.string()).min(1).default(['push']),
  config: hookConfig,
});

const editedHook = z.object({
  active: z.boolean().optional(),
  events: z.array(z.string()).min(1).optional(),
  add_events: z.array(z.string()).default([]),
  remove_events: z.array(z.string()).default([]),
  config: hookConfig.optional(),
});

/** A repository's webhooks. */
export function hookRoutes(app: FastifyInstance, github: GitHub): void {
  const { state } = github.store;
  const path = '/repos/:owner/:repo/hooks';
  const hooksOf = (repository: Repository) => state.hooks.filter(each => each.repositoryId === repository.id);
  const render = (repository: Repository, hook: Hook, request: FastifyRequest) =>
    renderHook(hook, lastDelivery(github, hook), linksFor(github, request), fullName(github, repository));

  app.get(path, (request, reply) => {
    const { repository } = openRepository(github, request, 'repository_hooks', 'read');
    return paginate(request, reply, hooksOf(repository)).map(each => render(repository, each, request));
  });

  app.post(path, (request, reply) => {
    const { actor, repository } = openRepository(github, request, 'repository_hooks', 'write');
    const wanted = parseBody(newHook, request.body, 'Hook');
    assertNew(hooksOf(repository), wanted.config.url);
    const time = now();
    const hook: Hook = {
      id: github.store.nextId(),
      repositoryId: repository.id,
      url: wanted.config.url,
      secret: wanted.config.secret ?? null,
      contentType: wanted.config.content_type,
      insecureSsl: wanted.config.insecure_ssl,
      events: wanted.events,
      active: wanted.active,
      origin: originOf(request),
      createdAt: time,
      updatedAt: time,
    };
    state.hooks.push(hook);
    if (hook.active) emitPing(github, repository, hook, accountOf(github, actor));
    reply.code(201);
    return render(repository, hook, request);
  });

  app.get<WithId>(`${path}/:id`, request => {
    const { repository } = openRepository(github, request, 'repository_hooks', 'read');
    return render(repository, findHook(github, repository, request.params.id), request);
  });

  app.patch<WithId>(`${path}/:id`, request => {
    const { repository } = openRepository(github, request, 'repository_hooks', 'write');
    const hook = findHook(github, repository, request.params.id);
    const edit = parseBody(editedHook, request.body, 'Hook');
    if (edit.config) {
      const others = hooksOf(repository).filter(each => each !== hook);
      assertNew(others, edit.config.url);
      hook.url = edit.config.url;
      // As on GitHub: a config without a secret takes the secret away.
      hook.secret = edit.config.secret ?? null;
      hook.contentType = edit.config.content_type;
      hook.insecureSsl = edit.config.insecure_ssl;
    }
    const events = [...(edit.events ?? hook.events), ...edit.add_events];
    hook.events = [...new Set(events)].filter(each => !edit.remove_events.includes(each));
    hook.active = edit.active ?? hook.active;
    hook.updatedAt = now();
    github.store.changed();
    return render(repository, hook, request);
  });

  app.delete<WithId>(`${path}/:id`, (request, reply) => {
    const { repository } = openRepository(github, request, 'repository_hooks', 'write');
    const hook = findHook(github, repository, request.params.id);
    state.hooks = state.hooks.filter(each => each !== hook);
    github.store.changed();
    return reply.code(204).send();
  });

  app.post<WithId>(`${path}/:id/pings`, (request, reply) => {
    const { actor, repository } = openRepository(github, request, 'repository_hooks', 'read');
    const hook = findHook(github, repository, request.params.id);
    emitPing(github, repository, hook, accountOf(github, actor));
    return reply.code(204).send();
  });
}

export function findHook(github: GitHub, repository: Repository, id: string): Hook {
  const hook = github.store.state.hooks.find(
    each => each.repositoryId === repository.id && String(each.id) === id,
  );
  if (!hook) throw notFound();
  return hook;
}

const lastDelivery = (github: GitHub, hook: Hook) =>
  github.store.state.deliveries.findLast(each => each.hookId === hook.id);

function assertNew(hooks: Hook[], url: string): void {
  if (!hooks.some(each => each.url === url)) return;
  throw invalid({ resource: 'Hook', code: 'custom', message: 'Hook already exists on this repository' });
}
