import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { project } from '../../api/src/projections/project.ts';
import { eventually } from '../fixtures/eventually.ts';
import { runningEnvironment, Story } from './events.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let token: string;
let repositoryId: string;

beforeAll(async () => {
  world = await startWorld();
  token = await world.signIn('demo');
  repositoryId = await world.connect(token, 'demo', world.shop.repo);
}, 30_000);
afterAll(() => world?.close());

/** The views, byte for byte. */
async function views(): Promise<string> {
  const { environments, deployments, deploymentEvents } = world.server.context.store;
  // Other tests' events come by too, as environments of repositories that are not connected here.
  const mine = { repository_full_name: world.shop.fullName };
  const found = await deployments.find(mine).sort({ _id: 1 }).lean();
  const events = { deployment_id: { $in: found.map(each => each._id) } };
  return JSON.stringify([
    await environments.find(mine).sort({ _id: 1 }).lean(),
    found,
    await deploymentEvents.find(events).sort({ _id: 1 }).lean(),
  ]);
}

const get = async (path: string) => (await world.call('GET', path, { token })).body;

describe('events become views', () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  let { environment, deployment, events } = runningEnvironment('', 11, start);
  beforeAll(() => {
    ({ environment, deployment, events } = runningEnvironment(world.shop.fullName, 11, start));
  });

  it('that tell where an environment and its deployment are', async () => {
    for (const event of events) await world.stream.publish(event);
    await eventually(async () =>
      expect(await get(`/api/environments/${environment.uid}`)).toMatchObject({
        status: 'running',
        repository_id: repositoryId,
        environment_type: 'pull_request',
        pull_request_number: 11,
        preview_url: 'http://env-11.localhost',
        namespace: 'env-11',
        deployment_count: 1,
        last_deployment_id: deployment.uid,
        last_deployment_duration_seconds: 20,
        created_at: '2026-01-01T00:00:00.000Z',
        expires_at: '2026-01-01T08:00:00.000Z',
      }),
    );
    expect(await get(`/api/deployments/${deployment.uid}`)).toMatchObject({
      status: 'running',
      environment_id: environment.uid,
      external_url: 'http://env-11.localhost',
      ready_at: '2026-01-01T00:00:21.000Z',
      steps: [{ phase: 'Building', step_name: 'web', status: 'completed', reason: 'Cached' }],
    });
    const messages = (await get(`/api/deployments/${deployment.uid}/events`)).map(
      (each: { message: string }) => each.message,
    );
    expect(messages).toEqual([
      'Deployment of c0ffee00 created',
      'Building 2 services',
      'Building web: running',
      'Building web: completed',
      'Rolling out',
      'Ready',
    ]);
    const page = await get(`/api/environments/${environment.uid}/deployments?limit=1`);
    expect(page).toMatchObject({
      data: [{ id: deployment.uid }],
      pagination: { page: 1, total: 1, total_pages: 1 },
    });
  });

  it('once: a duplicate and a replay of everything change not one byte', async () => {
    const before = await views();
    for (const event of [...events, ...events.toReversed()]) await project(world.server.context.store, event);
    expect(await views()).toBe(before);

    await world.server.close();
    await world.stream.forgetReader();
    await world.restart();
    const last = new Story('PreviewEnvironment', 'after-the-replay');
    await world.stream.publish(
      last.next('environment.created', { repository: '', branch: 'x', maxDurationMinutes: 60 }),
    );
    const { environments } = world.server.context.store;
    await eventually(async () => expect(await environments.findById(last.uid)).not.toBeNull());
    await environments.deleteOne({ _id: last.uid });
    expect(await views()).toBe(before);
  });

  it('and the same ones again when the database is empty', async () => {
    const before = await views();
    const { environments, deployments, deploymentEvents } = world.server.context.store;
    await Promise.all([environments.deleteMany(), deployments.deleteMany(), deploymentEvents.deleteMany()]);
    for (const event of events) await project(world.server.context.store, event);
    expect(await views()).toBe(before);
  });

  it('a deleted environment is stopped and its records stay', async () => {
    const gone = environment.next('environment.deleted', {});
    await world.stream.publish(gone);
    await eventually(async () =>
      expect(await get(`/api/environments/${environment.uid}`)).toMatchObject({
        status: 'stopped',
        preview_url: null,
      }),
    );
    expect((await get('/api/environments?active=true')).environments).toEqual([]);
    expect(await get(`/api/repositories/${repositoryId}/preview-environments`)).toHaveLength(1);
  });
});

describe('the stream goes on', () => {
  it('past a message that is no event, which is set aside', async () => {
    const seq = await world.stream.publishRaw(
      `greenroom.events.deployment.poison.${Date.now()}`,
      '{"not": "an event"}',
    );
    const { events, environment } = runningEnvironment(world.shop.fullName, 12);
    for (const event of events) await world.stream.publish(event);
    await eventually(async () =>
      expect((await get(`/api/environments/${environment.uid}`)).status).toBe('running'),
    );
    expect(await world.server.context.store.poison.findById(String(seq)).lean()).toMatchObject({
      body: '{"not": "an event"}',
      error: expect.stringContaining('not an event'),
    });
  });

  it('for environments of repositories that are not connected, and hands them over when they are', async () => {
    const { events, environment, deployment } = runningEnvironment('demo/secret', 13);
    for (const event of events) await world.stream.publish(event);
    const { environments } = world.server.context.store;
    await eventually(async () =>
      expect((await environments.findById(environment.uid))?.status).toBe('running'),
    );
    expect((await environments.findById(environment.uid))?.repository_id).toBe('');
    expect((await world.call('GET', `/api/environments/${environment.uid}`, { token })).status).toBe(404);
    await world.connect(token, 'demo', 'secret');
    expect((await get(`/api/environments/${environment.uid}`)).status).toBe('running');
    expect((await get(`/api/deployments/${deployment.uid}`)).status).toBe('running');
  });

  it('from where the last process left off', async () => {
    const { events, environment } = runningEnvironment(world.shop.fullName, 14);
    await world.stream.publish(events[0] ?? never());
    await eventually(async () =>
      expect((await get(`/api/environments/${environment.uid}`)).status).toBe('building'),
    );
    await world.server.close();
    for (const event of events.slice(1)) await world.stream.publish(event);
    await sleep(100);
    await world.restart();
    await eventually(async () =>
      expect((await get(`/api/environments/${environment.uid}`)).status).toBe('running'),
    );
  });
});

describe('canceling', () => {
  it('sets the flag of the deployment that is in flight', async () => {
    const { environment, deployment, events } = runningEnvironment(world.shop.fullName, 15);
    const inFlight = events.slice(0, 4).map(each => ({ ...each, namespace: world.cluster.name }));
    await world.cluster.createDeployment({
      metadata: { name: deployment.name },
      spec: {
        environment: environment.name,
        namespace: 'env-15',
        source: { url: `${world.github.url}/${world.shop.fullName}.git`, commit: 'a'.repeat(40) },
        cancel: false,
        services: [],
        serviceLimits: { cpu: '1', memory: '1Gi' },
        buildLimits: { cpu: '1', memory: '1Gi' },
      },
    });
    for (const event of inFlight) await world.stream.publish(event);
    await eventually(async () =>
      expect((await get(`/api/deployments/${deployment.uid}`)).status).toBe('building'),
    );
    const path = `/api/environments/${environment.uid}/cancel-deployment`;
    expect((await world.call('POST', path, { token })).status).toBe(200);
    expect((await world.cluster.deployment(deployment.name))?.spec.cancel).toBe(true);
  });
});

function never(): never {
  throw new Error('the story has no events');
}
