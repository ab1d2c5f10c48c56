import { fullName, type GitHub } from './context.ts';
import { hookTarget } from './events.ts';
import { linksFrom } from './links.ts';
import { renderAccount } from './render/account.ts';
import { renderHook } from './render/hook.ts';
import { renderRepository } from './render/repository.ts';
import type { Account, Hook, Repository } from './state.ts';

/** Greets one hook, as GitHub does when it is made. */
export function emitPing(github: GitHub, repository: Repository, hook: Hook, sender: Account): void {
  const links = linksFrom(github, hook.origin);
  github.sender.send(hookTarget(hook), {
    event: 'ping',
    action: null,
    repositoryId: repository.id,
    installationId: null,
    payload: {
      zen: 'Keep it logically awesome.',
      hook_id: hook.id,
      hook: renderHook(hook, undefined, links, fullName(github, repository)),
      repository: renderRepository(github, repository, links),
      sender: renderAccount(sender, links),
    },
  });
}
