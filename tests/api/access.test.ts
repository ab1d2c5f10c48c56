import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, type Route } from '#contract/routes.ts';
import { eventually } from '../fixtures/eventually.ts';
import { runningEnvironment } from './events.ts';
import { startWorld, type World } from './world.ts';

const routes = Object.entries(ROUTES) as [string, Route][];
let world: World;
let demo: string;
let mallory: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  world = await startWorld();
  demo = await world.signIn('demo');
  mallory = await world.signIn('mallory');
  ids.repositories = await world.connect(demo, 'demo', world.shop.repo);
  await world.connect(mallory, 'mallory', 'own');
  const { environment, deployment, events } = runningEnvironment(world.shop.fullName, 1);
  ids.environments = environment.uid;
  ids.deployments = deployment.uid;
  for (const event of events) await world.stream.publish(event);
  await eventually(async () => {
    const { body } = await world.call('GET', `/api/environments/${environment.uid}`, { token: demo });
    expect(body.status).toBe('running');
  });
}, 30_000);
afterAll(() => world?.close());

/** A path of a route with ids that exist and are demo's. */
function pathOf(route: Route): string {
  const [, , resource = ''] = route.path.split('/');
  return route.path
    .replace(':id', ids[resource] ?? 'x')
    .replace(':owner', 'demo')
    .replace(':serviceName', 'web');
}

describe('who may call what', () => {
  const closed = routes.filter(([, { access }]) => access !== 'anonymous' && access !== 'signed-webhook');

  it.each(closed)('%s is not for anonymous callers', async (_name, route) => {
    for (const token of [undefined, 'x'.repeat(43)]) {
      const answer = await world.call(route.method, pathOf(route), token ? { token } : {});
      expect(answer.status).toBe(401);
    }
  });

  const owned = routes.filter(([, { access }]) => access === 'owner');

  it.each(owned)('%s of others is not there', async (_name, route) => {
    const answer = await world.call(route.method, pathOf(route), { token: mallory });
    expect(answer.status).toBe(404);
    expect(JSON.stringify(answer.body)).not.toMatch(/shop|demo/);
  });

  it.each(owned.filter(([, { method }]) => method === 'GET'))(
    '%s is there for its owner',
    async (name, route) => {
      // These two read a compose file, which is another test's matter.
      if (/Compose/.test(name)) return;
      const { status } = await world.call('GET', pathOf(route), { token: demo });
      expect(status).toBe(200);
    },
  );

  it('lists nothing of others', async () => {
    const lists = ['/api/repositories', '/api/environments', '/api/owners'];
    for (const path of lists) {
      const { status, body } = await world.call('GET', path, { token: mallory });
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/demo/);
    }
    expect((await world.call('GET', '/api/repositories/owner/demo', { token: mallory })).status).toBe(404);
  });

  it('connects nothing that GitHub does not show the caller', async () => {
    const body = { owner: 'demo', repo: 'secret' };
    expect((await world.call('POST', '/api/repositories', { token: mallory, body })).status).toBe(404);
    expect((await world.call('POST', '/api/webhooks/setup', { token: mallory, body })).status).toBe(404);
  });

  it('connects no public repository that the caller may only read', async () => {
    const body = { owner: 'demo', repo: world.shop.repo };
    const connected = await world.call('POST', '/api/repositories', { token: mallory, body });
    expect(connected).toMatchObject({ status: 403, body: { code: 'write_access_required' } });
    expect((await world.call('POST', '/api/webhooks/setup', { token: mallory, body })).status).toBe(403);
  });

  it('ends when GitHub says that the caller lost it', async () => {
    const { store, trust } = world.server.context;
    const id = ids.repositories ?? '';
    const path = `/api/repositories/${id}`;
    const session = await store.users.findOne({ login: 'mallory' }).lean();
    await store.repositories.updateOne({ _id: id }, { $addToSet: { user_ids: session?._id } });
    trust.clear();
    expect((await world.call('GET', path, { token: mallory })).status).toBe(404);
    expect((await store.repositories.findById(id))?.user_ids).not.toContain(session?._id);
    expect((await world.call('GET', path, { token: demo })).status).toBe(200);
  });

  it('answers 404 to what the contract does not list', async () => {
    for (const path of [
      '/api',
      '/api/admin',
      '/api/users',
      '/jadmin/users',
      '/metrics',
      '/api/../package.json',
    ]) {
      expect((await world.call('GET', path, { token: demo })).status).toBe(404);
    }
  });

  it('takes ids as text, whatever they look like', async () => {
    for (const id of ['%7B%22$ne%22:null%7D', '..%2F..', '%00', 'x'.repeat(300)]) {
      const { status } = await world.call('GET', `/api/environments/${id}`, { token: demo });
      expect([400, 404, 414]).toContain(status);
    }
  });
});

describe('the beta gate', () => {
  it('keeps people without access out, but not administrators', async () => {
    const gated = await startWorld({ BETA_GATE: 'true', ADMIN_LOGINS: 'demo' });
    try {
      const token = await gated.signIn('mallory');
      expect((await gated.call('GET', '/api/user', { token })).body.has_beta_access).toBe(false);
      expect((await gated.call('GET', '/api/repositories', { token })).status).toBe(403);
      const admin = await gated.signIn('demo');
      expect((await gated.call('GET', '/api/repositories', { token: admin })).status).toBe(200);
    } finally {
      await gated.close();
    }
  }, 30_000);
});
