import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkUrl } from './health-check.ts';
import { startWaitingPage, WAITING_HEADER } from './waiting-page.ts';

const servers: { close(): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A service behind an ingress controller, on a port of this machine. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return addressOf(server);
}
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function waitingPage(): Promise<string> {
  const server = await startWaitingPage(0);
  servers.push(server);
  return addressOf(server);
}

describe('health check', () => {
  it.each([
    [200, true],
    [204, true],
    [302, true],
    [401, true],
    [404, true],
    [500, false],
    [502, false],
    [503, false],
  ])('HTTP %i from the service: healthy %s', async (status, healthy) => {
    const url = await serve((_request, response) => response.writeHead(status).end());
    expect(await checkUrl(url, undefined)).toEqual({ healthy, detail: `HTTP ${status}` });
  });

  it('asks for the host and path of the URL where it goes by way of the ingress controller', async () => {
    const asked: unknown[] = [];
    const via = await serve((request, response) => {
      asked.push(request.headers.host, request.url);
      response.end();
    });
    expect((await checkUrl('http://shop.preview.invalid:8080/start', via)).healthy).toBe(true);
    expect(asked).toEqual(['shop.preview.invalid:8080', '/start']);
  });

  it('does not take the waiting page for the service, whatever its status', async () => {
    expect((await checkUrl(await waitingPage(), undefined)).healthy).toBe(false);
    const url = await serve((_request, response) =>
      response.writeHead(200, { [WAITING_HEADER]: 'true' }).end(),
    );
    expect(await checkUrl(url, undefined)).toEqual({
      healthy: false,
      detail: 'its route is not in force yet',
    });
  });

  it('says why there was no answer', async () => {
    const url = await serve(() => {});
    servers.pop()?.close();
    const { healthy, detail } = await checkUrl(url, undefined);
    expect(healthy).toBe(false);
    expect(detail).toContain('ECONNREFUSED');
    expect((await checkUrl('http://shop.preview.invalid', undefined)).detail).toContain('ENOTFOUND');
  });

  it('takes an answer that is no HTTP for none', async () => {
    const server = createTcpServer(socket => socket.end('hello\r\n\r\n'));
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect((await checkUrl(`http://127.0.0.1:${port}`, undefined)).healthy).toBe(false);
  });

  it('does not wait for ever', async () => {
    const url = await serve(() => {});
    expect(await checkUrl(url, undefined)).toEqual({ healthy: false, detail: 'no answer within 5 s' });
  });

  it('does not wait for a body that never ends', async () => {
    const url = await serve((_request, response) => response.writeHead(200).write('<html>'));
    expect((await checkUrl(url, undefined)).healthy).toBe(true);
  });
});

describe('waiting page', () => {
  it('says to come back, and does so by itself', async () => {
    const response = await fetch(`${await waitingPage()}/any/path?x=1`);
    expect(response.status).toBe(503);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': '5',
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      [WAITING_HEADER]: 'true',
    });
    expect(await response.text()).toContain('<meta http-equiv="refresh" content="5">');
  });

  it('answers whatever is asked, with no body to HEAD', async () => {
    const url = await waitingPage();
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(100_000) })).status).toBe(503);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([503, '']);
  });

  it('rejects where its port is taken', async () => {
    const { port } = new URL(await waitingPage());
    await expect(startWaitingPage(Number(port))).rejects.toThrow('EADDRINUSE');
  });
});
