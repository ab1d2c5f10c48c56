import type { User } from '@octokit/webhooks-types';
import { type Links, nodeId } from '../links.ts';
import type { Account } from '../state.ts';

/** GitHub's `simple-user`, as in answers and webhooks. */
export function renderAccount(account: Account, links: Links) {
  const url = `${links.api}/users/${encodeURIComponent(account.login)}`;
  const isBot = account.login.endsWith('[bot]');
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    avatar_url: `${links.html}/avatars/${account.id}`,
    gravatar_id: '',
    url,
    html_url: isBot
      ? `${links.html}/apps/${account.login.slice(0, -'[bot]'.length)}`
      : `${links.html}/${account.login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: isBot ? 'Bot' : account.type,
    site_admin: account.siteAdmin,
  } satisfies User;
}

/** The signed-in or public profile. Counts are of things the stand-in does not have. */
export function renderProfile(account: Account, links: Links, publicRepos: number) {
  return {
    ...renderAccount(account, links),
    name: account.name,
    company: null,
    blog: '',
    location: null,
    email: account.email,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: publicRepos,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: account.createdAt,
    updated_at: account.createdAt,
  };
}

export function renderOrganization(account: Account, links: Links) {
  const url = `${links.api}/orgs/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId('Organization', account.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${links.html}/avatars/${account.id}`,
    description: account.name,
  };
}
