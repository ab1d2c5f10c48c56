import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { GitHubConfig } from './config.ts';
import type { Sender } from './deliveries.ts';
import { notFound } from './errors.ts';
import type { Account, Installation, Pull, Repository } from './state.ts';
import type { Store } from './store.ts';

/** What every route works with. */
export interface GitHub {
  readonly config: GitHubConfig;
  /** Browser-facing base address without a trailing slash; known once the server listens. */
  publicUrl: string;
  readonly appKey: KeyObject;
  readonly store: Store;
  readonly sender: Sender;
}

export const gitDirectory = (github: GitHub, repository: Repository): string =>
  join(github.config.dataDir, 'repositories', `${repository.id}.git`);

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The account that the app's own comments and statuses are by. */
export const botLogin = (github: GitHub): string => `${github.config.app.slug}[bot]`;

export const findAccount = (github: GitHub, login: string): Account | undefined =>
  github.store.state.accounts.find(account => same(account.login, login));

export function accountById(github: GitHub, id: number): Account {
  const account = github.store.state.accounts.find(each => each.id === id);
  if (!account) throw notFound();
  return account;
}

export function findRepository(github: GitHub, owner: string, name: string): Repository | undefined {
  const account = findAccount(github, owner);
  return account && ownedRepository(github, account, name);
}

export const ownedRepository = (github: GitHub, owner: Account, name: string): Repository | undefined =>
  github.store.state.repositories.find(each => each.ownerId === owner.id && same(each.name, name));

export const fullName = (github: GitHub, repository: Repository): string =>
  `${accountById(github, repository.ownerId).login}/${repository.name}`;

/** The app's installation that covers a repository, if any. */
export const installationOf = (github: GitHub, repository: Repository): Installation | undefined =>
  github.store.state.installations.find(
    each => each.accountId === repository.ownerId && covers(each.repositoryIds, repository),
  );

/** Whether a selection of repositories (null is all) holds this one. */
export const covers = (ids: number[] | null, repository: Repository): boolean =>
  ids === null || ids.includes(repository.id);

export const installedRepositories = (github: GitHub, installation: Installation): Repository[] =>
  github.store.state.repositories.filter(
    each => each.ownerId === installation.accountId && covers(installation.repositoryIds, each),
  );

export const pullsOf = (github: GitHub, repository: Repository): Pull[] =>
  github.store.state.pulls.filter(each => each.repositoryId === repository.id);

export function findPull(github: GitHub, repository: Repository, number: number): Pull {
  const pull = pullsOf(github, repository).find(each => each.number === number);
  if (!pull) throw notFound();
  return pull;
}
