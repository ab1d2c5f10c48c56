import type { Handlers } from '../http/handler.ts';
import { auth } from './auth.ts';
import { deployments } from './deployments.ts';
import { environments } from './environments.ts';
import { health } from './health.ts';
import { live } from './live.ts';
import { repositories } from './repositories.ts';
import { services } from './services.ts';
import { user } from './user.ts';
import { webhooks } from './webhooks.ts';

/** The handler of every route of the contract. */
export const handlers: Handlers = {
  ...auth,
  ...user,
  ...repositories,
  ...services,
  ...environments,
  ...deployments,
  ...live,
  ...webhooks,
  ...health,
};
