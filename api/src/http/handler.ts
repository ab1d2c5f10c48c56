import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ROUTES, Route } from '#contract/routes.ts';
import type { Context } from '../context.ts';
import type { RepositoryDoc } from '../store/repositories.ts';
import type { UserDoc } from '../store/users.ts';
import type { DeploymentDoc, EnvironmentDoc } from '../store/views.ts';

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Parameters<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

type Owned<P extends string> = { repository: RepositoryDoc } & (P extends `/api/environments/:id${string}`
  ? { environment: EnvironmentDoc }
  : P extends `/api/deployments/:id${string}`
    ? { deployment: DeploymentDoc }
    : unknown);

/** What a handler gets: the checked request, and who calls as far as the route's access rule tells. */
type Call<R extends Route> = {
  context: Context;
  request: FastifyRequest;
  reply: FastifyReply;
  params: Record<Parameters<R['path']>, string>;
  body: R extends { body: infer S } ? Output<S> : undefined;
  query: R extends { query: infer S } ? Output<S> : undefined;
} & (R['access'] extends 'anonymous' | 'signed-webhook' ? unknown : { user: UserDoc; sessionId: string }) &
  (R['access'] extends 'owner' ? Owned<R['path']> : unknown);

type Handler<R extends Route> = (
  call: Call<R>,
) => Promise<R extends { response: infer S } ? Output<S> : unknown>;

/** One handler per route of the contract: a forgotten one does not compile. */
export type Handlers = { [K in keyof typeof ROUTES]: Handler<(typeof ROUTES)[K]> };
