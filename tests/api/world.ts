import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sign } from '@octokit/webhooks-methods';
import { readConfig } from '../../api/src/config.ts';
import { openLog } from '../../api/src/log.ts';
import { type Server, startServer } from '../../api/src/server.ts';
import { newTestNamespace, type TestNamespace } from '../fixtures/cluster.ts';
import { newTestDatabase } from '../fixtures/mongo.ts';
import { openTestStream, type TestStream } from '../fixtures/nats.ts';
import { startTestGitHub, type TestGitHub } from '../github/start.ts';

const COMPOSE = `services:
  web:
    build: ./web
    ports: ["8080:80"]
  api:
    build: ./api
    expose: ["3000"]
  db:
    image: postgres:17
`;

const WEBHOOK_SECRET = 'webhook-secret-of-the-test';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers whose shape the server has checked
  body: any;
}

/** The API server with everything around it, all real: GitHub's stand-in, NATS, MongoDB and a cluster's API server. */
export interface World {
  server: Server;
  /** The environment variables that the server was configured with. */
  environment: Record<string, string>;
  url: string;
  github: TestGitHub;
  stream: TestStream;
  /** Name of demo's public repository, and its full name. */
  shop: { owner: string; repo: string; fullName: string };
  cluster: TestNamespace;
  /** Calls the API; with a session's token as that person. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Signs in as a user of the stand-in, as a browser does, and resolves to the session's token. */
  signIn(login: string): Promise<string>;
  /** Connects a repository with its compose file and resolves to its id. */
  connect(token: string, owner: string, repo: string): Promise<string>;
  /** Sends a webhook as GitHub does. */
  deliver(event: string, payload: unknown, options?: { id?: string; secret?: string }): Promise<Answer>;
  /** Stops the API server and starts it again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

interface CallOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export async function startWorld(changes: Record<string, string> = {}): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'greenroom-api-'));
  const keyFile = join(directory, 'app.pem');
  const shop = join(directory, 'shop');
  await writeFile(keyFile, privateKey);
  await mkdir(shop);
  await writeFile(join(shop, 'compose.yaml'), COMPOSE);
  const url = `http://127.0.0.1:${await freePort()}`;
  const [stream, cluster] = await Promise.all([openTestStream(), newTestNamespace()]);
  const database = newTestDatabase();
  // Worlds share the event stream, so a name of its own keeps each from seeing the others' environments.
  const shopName = `shop-${randomUUID().slice(0, 8)}`;
  const github = await startTestGitHub({
    app: {
      id: 7,
      slug: 'greenroom',
      clientId: 'Iv1.test',
      clientSecret: 'client-secret-of-the-test',
      keyFile,
      callbackUrls: [`${url}/api/auth/github/callback`],
    },
    repositories: [
      { owner: 'demo', name: shopName, seedFrom: shop },
      { owner: 'demo', name: 'secret', private: true, seedFrom: shop },
      { owner: 'mallory', name: 'own', seedFrom: shop },
    ],
  });
  const environment = {
    PORT: new URL(url).port,
    HOST: '127.0.0.1',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    PUBLIC_URL: url,
    MONGODB_URI: database.uri,
    NATS_URL: stream.url,
    GITHUB_URL: github.url,
    GITHUB_API_URL: github.api,
    GITHUB_APP_ID: '7',
    GITHUB_APP_SLUG: 'greenroom',
    GITHUB_CLIENT_ID: 'Iv1.test',
    GITHUB_CLIENT_SECRET: 'client-secret-of-the-test',
    GITHUB_PRIVATE_KEY_FILE: keyFile,
    GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ENVIRONMENT_NAMESPACE: cluster.name,
    KUBECONFIG: cluster.kubeconfig,
    ...changes,
  };
  const config = readConfig(environment);
  const start = async () => {
    const server = await startServer(config, openLog(config.LOG_LEVEL), { durable: stream.durable });
    await server.context.store.ready;
    await server.context.bus.connection;
    return server;
  };
  let server = await start();
  const call = (method: string, path: string, options: CallOptions = {}) =>
    callApi(url, method, path, options);
  return {
    get server() {
      return server;
    },
    environment,
    url,
    github,
    stream,
    cluster,
    shop: { owner: 'demo', repo: shopName, fullName: `demo/${shopName}` },
    call,
    signIn: login => signIn(url, login),
    async connect(token, owner, repo) {
      const { body } = await call('POST', '/api/repositories', { token, body: { owner, repo } });
      return body.id;
    },
    async deliver(event, payload, { id = randomUUID(), secret = WEBHOOK_SECRET } = {}) {
      const text = JSON.stringify(payload);
      const headers = {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': id,
        'x-hub-signature-256': await sign(secret, text),
      };
      return toAnswer(await fetch(`${url}/api/webhooks/github`, { method: 'POST', headers, body: text }));
    },
    async restart() {
      await server.close();
      server = await start();
    },
    async close() {
      await server.close();
      await Promise.all([github.close(), stream.close(), cluster.remove(), database.drop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function callApi(url: string, method: string, path: string, options: CallOptions): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      // As the dashboard does, also where there is no body.
      'content-type': 'application/json',
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  });
  return toAnswer(response);
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** A browser's way through a sign-in, up to GitHub's redirect back. */
export async function authorize(url: string, login: string): Promise<{ callback: string; cookie: string }> {
  const begun = await fetch(`${url}/api/auth/github`);
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { auth_url } = (await begun.json()) as { auth_url: string };
  const page = new URL(auth_url);
  const form = new URLSearchParams(page.searchParams);
  form.set('login', login);
  const granted = await fetch(`${page.origin}${page.pathname}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  return { callback: granted.headers.get('location') ?? '', cookie };
}

async function signIn(url: string, login: string): Promise<string> {
  const { callback, cookie } = await authorize(url, login);
  const done = await fetch(callback, { headers: { cookie }, redirect: 'manual' });
  const location = new URL(done.headers.get('location') ?? '');
  const token = location.searchParams.get('token');
  if (!token) throw new Error(`sign-in ended at ${location}`);
  return token;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const bound = server.address();
      server.close(() => resolve(bound && typeof bound === 'object' ? bound.port : 0));
    });
  });
}
