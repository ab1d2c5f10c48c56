import { createHmac, randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Delivery, type Hook, now } from './state.ts';
import type { Store } from './store.ts';

const timeout = 10_000;
const keptPerHook = 100;
const responseLimit = 64 * 1024;

/** Where a webhook goes: a repository's hook, or the app's own with `hookId` 0. */
export interface Target {
  hookId: number;
  type: 'repository' | 'integration';
  targetId: number;
  url: string;
  secret: string | null;
  contentType: Hook['contentType'];
}

export interface Message {
  event: string;
  action: string | null;
  repositoryId: number | null;
  installationId: number | null;
  payload: object;
}

/** What a delivery sent and got back. */
export interface Exchange {
  url: string;
  request: { headers: Record<string, string>; payload: object };
  response: { headers: Record<string, string> | null; payload: string | null };
}

/** Sends webhooks once each, as GitHub does: whoever missed one asks for it again. */
export interface Sender {
  /** Sends in the background and records what came of it. */
  send(target: Target, message: Message): void;
  /** Sends a recorded delivery again under its first guid. */
  resend(target: Target, delivery: Delivery): Promise<void>;
  read(delivery: Delivery): Promise<Exchange>;
  /** Aborts what is under way and waits until it is recorded. */
  close(): Promise<void>;
}

export async function createSender(store: Store, dataDir: string): Promise<Sender> {
  const directory = join(dataDir, 'deliveries');
  await mkdir(directory, { recursive: true });
  const fileOf = (delivery: Delivery) => join(directory, `${delivery.id}.json`);
  const stop = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function attempt(target: Target, message: Message, guid: string, redelivery: boolean): Promise<void> {
    const id = store.nextId();
    const headers = { ...headersOf(target, message, guid) };
    const body = encode(target, message.payload);
    if (target.secret) headers['X-Hub-Signature-256'] = sign(target.secret, body);
    const started = performance.now();
    const deliveredAt = now();
    const outcome = await post(target.url, headers, body, stop.signal);
    const delivery: Delivery = {
      id,
      hookId: target.hookId,
      repositoryId: message.repositoryId,
      installationId: message.installationId,
      guid,
      event: message.event,
      action: message.action,
      deliveredAt,
      redelivery,
      duration: Math.round(performance.now() - started) / 1000,
      status: outcome.status,
      statusCode: outcome.statusCode,
    };
    const exchange: Exchange = {
      url: target.url,
      request: { headers, payload: message.payload },
      response: outcome.response,
    };
    await writeFile(fileOf(delivery), JSON.stringify(exchange));
    store.state.deliveries.push(delivery);
    store.changed();
    await forgetOldest(target.hookId);
    await store.flush();
  }

  async function forgetOldest(hookId: number): Promise<void> {
    const old = store.state.deliveries.filter(each => each.hookId === hookId).slice(0, -keptPerHook);
    if (old.length === 0) return;
    store.state.deliveries = store.state.deliveries.filter(each => !old.includes(each));
    await Promise.all(old.map(each => rm(fileOf(each), { force: true })));
  }

  function inBackground(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => console.error('a webhook delivery could not be recorded:', error))
      .finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  const read = async (delivery: Delivery): Promise<Exchange> =>
    JSON.parse(await readFile(fileOf(delivery), 'utf8'));

  return {
    send(target, message) {
      inBackground(attempt(target, message, randomUUID(), false));
    },
    async resend(target, delivery) {
      const { request } = await read(delivery);
      inBackground(attempt(target, { ...delivery, payload: request.payload }, delivery.guid, true));
    },
    read,
    async close() {
      stop.abort();
      await Promise.all(underWay);
    },
  };
}

const headersOf = (target: Target, message: Message, guid: string): Record<string, string> => ({
  Accept: '*/*',
  'Content-Type': target.contentType === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
  'User-Agent': 'GitHub-Hookshot/standin',
  'X-GitHub-Delivery': guid,
  'X-GitHub-Event': message.event,
  'X-GitHub-Hook-ID': String(target.hookId),
  'X-GitHub-Hook-Installation-Target-ID': String(target.targetId),
  'X-GitHub-Hook-Installation-Target-Type': target.type,
});

function encode(target: Target, payload: object): string {
  const json = JSON.stringify(payload);
  return target.contentType === 'json' ? json : new URLSearchParams({ payload: json }).toString();
}

const sign = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

interface Outcome {
  status: string;
  statusCode: number;
  response: Exchange['response'];
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  stop: AbortSignal,
): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(timeout)]),
    });
    const text = await response.text();
    return {
      status: response.ok ? 'OK' : response.statusText || 'Invalid HTTP Response',
      statusCode: response.status,
      response: { headers: Object.fromEntries(response.headers), payload: text.slice(0, responseLimit) },
    };
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    return {
      status: timedOut ? 'timed out' : 'failed to connect to host',
      statusCode: timedOut ? 504 : 502,
      response: { headers: null, payload: null },
    };
  }
}
