import type { Connection } from 'mongoose';
import type { Owner, Service } from '#contract/entities.ts';
import { collection, type Keyed } from './collection.ts';

/** A connected repository. `_id` is GitHub's repository id as text, so that it survives a rename. */
export interface RepositoryDoc extends Keyed {
  name: string;
  full_name: string;
  private: boolean;
  owner: Owner;
  html_url: string;
  /** Git URL as this process reaches GitHub. */
  clone_url: string;
  default_branch: string;
  compose_file: string | null;
  services: Service[];
  environment_prefix: string;
  max_duration_minutes: number;
  webhook_id: number | null;
  /** Users who connected it; GitHub confirmed their access then. */
  user_ids: string[];
  updated_at: Date;
}

const ANY = { type: Object, default: undefined };

export const repositories = (connection: Connection) =>
  collection<RepositoryDoc>(
    connection,
    'repositories',
    {
      name: String,
      full_name: String,
      private: Boolean,
      owner: ANY,
      html_url: String,
      clone_url: String,
      default_branch: String,
      compose_file: String,
      services: { type: [Object], default: [] },
      environment_prefix: String,
      max_duration_minutes: Number,
      webhook_id: Number,
      user_ids: { type: [String], default: [] },
      updated_at: Date,
    },
    [[{ user_ids: 1, full_name: 1 }], [{ full_name: 1 }]],
  );
