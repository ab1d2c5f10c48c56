import type { GitHub } from './context.ts';
import { fullName } from './context.ts';
import { emit } from './events.ts';
import { renderLabel, renderPull } from './render/pull.ts';
import type { Account, Label, Pull, Repository } from './state.ts';

export type PullChange =
  | { action: 'opened' | 'closed' | 'reopened' }
  | { action: 'synchronize'; before: string; after: string }
  | { action: 'edited'; changes: { title?: { from: string }; body?: { from: string } } }
  | { action: 'labeled' | 'unlabeled'; label: Label };

/** Sends `pull_request` for what happened to one. */
export function emitPull(
  github: GitHub,
  repository: Repository,
  pull: Pull,
  sender: Account,
  change: PullChange,
): Promise<void> {
  const { action, ...details } = change;
  return emit(github, {
    name: 'pull_request',
    action,
    repository,
    sender,
    payload: async links => ({
      number: pull.number,
      pull_request: await renderPull(github, repository, pull, links),
      ...details,
      ...('label' in details && {
        label: renderLabel(details.label, links, fullName(github, repository)),
      }),
    }),
  });
}
