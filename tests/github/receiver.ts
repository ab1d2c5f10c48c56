import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { EventPayloadMap } from '@octokit/webhooks-types';

export interface Received<P = { action?: string }> {
  event: string;
  guid: string;
  signature: string;
  userAgent: string;
  body: string;
  payload: P;
}

/** A real HTTP server that keeps the webhooks it gets. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** The first one that fits, waiting for it up to 5 s. */
  next<E extends keyof EventPayloadMap>(event: E, action?: string): Promise<Received<EventPayloadMap[E]>>;
  /** What it answers from now on. */
  status: number;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const header = (name: string) => String(request.headers[name] ?? '');
    received.push({
      event: header('x-github-event'),
      guid: header('x-github-delivery'),
      signature: header('x-hub-signature-256'),
      userAgent: header('user-agent'),
      body,
      payload: JSON.parse(body),
    });
    response.writeHead(receiver.status).end('thanks');
    for (const wake of waiting) wake();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    status: 200,
    async next<E extends keyof EventPayloadMap>(event: E, action?: string) {
      const deadline = Date.now() + 5000;
      for (;;) {
        const index = received.findIndex(
          each => each.event === event && (!action || each.payload.action === action),
        );
        const [found] = index === -1 ? [] : received.splice(index, 1);
        if (found) return found as Received<EventPayloadMap[E]>;
        if (Date.now() > deadline) {
          const seen = received.map(each => `${each.event}.${each.payload.action ?? ''}`).join(', ');
          throw new Error(`no ${event} ${action ?? ''} came within 5 s; waiting were: ${seen || 'none'}`);
        }
        await new Promise<void>(resolve => {
          const wake = () => {
            clearTimeout(timer);
            waiting.delete(wake);
            resolve();
          };
          const timer = setTimeout(wake, 500);
          waiting.add(wake);
        });
      }
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
