import { accountById, type GitHub, installedRepositories } from './context.ts';
import { appTarget } from './events.ts';
import { linksFrom } from './links.ts';
import { renderAccount } from './render/account.ts';
import { renderInstallation, renderRepositoryName } from './render/app.ts';
import { type Account, type Installation, now } from './state.ts';

/** Installs the app on an account, on all repositories (null) or some, and tells the app's webhook. */
export function createInstallation(
  github: GitHub,
  account: Account,
  repositoryIds: number[] | null,
  sender: Account,
): Installation {
  const installation: Installation = {
    id: github.store.nextId(),
    accountId: account.id,
    repositoryIds,
    createdAt: now(),
  };
  github.store.state.installations.push(installation);
  announce(github, 'created', installation, sender);
  return installation;
}

/** Uninstalls: the installation's tokens stop working at once. */
export function removeInstallation(github: GitHub, installation: Installation, sender: Account): void {
  const { state } = github.store;
  announce(github, 'deleted', installation, sender);
  state.installations = state.installations.filter(each => each.id !== installation.id);
  state.tokens = state.tokens.filter(
    each => each.kind !== 'installation' || each.subjectId !== installation.id,
  );
  github.store.changed();
}

function announce(
  github: GitHub,
  action: 'created' | 'deleted',
  installation: Installation,
  sender: Account,
): void {
  const target = appTarget(github);
  if (!target) return;
  const links = linksFrom(github, github.publicUrl);
  const repositories = installedRepositories(github, installation);
  github.sender.send(target, {
    event: 'installation',
    action,
    repositoryId: null,
    installationId: installation.id,
    payload: {
      action,
      installation: renderInstallation(github, installation, links),
      repositories: repositories.map(each => renderRepositoryName(github, each)),
      ...(action === 'created' && { requester: null }),
      sender: renderAccount(sender, links),
    },
  });
}

/** The accounts a person may install the app on: their own, and organizations they administer. */
export const installableAccounts = (github: GitHub, person: Account): Account[] => [
  accountById(github, person.id),
  ...github.store.state.accounts.filter(each => each.members[person.login] === 'admin'),
];
