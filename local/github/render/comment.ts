import type { IssueComment } from '@octokit/webhooks-types';
import { accountById, botLogin, fullName, type GitHub } from '../context.ts';
import { type Links, nodeId } from '../links.ts';
import type { Comment, Repository } from '../state.ts';
import { renderAccount } from './account.ts';
import { associationOf, noReactions } from './pull.ts';

export function renderComment(github: GitHub, repository: Repository, comment: Comment, links: Links) {
  const path = fullName(github, repository);
  const url = `${links.api}/repos/${path}/issues/comments/${comment.id}`;
  const author = accountById(github, comment.authorId);
  const isBot = author.login === botLogin(github);
  return {
    url,
    html_url: `${links.html}/${path}/pull/${comment.number}#issuecomment-${comment.id}`,
    issue_url: `${links.api}/repos/${path}/issues/${comment.number}`,
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    user: renderAccount(author, links),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: isBot ? 'NONE' : associationOf(github, author, repository),
    body: comment.body,
    reactions: noReactions(url),
    performed_via_github_app: null,
  } satisfies IssueComment;
}
