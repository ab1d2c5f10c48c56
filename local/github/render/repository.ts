import type { Repository as RepositoryPayload } from '@octokit/webhooks-types';
import { accountById, type GitHub, pullsOf } from '../context.ts';
import { type Links, nodeId } from '../links.ts';
import type { Repository, Role } from '../state.ts';
import { renderAccount } from './account.ts';

/** GitHub's `repository` in lists and inside other objects. */
export function renderRepository(github: GitHub, repository: Repository, links: Links) {
  const owner = accountById(github, repository.ownerId);
  const path = `${owner.login}/${repository.name}`;
  const html = `${links.html}/${path}`;
  const open = pullsOf(github, repository).filter(each => each.state === 'open').length;
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: path,
    private: repository.private,
    owner: renderAccount(owner, links),
    html_url: html,
    description: repository.description,
    fork: false,
    ...apiLinks(`${links.api}/repos/${path}`),
    git_url: `${links.origin.replace(/^http:/, 'git:')}/${path}.git`,
    ssh_url: `git@${new URL(links.origin).hostname}:${path}.git`,
    clone_url: `${links.origin}/${path}.git`,
    svn_url: html,
    mirror_url: null,
    homepage: null,
    size: 0,
    stargazers_count: 0,
    watchers_count: 0,
    forks_count: 0,
    open_issues_count: open,
    forks: 0,
    open_issues: open,
    watchers: 0,
    language: null,
    license: null,
    has_issues: true,
    has_projects: false,
    has_downloads: false,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    archived: false,
    disabled: false,
    allow_forking: false,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repository.private ? 'private' : 'public',
    default_branch: repository.defaultBranch,
    created_at: repository.createdAt,
    updated_at: repository.updatedAt,
    pushed_at: repository.pushedAt,
    custom_properties: {},
  } satisfies RepositoryPayload;
}

/** GitHub's `full-repository`, with what the caller may do. */
export const renderFullRepository = (github: GitHub, repository: Repository, links: Links, role: Role) => ({
  ...renderRepository(github, repository, links),
  permissions: rolePermissions(role),
  network_count: 0,
  subscribers_count: 0,
});

export const rolePermissions = (role: Role) => ({
  admin: role === 'admin',
  maintain: role === 'admin',
  push: role === 'admin' || role === 'write',
  triage: role === 'admin' || role === 'write',
  pull: role !== 'none',
});

const apiLinks = (url: string) => ({
  url,
  forks_url: `${url}/forks`,
  keys_url: `${url}/keys{/key_id}`,
  collaborators_url: `${url}/collaborators{/collaborator}`,
  teams_url: `${url}/teams`,
  hooks_url: `${url}/hooks`,
  issue_events_url: `${url}/issues/events{/number}`,
  events_url: `${url}/events`,
  assignees_url: `${url}/assignees{/user}`,
  branches_url: `${url}/branches{/branch}`,
  tags_url: `${url}/tags`,
  blobs_url: `${url}/git/blobs{/sha}`,
  git_tags_url: `${url}/git/tags{/sha}`,
  git_refs_url: `${url}/git/refs{/sha}`,
  trees_url: `${url}/git/trees{/sha}`,
  statuses_url: `${url}/statuses/{sha}`,
  languages_url: `${url}/languages`,
  stargazers_url: `${url}/stargazers`,
  contributors_url: `${url}/contributors`,
  subscribers_url: `${url}/subscribers`,
  subscription_url: `${url}/subscription`,
  commits_url: `${url}/commits{/sha}`,
  git_commits_url: `${url}/git/commits{/sha}`,
  comments_url: `${url}/comments{/number}`,
  issue_comment_url: `${url}/issues/comments{/number}`,
  contents_url: `${url}/contents/{+path}`,
  compare_url: `${url}/compare/{base}...{head}`,
  merges_url: `${url}/merges`,
  archive_url: `${url}/{archive_format}{/ref}`,
  downloads_url: `${url}/downloads`,
  issues_url: `${url}/issues{/number}`,
  pulls_url: `${url}/pulls{/number}`,
  milestones_url: `${url}/milestones{/number}`,
  notifications_url: `${url}/notifications{?since,all,participating}`,
  labels_url: `${url}/labels{/name}`,
  releases_url: `${url}/releases{/id}`,
  deployments_url: `${url}/deployments`,
});
