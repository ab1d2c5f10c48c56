import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { renderPage } from './page.js';

const port = Number(process.env.PORT ?? 3000);
const apiUrl = process.env.API_URL ?? 'http://localhost:4000';
const name = process.env.SHOP_NAME ?? 'Corner Shop';
const version = readFileSync(new URL('version.txt', import.meta.url), 'utf8').trim();

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://shop');
  if (pathname === '/healthz') return response.end('ok');
  if (pathname !== '/') return response.writeHead(404).end('not found');
  const stock = await askApi();
  response.writeHead(stock ? 200 : 503, { 'content-type': 'text/html; charset=utf-8' });
  response.end(renderPage({ name, version, stock }));
});

/** What the API has to say, or undefined where it does not answer. */
async function askApi() {
  const signal = AbortSignal.timeout(5000);
  try {
    const [products, visits] = await Promise.all([
      fetch(`${apiUrl}/products`, { signal }),
      fetch(`${apiUrl}/visits`, { method: 'POST', signal }),
    ]);
    return { ...(await products.json()), ...(await visits.json()) };
  } catch (error) {
    console.error('the API did not answer:', error);
    return undefined;
  }
}

server.listen(port, () => console.log(`web ${version} listens on ${port}`));

process.once('SIGTERM', () => {
  console.log('stopping when the last request is answered');
  server.close(() => process.exit(0));
  server.closeIdleConnections();
});
