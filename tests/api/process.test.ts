import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../fixtures/eventually.ts';
import { startProxy, type TcpProxy } from '../fixtures/proxy.ts';
import { runningEnvironment } from './events.ts';
import { authorize, startWorld, type World } from './world.ts';

/** What is started: the source, or the bundle that a container image holds. */
const program = process.env.TEST_API_PROGRAM ?? 'api/src/main.ts';

let world: World;
let mongo: TcpProxy;
let nats: TcpProxy;
let child: ChildProcess;
let log = '';

beforeAll(async () => {
  world = await startWorld();
  // The process takes the place of the server in this one, on the same port.
  await world.server.close();
  const database = new URL(world.environment.MONGODB_URI ?? '');
  const stream = new URL(world.environment.NATS_URL ?? '');
  mongo = await startProxy({ host: database.hostname, port: Number(database.port) });
  nats = await startProxy({ host: stream.hostname, port: Number(stream.port) });
  mongo.cut();
  nats.cut();
  database.host = `127.0.0.1:${mongo.port}`;
  child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      ...world.environment,
      LOG_LEVEL: 'debug',
      MONGODB_URI: database.href,
      NATS_URL: `nats://127.0.0.1:${nats.port}`,
    },
  });
  child.stdout?.on('data', chunk => {
    log += chunk;
  });
  child.stderr?.on('data', chunk => {
    log += chunk;
  });
}, 30_000);
afterAll(async () => {
  if (child?.exitCode === null) child.kill('SIGKILL');
  await world?.restart();
  await world?.close();
  await mongo?.close();
  await nats?.close();
});

const get = (path: string, token?: string) => world.call('GET', path, token ? { token } : {});

it('stays up without MongoDB and NATS, says what is missing, and resumes when they are there', async () => {
  await eventually(async () => expect((await get('/healthz')).status).toBe(200));
  const unready = await get('/readyz');
  expect(unready).toMatchObject({ status: 503, body: { missing: ['MongoDB', 'NATS'] } });
  expect(await get('/api/user', 'x'.repeat(43))).toMatchObject({
    status: 503,
    body: { code: 'unavailable' },
  });
  mongo.restore();
  await eventually(async () => expect((await get('/readyz')).body.missing).toEqual(['NATS']));
  nats.restore();
  await eventually(async () => expect((await get('/readyz')).status).toBe(200));
}, 60_000);

it('loses no event when both go away in the midst of its work', async () => {
  const token = await world.signIn('demo');
  await world.connect(token, 'demo', world.shop.repo);
  const chapters = [31, 32, 33, 34, 35].map(number => runningEnvironment(world.shop.fullName, number));
  const publish = async () => {
    for (const { events } of chapters) for (const event of events) await world.stream.publish(event);
  };
  const publishing = publish();
  nats.cut();
  mongo.cut();
  await publishing;
  expect((await get('/healthz')).status).toBe(200);
  const webhook = await world.deliver('ping', {});
  expect(webhook.status).toBe(503);
  nats.restore();
  mongo.restore();
  await eventually(async () => {
    const { body } = await get('/api/environments', token);
    expect(body.environments.map((each: { status: string }) => each.status)).toEqual(
      Array(5).fill('running'),
    );
  }, 30_000);
}, 60_000);

it('logs no secret', async () => {
  const { callback, cookie } = await authorize(world.url, 'demo');
  await fetch(callback, { headers: { cookie }, redirect: 'manual' });
  // A second time it fails, and the failure is logged.
  await fetch(callback, { headers: { cookie }, redirect: 'manual' });
  const token = await world.signIn('demo');
  await get(`/login?token=${token}`);
  await get('/api/user', token);
  await eventually(async () => expect(log).toContain('token_exchange_failed'));
  const { GITHUB_CLIENT_SECRET, GITHUB_WEBHOOK_SECRET, ENCRYPTION_KEY } = world.environment;
  const code = new URL(callback).searchParams.get('code');
  const secrets = [
    token,
    cookie.split('=')[1],
    code,
    GITHUB_CLIENT_SECRET,
    GITHUB_WEBHOOK_SECRET,
    ENCRYPTION_KEY,
  ];
  for (const secret of secrets) {
    expect(secret).toBeTruthy();
    expect(log).not.toContain(secret);
  }
}, 30_000);

it('ends orderly on SIGTERM, open streams included', async () => {
  const token = await world.signIn('demo');
  const stream = await fetch(`${world.url}/api/live`, { headers: { authorization: `Bearer ${token}` } });
  const started = Date.now();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(Date.now() - started).toBeLessThan(5000);
  await stream.text().catch(() => '');
}, 20_000);

it('says what it needs when it is not configured', async () => {
  const bare = spawn(process.execPath, [program], { env: { PATH: process.env.PATH } });
  let errors = '';
  bare.stderr.on('data', chunk => {
    errors += chunk;
  });
  const [code] = await once(bare, 'exit');
  expect(code).toBe(1);
  expect(errors).toContain('  MONGODB_URI is not set\n');
}, 20_000);
