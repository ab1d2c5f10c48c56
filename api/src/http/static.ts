import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const A_YEAR = 'public, max-age=31536000, immutable';

/** Serves the built dashboard: hashed assets for ever, and index.html, always fresh, for every page of it. */
export async function serveDashboard(app: FastifyInstance, directory: string | undefined): Promise<void> {
  if (directory) {
    const assets = join(resolve(directory), 'assets');
    await app.register(fastifyStatic, {
      root: resolve(directory),
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.startsWith(assets) ? A_YEAR : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (directory && isPage(request)) return reply.sendFile('index.html');
    return reply.code(404).send({ error: 'Not found', code: 'not_found' });
  });
}

const isPage = (request: FastifyRequest) =>
  request.method === 'GET' &&
  !request.url.startsWith('/api/') &&
  !request.url.startsWith('/assets/') &&
  (request.headers.accept ?? '').includes('text/html');
