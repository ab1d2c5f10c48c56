import type { FastifyInstance, FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ROUTES, type Route } from '#contract/routes.ts';
import type { Context } from '../context.ts';
import { admit, type Caller } from './guard.ts';
import type { Handlers } from './handler.ts';

const WEBHOOK_BYTES = 5 * 1024 * 1024;
const SIGN_IN_LIMIT = { rateLimit: { max: 30, timeWindow: '1 minute' } };

const params = z.record(z.string(), z.string().min(1).max(200));

/** Registers the contract's routes, each behind its access rule, and no other. */
export async function registerRoutes(
  app: FastifyInstance,
  context: Context,
  handlers: Handlers,
): Promise<void> {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  parseJson(app);
  for (const [name, route] of Object.entries(ROUTES) as [keyof Handlers, Route][]) {
    // The handler's type was checked against its route in the table of handlers.
    const handler = handlers[name] as (call: unknown) => Promise<unknown>;
    if (route.access !== 'signed-webhook') register(app, context, route, handler);
    else {
      await app.register(async raw => {
        keepRaw(raw);
        register(raw, context, route, handler);
      });
    }
  }
}

function register(
  app: FastifyInstance,
  context: Context,
  route: Route,
  handler: (call: unknown) => Promise<unknown>,
): void {
  const callers = new WeakMap<FastifyRequest, Caller>();
  app.route({
    method: route.method,
    url: route.path,
    schema: {
      params,
      ...(route.body && { body: route.body }),
      ...(route.query && { querystring: route.query }),
      ...(route.response && { response: { '2xx': route.response } }),
    },
    config: route.path.startsWith('/api/auth/github') ? SIGN_IN_LIMIT : {},
    // Before the body is read or checked: a stranger learns nothing from what is wrong with it.
    onRequest: async request => {
      callers.set(request, await admit(context, route, request));
    },
    handler: async (request, reply) =>
      handler({
        context,
        request,
        reply,
        params: request.params,
        body: request.body,
        query: request.query,
        ...callers.get(request),
      }),
  });
}

/** JSON bodies; an empty one is none, since clients send the content type with every call. */
function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, body as string, done);
  });
}

/** The body as it was signed. */
function keepRaw(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: WEBHOOK_BYTES }, (_request, body, done) =>
    done(null, body),
  );
}
