import { createServer } from 'node:net';

/** Whether 127.0.0.1 has the port free. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** The first free port of 127.0.0.1 from `from` on. */
export async function firstFreePort(from: number): Promise<number> {
  for (let port = from; port < from + 100; port++) if (await isFree(port)) return port;
  throw new Error(`No port between ${from} and ${from + 99} is free on 127.0.0.1`);
}
