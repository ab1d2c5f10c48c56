import { createServer, type Server } from 'node:http';

/** Liveness and readiness for the kubelet. `ready` says whether the caches are filled and work goes on. */
export function startProbes(port: number, ready: () => boolean): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const ok = request.url === '/healthz' || (request.url === '/readyz' && ready());
    response.writeHead(ok ? 200 : 503, { 'content-type': 'text/plain' }).end(ok ? 'ok\n' : 'not ready\n');
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve(server));
  });
}
