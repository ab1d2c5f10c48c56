import { z } from 'zod';
import {
  deployment,
  deploymentEvent,
  environment,
  owner,
  repository,
  repositoryOption,
  service,
  user,
} from './entities.ts';

/**
 * Who may call a route. `anonymous`; `signed-in`; `user`: signed in with beta access, or admin; `owner`: a `user` who has
 * access to the repository that the path names (everyone else gets 404); `signed-webhook`: GitHub's signature.
 */
export type Access = 'anonymous' | 'signed-in' | 'user' | 'owner' | 'signed-webhook';

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with `:name` parameters. */
  path: string;
  access: Access;
  body?: z.ZodType;
  query?: z.ZodType;
  /** Body of the 2xx answer; absent where there is none or it is no JSON (redirects, event streams). */
  response?: z.ZodType;
}

/** What the query parameter `error` of /login can be. */
export const SIGN_IN_ERRORS = [
  'access_denied',
  'invalid_state',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'token_exchange_failed',
  'user_info_failed',
  'database_error',
  'session_creation_failed',
] as const;
export type SignInError = (typeof SIGN_IN_ERRORS)[number];

const done = z.object({ message: z.string() });

/** Every route that the API serves: the server registers them from here and the dashboard takes its types from here. */
export const ROUTES = {
  startSignIn: {
    method: 'GET',
    path: '/api/auth/github',
    access: 'anonymous',
    response: z.object({ auth_url: z.string() }),
  },
  /** Redirects to /login?token=…, or to /login?error=…: see SIGN_IN_ERRORS. The page takes either out of its address at once. */
  finishSignIn: { method: 'GET', path: '/api/auth/github/callback', access: 'anonymous' },
  signOut: { method: 'POST', path: '/api/auth/logout', access: 'signed-in', response: done },
  getUser: { method: 'GET', path: '/api/user', access: 'signed-in', response: user },

  listOwners: { method: 'GET', path: '/api/owners', access: 'user', response: z.array(owner) },
  listOwnerRepositories: {
    method: 'GET',
    path: '/api/repositories/owner/:owner',
    access: 'user',
    response: z.array(repositoryOption),
  },
  listRepositories: {
    method: 'GET',
    path: '/api/repositories',
    access: 'user',
    response: z.array(repository),
  },
  connectRepository: {
    method: 'POST',
    path: '/api/repositories',
    access: 'user',
    body: z.object({ owner: z.string().min(1).max(100), repo: z.string().min(1).max(100) }),
    response: repository,
  },
  getRepository: { method: 'GET', path: '/api/repositories/:id', access: 'owner', response: repository },
  forgetRepository: { method: 'DELETE', path: '/api/repositories/:id', access: 'owner', response: done },
  listComposeFiles: {
    method: 'GET',
    path: '/api/repositories/:id/compose-files',
    access: 'owner',
    response: z.object({ composeFiles: z.array(z.object({ name: z.string(), path: z.string() })) }),
  },
  listComposeServices: {
    method: 'GET',
    path: '/api/repositories/:id/compose-services',
    access: 'owner',
    query: z.object({ path: z.string().min(1).max(1024) }),
    response: z.object({ services: z.array(z.object({ name: z.string(), ports: z.array(z.int()) })) }),
  },
  setComposePath: {
    method: 'PUT',
    path: '/api/repositories/:id/compose-path',
    access: 'owner',
    body: z.object({ path: z.string().min(1).max(1024) }),
    response: repository,
  },
  listServices: {
    method: 'GET',
    path: '/api/repositories/:id/services',
    access: 'owner',
    response: z.array(service),
  },
  updateService: {
    method: 'PUT',
    path: '/api/repositories/:id/services/:serviceName',
    access: 'owner',
    body: service.omit({ serviceName: true, ports: true }).partial(),
    response: service,
  },
  setupWebhook: {
    method: 'POST',
    path: '/api/webhooks/setup',
    access: 'user',
    body: z.object({ owner: z.string().min(1).max(100), repo: z.string().min(1).max(100) }),
    response: z.object({ message: z.string(), webhook_id: z.int() }),
  },

  listRepositoryEnvironments: {
    method: 'GET',
    path: '/api/repositories/:id/preview-environments',
    access: 'owner',
    response: z.array(environment),
  },
  listEnvironments: {
    method: 'GET',
    path: '/api/environments',
    access: 'user',
    query: z.object({ active: z.enum(['true', 'false']).optional() }),
    response: z.object({ environments: z.array(environment) }),
  },
  getEnvironment: { method: 'GET', path: '/api/environments/:id', access: 'owner', response: environment },
  listDeployments: {
    method: 'GET',
    path: '/api/environments/:id/deployments',
    access: 'owner',
    query: z.object({
      page: z.coerce.number().int().min(1).default(1),
      limit: z.coerce.number().int().min(1).max(100).default(8),
    }),
    response: z.object({
      data: z.array(deployment),
      pagination: z.object({ page: z.int(), total: z.int(), total_pages: z.int() }),
    }),
  },
  cancelDeployment: {
    method: 'POST',
    path: '/api/environments/:id/cancel-deployment',
    access: 'owner',
    response: done,
  },
  getDeployment: { method: 'GET', path: '/api/deployments/:id', access: 'owner', response: deployment },
  listDeploymentEvents: {
    method: 'GET',
    path: '/api/deployments/:id/events',
    access: 'owner',
    response: z.array(deploymentEvent),
  },
  live: { method: 'GET', path: '/api/live', access: 'user' },

  receiveWebhook: { method: 'POST', path: '/api/webhooks/github', access: 'signed-webhook' },
  health: { method: 'GET', path: '/healthz', access: 'anonymous' },
  readiness: { method: 'GET', path: '/readyz', access: 'anonymous' },
} as const satisfies Record<string, Route>;
