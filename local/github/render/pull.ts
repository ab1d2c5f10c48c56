import type { AuthorAssociation, Issue, PullRequest } from '@octokit/webhooks-types';
import { roleOf } from '../access.ts';
import { accountById, fullName, type GitHub, gitDirectory } from '../context.ts';
import { countCommits, mergeBase, readChanges, totals } from '../git-history.ts';
import { type Links, nodeId } from '../links.ts';
import type { Account, Label, Pull, Repository } from '../state.ts';
import { renderAccount } from './account.ts';
import { renderRepository } from './repository.ts';

export function associationOf(github: GitHub, account: Account, repository: Repository): AuthorAssociation {
  const owner = accountById(github, repository.ownerId);
  if (owner.id === account.id) return 'OWNER';
  if (owner.members[account.login]) return 'MEMBER';
  if (repository.collaborators[account.login]) return 'COLLABORATOR';
  return roleOf(github, account, repository) === 'none' ? 'NONE' : 'CONTRIBUTOR';
}

export const renderLabel = (label: Label, links: Links, path: string) => ({
  id: label.id,
  node_id: nodeId('Label', label.id),
  url: `${links.api}/repos/${path}/labels/${encodeURIComponent(label.name)}`,
  name: label.name,
  color: label.color,
  default: false,
  description: null,
});

/** GitHub's `pull-request-simple`, as lists show it. */
export function renderPullSummary(github: GitHub, repository: Repository, pull: Pull, links: Links) {
  const path = fullName(github, repository);
  const api = `${links.api}/repos/${path}`;
  const url = `${api}/pulls/${pull.number}`;
  const issue = `${api}/issues/${pull.number}`;
  const html = `${links.html}/${path}/pull/${pull.number}`;
  const urls = {
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${api}/pulls/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: `${api}/statuses/${pull.headSha}`,
  };
  const author = accountById(github, pull.authorId);
  return {
    url,
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    ...urls,
    number: pull.number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: renderAccount(author, links),
    body: pull.body,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: pull.labels.map(label => renderLabel(label, links, path)),
    milestone: null,
    draft: pull.draft,
    head: renderSide(github, repository, pull.headRef, pull.headSha, links),
    base: renderSide(github, repository, pull.baseRef, pull.baseSha, links),
    _links: {
      self: { href: url },
      html: { href: html },
      issue: { href: issue },
      comments: { href: urls.comments_url },
      review_comments: { href: urls.review_comments_url },
      review_comment: { href: urls.review_comment_url },
      commits: { href: urls.commits_url },
      statuses: { href: urls.statuses_url },
    },
    author_association: associationOf(github, author, repository),
    auto_merge: null,
    active_lock_reason: null,
  };
}

function renderSide(github: GitHub, repository: Repository, ref: string, sha: string, links: Links) {
  const owner = accountById(github, repository.ownerId);
  return {
    label: `${owner.login}:${ref}`,
    ref,
    sha,
    user: renderAccount(owner, links),
    repo: renderRepository(github, repository, links),
  };
}

/** GitHub's `pull-request`, with counts read from git. Whether it merges is told by merging. */
export async function renderPull(github: GitHub, repository: Repository, pull: Pull, links: Links) {
  const directory = gitDirectory(github, repository);
  const from = (await mergeBase(directory, pull.baseSha, pull.headSha)) ?? pull.baseSha;
  const changes = await readChanges(directory, from, pull.headSha);
  const { additions, deletions } = totals(changes);
  const merger = pull.mergedById === null ? null : accountById(github, pull.mergedById);
  return {
    ...renderPullSummary(github, repository, pull, links),
    merged: pull.mergedAt !== null,
    mergeable: null,
    rebaseable: null,
    mergeable_state: 'unknown',
    merged_by: merger && renderAccount(merger, links),
    comments: commentCount(github, pull),
    review_comments: 0,
    maintainer_can_modify: false,
    commits: await countCommits(directory, `${from}..${pull.headSha}`),
    additions,
    deletions,
    changed_files: changes.length,
  } satisfies PullRequest;
}

const commentCount = (github: GitHub, pull: Pull): number =>
  github.store.state.comments.filter(
    each => each.repositoryId === pull.repositoryId && each.number === pull.number,
  ).length;

export const noReactions = (url: string) => ({
  url: `${url}/reactions`,
  total_count: 0,
  '+1': 0,
  '-1': 0,
  laugh: 0,
  hooray: 0,
  confused: 0,
  heart: 0,
  rocket: 0,
  eyes: 0,
});

/** A pull request as the issue it also is. */
export function renderIssue(github: GitHub, repository: Repository, pull: Pull, links: Links) {
  const summary = renderPullSummary(github, repository, pull, links);
  const url = summary.issue_url;
  return {
    id: pull.id,
    node_id: summary.node_id,
    url,
    repository_url: `${links.api}/repos/${fullName(github, repository)}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: summary.comments_url,
    events_url: `${url}/events`,
    html_url: summary.html_url,
    number: pull.number,
    title: pull.title,
    user: summary.user,
    labels: summary.labels,
    state: pull.state,
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: commentCount(github, pull),
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
    author_association: summary.author_association,
    active_lock_reason: null,
    draft: pull.draft,
    pull_request: {
      url: summary.url,
      html_url: summary.html_url,
      diff_url: summary.diff_url,
      patch_url: summary.patch_url,
      merged_at: pull.mergedAt,
    },
    body: pull.body,
    reactions: noReactions(url),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
    state_reason: null,
  } satisfies Issue;
}
