import { z } from 'zod';
import { DEPLOYMENT_STATUSES, ENVIRONMENT_STATUSES, PHASES, STEP_STATUSES } from '#crds/vocabulary.ts';

/** Times are ISO 8601 in UTC; durations are in seconds unless the name says otherwise. */
const time = z.iso.datetime();

export const user = z.object({
  user_id: z.string(),
  username: z.string().describe('GitHub login'),
  github_id: z.int(),
  avatar_url: z.string(),
  has_beta_access: z.boolean(),
  is_admin: z.boolean(),
  has_github_app_access: z
    .boolean()
    .describe('The GitHub App is installed on at least one account that the user can reach'),
  github_app_installations: z.array(z.string()).describe('Logins of the accounts that it is installed on'),
  github_app_install_url: z.string(),
});

export const owner = z.object({
  id: z.int(),
  login: z.string(),
  avatar_url: z.string(),
  type: z.enum(['User', 'Organization']),
});
export type Owner = z.infer<typeof owner>;

/** A repository on GitHub that can be connected. */
export const repositoryOption = z.object({
  owner: z.string(),
  name: z.string(),
  full_name: z.string(),
  private: z.boolean(),
  connected_id: z.string().nullable().describe('Id in Greenroom when it is connected already'),
});
export type RepositoryOption = z.infer<typeof repositoryOption>;

/** A connected repository. */
export const repository = z.object({
  id: z.string(),
  name: z.string(),
  full_name: z.string(),
  private: z.boolean(),
  owner,
  html_url: z.string(),
  clone_url: z.string(),
  default_branch: z.string(),
  composeFilePath: z.string().nullable(),
  hasPrimaryService: z.boolean(),
  webhookConfigured: z.boolean(),
  activeEnvironmentsCount: z.int(),
  lastUpdated: time,
});
export type Repository = z.infer<typeof repository>;

/** A service of the repository's compose file with its settings. */
export const service = z.object({
  serviceName: z.string(),
  ports: z.array(z.int()).describe('Container ports'),
  isPublic: z.boolean(),
  isPrimary: z.boolean(),
  isDisabled: z.boolean(),
  serviceMemoryLimit: z.string(),
  serviceCPULimit: z.string(),
  buildMemoryLimit: z.string(),
  buildCPULimit: z.string(),
});
export type Service = z.infer<typeof service>;

export const environment = z.object({
  id: z.string().describe('UID of the PreviewEnvironment'),
  name: z.string().describe('Name of the PreviewEnvironment'),
  repository_id: z.string(),
  repository_full_name: z.string(),
  environment_type: z.enum(['pull_request', 'branch']),
  pull_request_number: z.int().nullable(),
  pull_request_title: z.string().nullable(),
  pull_request_author: z.string().nullable(),
  pull_request_url: z.string().nullable(),
  branch_name: z.string(),
  namespace: z.string().nullable(),
  status: z.enum(ENVIRONMENT_STATUSES),
  status_message: z.string(),
  preview_url: z.string().nullable(),
  last_commit_sha: z.string().nullable(),
  deployment_count: z.int(),
  last_deployment_id: z.string().nullable(),
  last_deployment_duration_seconds: z.number().nullable(),
  created_at: time,
  last_updated_at: time,
  expires_at: time.nullable(),
});
export type Environment = z.infer<typeof environment>;

export const deploymentStep = z.object({
  phase: z.enum(PHASES),
  step_name: z.string(),
  status: z.enum(STEP_STATUSES),
  started_at: time.nullable(),
  completed_at: time.nullable(),
  failed_at: time.nullable(),
  failed_reason: z.string().nullable(),
  reason: z.string().nullable().describe('Machine-readable, such as Cached'),
  message: z.string().nullable(),
});
export type DeploymentStep = z.infer<typeof deploymentStep>;

export const deployment = z.object({
  id: z.string().describe('UID of the Deployment'),
  name: z.string(),
  repository_id: z.string(),
  environment_id: z.string(),
  commit_sha: z.string(),
  status: z.enum(DEPLOYMENT_STATUSES),
  message: z.string(),
  failure_reason: z.string().nullable(),
  external_url: z.string().nullable(),
  steps: z.array(deploymentStep).describe('In the order in which they appeared'),
  created_at: time,
  started_at: time.nullable().describe('When it left the queue'),
  ready_at: time.nullable().describe('When its URL answered'),
  ended_at: time.nullable().describe('When it failed, was canceled or was replaced'),
});
export type Deployment = z.infer<typeof deployment>;

export const deploymentEvent = z.object({
  id: z.string(),
  type: z.string().describe('Type of the event catalogue'),
  message: z.string(),
  data: z.record(z.string(), z.unknown()),
  timestamp: time,
});
export type DeploymentEvent = z.infer<typeof deploymentEvent>;

/** What GET /api/live streams, one JSON document per server-sent event. */
export const liveMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('environment'), environment }),
  z.object({ kind: z.literal('deployment'), deployment }),
  z.object({ kind: z.literal('deployment-event'), deployment_id: z.string(), event: deploymentEvent }),
]);
export type LiveMessage = z.infer<typeof liveMessage>;

/** Body of every answer that is not 2xx. */
export const problem = z.object({
  error: z.string().describe('What went wrong and what to do, for people'),
  code: z.string().optional().describe('Machine-readable'),
  requires_reauth: z.boolean().optional(),
  auth_url: z.string().optional(),
});
export type Problem = z.infer<typeof problem>;
