import type { Octokit } from 'octokit';
import type { Owner } from '#contract/entities.ts';

/** An account that has the app installed, as far as the person can reach it. */
export interface InstalledOwner {
  installation: number;
  owner: Owner;
}

/** The accounts with the app that a person can reach. */
export async function listInstalledOwners(octokit: Octokit): Promise<InstalledOwner[]> {
  const installations = await octokit.paginate(octokit.rest.apps.listInstallationsForAuthenticatedUser, {
    per_page: 100,
  });
  return installations.flatMap(({ id, account }) =>
    account && 'login' in account ? [{ installation: id, owner: toOwner(account) }] : [],
  );
}

/** The repositories that both the app's installation and the person can reach. */
export const listReachable = (octokit: Octokit, installation: number) =>
  octokit.paginate(octokit.rest.apps.listInstallationReposForAuthenticatedUser, {
    installation_id: installation,
    per_page: 100,
  });

export const toOwner = (account: {
  id: number;
  login: string;
  avatar_url: string;
  type?: string;
}): Owner => ({
  id: account.id,
  login: account.login,
  avatar_url: account.avatar_url,
  type: account.type === 'Organization' ? 'Organization' : 'User',
});
