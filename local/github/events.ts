import { type GitHub, installationOf } from './context.ts';
import type { Target } from './deliveries.ts';
import { type Links, linksFrom, nodeId } from './links.ts';
import { renderAccount } from './render/account.ts';
import { renderRepository } from './render/repository.ts';
import type { Account, Hook, Repository } from './state.ts';

export interface RepositoryEvent {
  name: string;
  action: string | null;
  repository: Repository;
  sender: Account;
  /** The event's own fields; called once per hook, since links depend on how its maker reaches us. */
  payload: (links: Links) => object | Promise<object>;
}

/** Tells every hook that listens. Resolves when the payloads are made; the sending goes on behind. */
export async function emit(github: GitHub, event: RepositoryEvent): Promise<void> {
  const { repository } = event;
  const hooks = github.store.state.hooks.filter(
    each => each.repositoryId === repository.id && each.active && listens(each.events, event.name),
  );
  for (const hook of hooks) {
    await emitTo(github, event, hookTarget(hook), linksFrom(github, hook.origin), null);
  }
  const installation = installationOf(github, repository);
  const target = appTarget(github);
  if (target && installation && listens(github.config.app.events, event.name)) {
    await emitTo(github, event, target, linksFrom(github, github.publicUrl), installation.id);
  }
}

const listens = (events: string[], name: string) => events.includes('*') || events.includes(name);

async function emitTo(
  github: GitHub,
  event: RepositoryEvent,
  target: Target,
  links: Links,
  installationId: number | null,
): Promise<void> {
  const payload = {
    ...(event.action && { action: event.action }),
    ...(await event.payload(links)),
    repository: renderRepository(github, event.repository, links),
    sender: renderAccount(event.sender, links),
    ...(installationId && {
      installation: { id: installationId, node_id: nodeId('Installation', installationId) },
    }),
  };
  const { name, action, repository } = event;
  github.sender.send(target, {
    event: name,
    action,
    repositoryId: repository.id,
    installationId,
    payload,
  });
}

export const hookTarget = (hook: Hook): Target => ({
  hookId: hook.id,
  type: 'repository',
  targetId: hook.repositoryId,
  url: hook.url,
  secret: hook.secret,
  contentType: hook.contentType,
});

/** The app's own webhook, if it has one. */
export function appTarget(github: GitHub): Target | undefined {
  const { app } = github.config;
  if (!app.webhookUrl) return undefined;
  return {
    hookId: 0,
    type: 'integration',
    targetId: app.id,
    url: app.webhookUrl,
    secret: app.webhookSecret ?? null,
    contentType: 'json',
  };
}
