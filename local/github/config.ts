import { z } from 'zod';

const level = z.enum(['read', 'write']);

const userSchema = z.strictObject({
  login: z.string().min(1),
  name: z.string().min(1).optional(),
  email: z.email().optional(),
  /** A personal access token; also the password of `git push`. */
  token: z.string().min(8),
  /** Shown as GitHub's `site_admin`; gives no access by itself, as on GitHub. */
  admin: z.boolean().default(false),
});

const organizationSchema = z.strictObject({
  login: z.string().min(1),
  name: z.string().min(1).optional(),
  members: z.record(z.string(), z.enum(['admin', 'member'])).default({}),
});

const repositorySchema = z.strictObject({
  owner: z.string().min(1),
  name: z.string().regex(/^[\w.-]+$/),
  description: z.string().optional(),
  private: z.boolean().default(false),
  collaborators: z.record(z.string(), z.enum(['read', 'write', 'admin'])).default({}),
  /** A directory whose files become the first commit on `main` of a repository that has none. */
  seedFrom: z.string().optional(),
});

const appSchema = z.strictObject({
  id: z.int().positive(),
  slug: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string().optional(),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** Path of the PEM that verifies the app's JWTs; a private key will do, its public half is used. */
  keyFile: z.string(),
  callbackUrls: z.array(z.url()).min(1),
  /** Where a person lands after installing the app; without it a page says that it is installed. */
  setupUrl: z.url().optional(),
  /** The app's own webhook, as in a GitHub App's settings; without it only repository hooks are sent. */
  webhookUrl: z.url().optional(),
  webhookSecret: z.string().optional(),
  permissions: z.record(z.string(), level).default({
    contents: 'read',
    deployments: 'write',
    issues: 'write',
    metadata: 'read',
    pull_requests: 'write',
    repository_hooks: 'write',
    statuses: 'write',
  }),
  events: z.array(z.string()).default(['push', 'pull_request', 'issue_comment']),
});

/** The configuration of the GitHub stand-in: a JSON file for `main.ts`, an object for tests. */
export const configSchema = z.strictObject({
  /** 0 picks a free port. */
  port: z.int().min(0).max(65535),
  /** Addresses to listen on: loopback, and a bridge gateway where pods call it. */
  listen: z.array(z.string()).min(1).default(['127.0.0.1']),
  /** What browsers use and `html_url` shows; by default the first address and port. */
  publicUrl: z.url().optional(),
  dataDir: z.string().min(1),
  app: appSchema,
  users: z.array(userSchema).min(1),
  organizations: z.array(organizationSchema).default([]),
  repositories: z.array(repositorySchema).default([]),
  /** Accounts that have the app installed from the start, on all repositories or on those named. */
  installations: z
    .array(z.strictObject({ account: z.string(), repositories: z.array(z.string()).optional() }))
    .default([]),
  /** Calls per hour and caller before 403, as GitHub's primary rate limit. */
  rateLimit: z.int().positive().default(15_000),
});

export type GitHubConfig = z.infer<typeof configSchema>;
export type GitHubConfigInput = z.input<typeof configSchema>;
export type RepositorySeed = z.input<typeof repositorySchema>;
