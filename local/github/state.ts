/** Everything the stand-in remembers besides git objects. Times are ISO 8601 strings to the second. */
export interface State {
  nextId: number;
  accounts: Account[];
  repositories: Repository[];
  installations: Installation[];
  pulls: Pull[];
  comments: Comment[];
  hooks: Hook[];
  deliveries: Delivery[];
  tokens: Token[];
  codes: Code[];
  statuses: Status[];
  deployments: Deployment[];
}

export type Level = 'read' | 'write';
export type Role = 'none' | 'read' | 'write' | 'admin';
export type Permissions = Record<string, Level>;

export interface Account {
  id: number;
  login: string;
  name: string;
  email: string;
  type: 'User' | 'Organization';
  siteAdmin: boolean;
  /** Of an organization: its members' logins and roles. */
  members: Record<string, 'admin' | 'member'>;
  createdAt: string;
}

export interface Repository {
  id: number;
  ownerId: number;
  name: string;
  description: string | null;
  private: boolean;
  defaultBranch: string;
  collaborators: Record<string, Exclude<Role, 'none'>>;
  /** The number of the next pull request. */
  nextNumber: number;
  createdAt: string;
  updatedAt: string;
  pushedAt: string;
}

export interface Installation {
  id: number;
  accountId: number;
  /** Null is all repositories of the account, those to come included. */
  repositoryIds: number[] | null;
  createdAt: string;
}

export interface Pull {
  id: number;
  repositoryId: number;
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  draft: boolean;
  authorId: number;
  headRef: string;
  headSha: string;
  baseRef: string;
  baseSha: string;
  labels: Label[];
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  mergedAt: string | null;
  mergedById: number | null;
  mergeCommitSha: string | null;
}

export interface Label {
  id: number;
  name: string;
  color: string;
}

export interface Comment {
  id: number;
  repositoryId: number;
  number: number;
  authorId: number;
  body: string;
  createdAt: string;
  updatedAt: string;
}

export interface Hook {
  id: number;
  repositoryId: number;
  url: string;
  secret: string | null;
  contentType: 'json' | 'form';
  insecureSsl: '0' | '1';
  events: string[];
  active: boolean;
  /** The base address its maker reached us by; links in its payloads start with it. */
  origin: string;
  createdAt: string;
  updatedAt: string;
}

/** A delivery's summary; its request and response are in a file of their own. */
export interface Delivery {
  id: number;
  /** 0 for the app's own webhook. */
  hookId: number;
  repositoryId: number | null;
  installationId: number | null;
  guid: string;
  event: string;
  action: string | null;
  deliveredAt: string;
  redelivery: boolean;
  /** Seconds. */
  duration: number;
  status: string;
  statusCode: number;
}

export interface Token {
  hash: string;
  kind: 'personal' | 'app-user' | 'installation';
  /** The user's id, or the installation's. */
  subjectId: number;
  expiresAt: string | null;
  /** Of an installation token that asked for less than the installation has. */
  repositoryIds: number[] | null;
  permissions: Permissions | null;
}

export interface Code {
  hash: string;
  userId: number;
  redirectUri: string;
  challenge: string | null;
  expiresAt: string;
}

export interface Status {
  id: number;
  repositoryId: number;
  sha: string;
  state: 'error' | 'failure' | 'pending' | 'success';
  context: string;
  description: string | null;
  targetUrl: string | null;
  creatorId: number;
  createdAt: string;
}

export interface Deployment {
  id: number;
  repositoryId: number;
  ref: string;
  sha: string;
  task: string;
  environment: string;
  description: string | null;
  payload: Record<string, unknown> | string;
  transient: boolean;
  creatorId: number;
  createdAt: string;
  statuses: DeploymentStatus[];
}

export interface DeploymentStatus {
  id: number;
  state: string;
  description: string;
  environment: string;
  environmentUrl: string;
  logUrl: string;
  creatorId: number;
  createdAt: string;
}

export const emptyState = (): State => ({
  nextId: 1001,
  accounts: [],
  repositories: [],
  installations: [],
  pulls: [],
  comments: [],
  hooks: [],
  deliveries: [],
  tokens: [],
  codes: [],
  statuses: [],
  deployments: [],
});

/** The present, in the form GitHub writes times. */
export const now = (): string => toTime(new Date());
export const toTime = (date: Date): string => date.toISOString().replace(/\.\d{3}Z$/, 'Z');
