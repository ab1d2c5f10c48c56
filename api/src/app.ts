import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Context } from './context.ts';
import { ReauthRequired, toProblem } from './http/errors.ts';
import { addSecurityHeaders } from './http/headers.ts';
import { registerRoutes } from './http/register.ts';
import { serveDashboard } from './http/static.ts';
import { beginSignIn } from './routes/auth.ts';
import { handlers } from './routes/handlers.ts';

/** The HTTP server, ready to listen or to be injected into. */
export async function buildApp(context: Context): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    // An ingress in front is believed about the client's address, the public is not.
    trustProxy: ['loopback', 'linklocal', 'uniquelocal'],
    forceCloseConnections: true,
    exposeHeadRoutes: false,
  });
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = toProblem(error);
    if (status >= 500) request.log.error({ err: error }, 'request failed');
    if (!(error instanceof ReauthRequired)) return reply.code(status).send(body);
    return reply.code(status).send({ ...body, requires_reauth: true, auth_url: beginSignIn(context, reply) });
  });
  addSecurityHeaders(app, context.config);
  await app.register(rateLimit, { global: false });
  await registerRoutes(app, context, handlers);
  await serveDashboard(app, context.config.DASHBOARD_DIR);
  app.addHook('preClose', async () => context.live.stop());
  return app;
}
