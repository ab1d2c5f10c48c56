import type { Connection } from 'mongoose';
import { collection, type Keyed } from './collection.ts';

/** A person who signed in. `_id` is the GitHub user id as text. */
export interface UserDoc extends Keyed {
  github_id: number;
  login: string;
  avatar_url: string;
  beta_access: boolean;
  /** Logins of the accounts that had the app installed when GitHub was last asked. */
  installations: string[];
  /** Sealed; absent once GitHub refused it. */
  github_token?: string;
  github_token_expires_at?: Date;
  github_refresh_token?: string;
  created_at: Date;
}

/** `_id` is the hash of the session token. */
export interface SessionDoc extends Keyed {
  user_id: string;
  created_at: Date;
  used_at: Date;
  expires_at: Date;
}

export const users = (connection: Connection) =>
  collection<UserDoc>(connection, 'users', {
    github_id: Number,
    login: String,
    avatar_url: String,
    beta_access: { type: Boolean, default: false },
    installations: { type: [String], default: [] },
    github_token: String,
    github_token_expires_at: Date,
    github_refresh_token: String,
    created_at: Date,
  });

export const sessions = (connection: Connection) =>
  collection<SessionDoc>(
    connection,
    'sessions',
    { user_id: String, created_at: Date, used_at: Date, expires_at: Date },
    [[{ expires_at: 1 }, { expireAfterSeconds: 0 }], [{ user_id: 1 }]],
  );
