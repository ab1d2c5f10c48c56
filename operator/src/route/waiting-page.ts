import type { Server } from 'node:http';
import { createServer } from 'node:http';

/** Marks an answer as ours, not the service's: the health check tells them apart by it. */
export const WAITING_HEADER = 'x-greenroom-waiting';
const RELOAD_SECONDS = 5;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RELOAD_SECONDS}">
<title>Preview environment is being deployed</title>
<style>
  body { font: 1.1rem/1.6 system-ui, sans-serif; background: #0d1512; color: #e4efe9; display: grid; place-items: center;
    min-height: 100vh; margin: 0; text-align: center }
  main { max-width: 34rem; padding: 1rem }
</style>
<main>
  <h1>Almost there</h1>
  <p>The preview environment is being deployed, or there is none at this address.
  This page looks again every ${RELOAD_SECONDS} seconds.</p>
</main>
</html>
`;

/**
 * Answers for every host that has no route of its own: 503 with Retry-After, and a page that reloads itself. The chart
 * makes it the ingress controller's catch-all.
 */
export function startWaitingPage(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(503, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': String(RELOAD_SECONDS),
      [WAITING_HEADER]: 'true',
    });
    response.end(request.method === 'HEAD' ? undefined : PAGE);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve(server));
  });
}
