import type { Connection } from 'mongoose';
import { collection, type Keyed } from './collection.ts';

/**
 * What is known of a pull request: the newest state that GitHub told, and Greenroom's comment on it.
 * `_id` is `<repository id>#<number>`.
 */
export interface PullRequestDoc extends Keyed {
  repository_id: string;
  number: number;
  /** GitHub's `updated_at` of the newest delivery that was acted on. */
  github_updated_at: Date | null;
  comment_id: number | null;
  /** Raised whenever the comment should be looked at; `comment_written` is what it was when last written. */
  comment_wanted: number;
  comment_written: number;
  comment_hash: string;
  comment_due_at: Date;
  comment_lease_until: Date;
  comment_attempts: number;
}

export const pullRequestId = (repositoryId: string, number: number) => `${repositoryId}#${number}`;

/** Fields of a pull request that is seen for the first time. */
export const newPullRequest = {
  github_updated_at: null,
  comment_id: null,
  comment_wanted: 0,
  comment_written: 0,
  comment_hash: '',
  comment_due_at: new Date(0),
  comment_lease_until: new Date(0),
  comment_attempts: 0,
};

export const pullRequests = (connection: Connection) =>
  collection<PullRequestDoc>(
    connection,
    'pullrequests',
    {
      repository_id: String,
      number: Number,
      github_updated_at: Date,
      comment_id: Number,
      comment_wanted: Number,
      comment_written: Number,
      comment_hash: String,
      comment_due_at: Date,
      comment_lease_until: Date,
      comment_attempts: Number,
    },
    [[{ comment_due_at: 1 }]],
  );
