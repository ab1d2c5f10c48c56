import { createServer } from 'node:http';
import { createClient } from 'redis';
import { products } from './products.js';

const port = Number(process.env.PORT ?? 4000);
const price = new Intl.NumberFormat('en', { style: 'currency', currency: process.env.CURRENCY ?? 'EUR' });

const database = createClient({
  url: process.env.REDIS_URL ?? 'redis://localhost:6379',
  disableOfflineQueue: true,
});
// The client reconnects by itself; until then the visits go uncounted and /healthz says so.
database.on('error', error => console.error('redis:', error.message));
database.connect();

const routes = {
  'GET /healthz': async () => ({ ok: (await database.ping()) === 'PONG' }),
  'GET /products': () => ({ products: products.map(each => ({ ...each, price: price.format(each.price) })) }),
  'POST /visits': async () => ({ visits: await database.incr('visits') }),
};

const server = createServer(async (request, response) => {
  const route = routes[`${request.method} ${request.url}`];
  const [status, body] = route ? await answer(route) : [404, { error: 'not found' }];
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
});

async function answer(route) {
  try {
    return [200, await route()];
  } catch (error) {
    console.error(error.message);
    return [503, { error: 'the database does not answer' }];
  }
}

server.listen(port, () => console.log(`api listens on ${port}`));

process.once('SIGTERM', () => {
  console.log('stopping when the last request is answered');
  server.close(async () => {
    await database.close().catch(() => {});
    process.exit(0);
  });
  server.closeIdleConnections();
});
