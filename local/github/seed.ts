import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitHubConfig } from './config.ts';
import { botLogin, findAccount, type GitHub, gitDirectory, ownedRepository } from './context.ts';
import { git, listRefs } from './git.ts';
import { createInstallation } from './installations.ts';
import { authorship } from './merging.ts';
import { createRepository } from './repositories.ts';
import { hashOf } from './secrets.ts';
import { type Account, now } from './state.ts';

/** Brings the state in line with the configuration. What is there stays; running it again changes nothing. */
export async function seed(github: GitHub): Promise<void> {
  const { config } = github;
  for (const user of config.users) {
    const account = ensureAccount(github, { ...user, type: 'User', siteAdmin: user.admin, members: {} });
    ensureToken(github, account, user.token);
  }
  for (const organization of config.organizations) {
    ensureAccount(github, { ...organization, type: 'Organization', siteAdmin: false });
  }
  ensureAccount(github, { login: botLogin(github), type: 'User', siteAdmin: false, members: {} });
  for (const repository of config.repositories) await ensureRepository(github, repository);
  for (const { account, repositories } of config.installations) {
    ensureInstallation(github, requireAccount(github, account), repositories);
  }
  await github.store.flush();
}

type Wanted = Pick<Account, 'login' | 'type' | 'siteAdmin' | 'members'> & {
  name?: string | undefined;
  email?: string | undefined;
};

function ensureAccount(github: GitHub, wanted: Wanted): Account {
  const { name = wanted.login, email = `${wanted.login}@users.noreply.localhost`, ...rest } = wanted;
  const { login, type, siteAdmin, members } = rest;
  const fields = { login, type, siteAdmin, members, name, email };
  const existing = findAccount(github, login);
  github.store.changed();
  if (existing) return Object.assign(existing, fields);
  const account: Account = { id: github.store.nextId(), createdAt: now(), ...fields };
  github.store.state.accounts.push(account);
  return account;
}

/** The configured token is the user's only personal one. */
function ensureToken(github: GitHub, account: Account, token: string): void {
  const { state } = github.store;
  state.tokens = state.tokens.filter(
    each => each.kind !== 'personal' || (each.subjectId !== account.id && each.hash !== hashOf(token)),
  );
  state.tokens.push({
    hash: hashOf(token),
    kind: 'personal',
    subjectId: account.id,
    expiresAt: null,
    repositoryIds: null,
    permissions: null,
  });
}

function requireAccount(github: GitHub, login: string): Account {
  const account = findAccount(github, login);
  if (account) return account;
  throw new Error(
    `the GitHub stand-in's configuration names the account ${login}, which is neither a user nor an organization of it`,
  );
}

async function ensureRepository(github: GitHub, wanted: GitHubConfig['repositories'][number]) {
  const owner = requireAccount(github, wanted.owner);
  const repository =
    ownedRepository(github, owner, wanted.name) ?? (await createRepository(github, owner, wanted));
  const directory = gitDirectory(github, repository);
  if (wanted.seedFrom && (await listRefs(directory)).size === 0) {
    await commitDirectory(directory, wanted.seedFrom, repository.defaultBranch, owner);
  }
}

function ensureInstallation(github: GitHub, account: Account, names: string[] | undefined): void {
  const existing = github.store.state.installations.find(each => each.accountId === account.id);
  if (existing) return;
  const ids = names?.map(name => {
    const repository = ownedRepository(github, account, name);
    if (!repository)
      throw new Error(`the app cannot be installed on ${account.login}/${name}: there is no such repository`);
    return repository.id;
  });
  createInstallation(github, account, ids ?? null, account);
}

/** Makes a directory's files, less what its .gitignore names, the first commit of a branch. */
async function commitDirectory(gitDirectory: string, files: string, branch: string, author: Account) {
  const scratch = await mkdtemp(join(tmpdir(), 'github-seed-'));
  const environment = { GIT_INDEX_FILE: join(scratch, 'index'), ...authorship(author) };
  try {
    await git(gitDirectory, ['--work-tree', files, '-C', files, 'add', '--all', '.'], environment);
    const tree = (await git(gitDirectory, ['write-tree'], environment)).trim();
    const commit = await git(gitDirectory, ['commit-tree', tree, '-m', 'First commit'], environment);
    await git(gitDirectory, ['update-ref', `refs/heads/${branch}`, commit.trim()]);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
