import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIP } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { readAppKey } from './app-token.ts';
import { appRoutes } from './apps.ts';
import { commentRoutes } from './comments.ts';
import { commitRoutes } from './commits.ts';
import { configSchema, type GitHubConfigInput } from './config.ts';
import { contentRoutes } from './contents.ts';
import type { GitHub } from './context.ts';
import { createSender } from './deliveries.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { deploymentRoutes } from './deployments.ts';
import { ApiError, notFound } from './errors.ts';
import { gitRoutes } from './git-http.ts';
import { hookRoutes } from './hooks.ts';
import { installPageRoutes } from './install-page.ts';
import { labelRoutes } from './labels.ts';
import { oauthRoutes } from './oauth.ts';
import { tokenRoutes } from './oauth-token.ts';
import { pullRoutes } from './pulls.ts';
import { createRateLimit } from './rate-limit.ts';
import { refRoutes } from './refs.ts';
import { repositoryRoutes } from './repositories.ts';
import { seed } from './seed.ts';
import { statusRoutes } from './statuses.ts';
import { openStore } from './store.ts';
import { pageRoutes } from './ui.ts';
import { userRoutes } from './users.ts';

export interface RunningGitHub {
  /** Browser-facing base address, without a trailing slash; the API is at `/api/v3` below it. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts the stand-in and resolves when it answers on every address. Rejects where one cannot be had. */
export async function startGitHub(input: GitHubConfigInput): Promise<RunningGitHub> {
  const config = configSchema.parse(input);
  const store = await openStore(config.dataDir);
  const github: GitHub = {
    config,
    publicUrl: config.publicUrl?.replace(/\/+$/, '') ?? '',
    appKey: await readAppKey(config.app.keyFile),
    store,
    sender: await createSender(store, config.dataDir),
  };
  const seeded = Promise.withResolvers<void>();
  const app = build(github, seeded.promise);
  await app.ready();
  const servers = await listenOnAll(app, config.listen, config.port);
  github.publicUrl ||= `http://${config.listen[0]}:${portOf(servers[0])}`;
  // Seeding may send a webhook whose links need the port, so it comes after listening; calls wait for it.
  await seed(github);
  seeded.resolve();
  return {
    url: github.publicUrl,
    async close() {
      await Promise.all(servers.map(closeServer));
      await app.close();
      await github.sender.close();
      await store.flush();
    },
  };
}

function build(github: GitHub, seeded: Promise<void>): FastifyInstance {
  const app = Fastify({
    logger: { level: process.env.LOG_LEVEL ?? 'warn' },
    genReqId: () => randomUUID(),
    bodyLimit: 26_214_400,
    routerOptions: { maxParamLength: 512 },
  });
  acceptBodies(app);
  app.addHook('onRequest', () => seeded);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(notFound().body));
  // What has been answered has been stored.
  app.addHook('onSend', () => github.store.flush());

  app.register(async pages => {
    pages.addHook('onRequest', async (request, reply) => {
      assertLocal(request);
      reply.type('text/html; charset=utf-8');
    });
    pageRoutes(pages, github);
    oauthRoutes(pages, github);
    installPageRoutes(pages, github);
  });
  tokenRoutes(app, github);
  app.register(async packs => gitRoutes(packs, github));
  app.register(async api => apiRoutes(api, github), { prefix: '/api/v3' });
  return app;
}

function apiRoutes(api: FastifyInstance, github: GitHub): void {
  const countCall = createRateLimit(github.config.rateLimit);
  api.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-github-request-id': request.id, 'x-github-media-type': 'github.v3; format=json' });
    countCall(request, reply);
  });
  api.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const tag = `W/"${createHash('sha256').update(payload).digest('hex')}"`;
    reply.header('etag', tag);
    if (request.headers['if-none-match'] !== tag) return payload;
    reply.code(304);
    return '';
  });
  const routes = [
    userRoutes,
    appRoutes,
    repositoryRoutes,
    refRoutes,
    commitRoutes,
    contentRoutes,
    pullRoutes,
    commentRoutes,
    labelRoutes,
    statusRoutes,
    deploymentRoutes,
    hookRoutes,
    deliveryRoutes,
  ];
  for (const add of routes) add(api, github);
}

/** Pages act for whoever sits at the machine, so code that runs in a pod gets none of them. */
function assertLocal(request: FastifyRequest): void {
  const address = request.socket.localAddress ?? '';
  if (address === '::1' || address.replace(/^::ffff:/, '').startsWith('127.')) return;
  throw new ApiError(403, "The stand-in's pages are for this machine: use its loopback address.");
}

/** JSON and forms; an empty body is an empty object, since Octokit sends none where there are no parameters. */
function acceptBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? {} : JSON.parse(String(body)));
    } catch {
      done(new ApiError(400, 'Problems parsing JSON'));
    }
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

const answerError: Parameters<FastifyInstance['setErrorHandler']>[0] = (error, request, reply) => {
  if (error instanceof ApiError) {
    const isGit = error.status === 401 && !request.url.startsWith('/api/');
    if (isGit) reply.header('www-authenticate', 'Basic realm="GitHub"');
    return reply.code(error.status).type('application/json; charset=utf-8').send(error.body);
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 500) request.log.error(error);
  const message = status < 500 && error instanceof Error ? error.message : 'Server Error';
  return reply.code(status).type('application/json; charset=utf-8').send(new ApiError(status, message).body);
};

/** The first address fixes the port where 0 was asked for; the others share it. */
async function listenOnAll(app: FastifyInstance, addresses: string[], port: number): Promise<Server[]> {
  const servers: Server[] = [];
  try {
    for (const address of addresses) {
      if (!isIP(address)) throw new Error(`listen must hold IP addresses, not "${address}"`);
      const server = createServer(app.routing);
      // A push may take longer than Node's default for one request.
      server.requestTimeout = 0;
      await listen(server, address, port || portOf(servers[0]));
      servers.push(server);
    }
  } catch (error) {
    await Promise.all(servers.map(closeServer));
    throw error;
  }
  return servers;
}

const portOf = (server: Server | undefined): number =>
  (server?.address() as AddressInfo | undefined)?.port ?? 0;

const listen = (server: Server, host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });

const closeServer = (server: Server) =>
  new Promise<void>(resolve => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
