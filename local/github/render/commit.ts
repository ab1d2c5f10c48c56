import { fullName, type GitHub } from '../context.ts';
import type { FileChange, GitCommit, Signature } from '../git-history.ts';
import { type Links, nodeId } from '../links.ts';
import type { Repository } from '../state.ts';
import { renderAccount } from './account.ts';

/** GitHub's `commit`, without the files and counts that only a single commit's answer has. */
export function renderCommit(github: GitHub, repository: Repository, commit: GitCommit, links: Links) {
  const path = fullName(github, repository);
  const api = `${links.api}/repos/${path}`;
  const url = `${api}/commits/${commit.sha}`;
  return {
    sha: commit.sha,
    node_id: nodeId('Commit', commit.sha),
    url,
    html_url: `${links.html}/${path}/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      url: `${api}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    author: authorOf(github, commit.author, links),
    committer: authorOf(github, commit.committer, links),
    parents: commit.parents.map(sha => ({
      sha,
      url: `${api}/commits/${sha}`,
      html_url: `${links.html}/${path}/commit/${sha}`,
    })),
  };
}

function authorOf(github: GitHub, { email }: Signature, links: Links) {
  const account = github.store.state.accounts.find(each => each.email === email && each.type === 'User');
  return account ? renderAccount(account, links) : null;
}

/** GitHub's `diff-entry`, without the patch. */
export function renderChange(path: string, sha: string, change: FileChange, links: Links) {
  const file = encodeURI(change.path);
  return {
    sha: change.sha,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: `${links.html}/${path}/blob/${sha}/${file}`,
    raw_url: `${links.html}/${path}/raw/${sha}/${file}`,
    contents_url: `${links.api}/repos/${path}/contents/${file}?ref=${sha}`,
  };
}
