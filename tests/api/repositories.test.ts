import { afterAll, beforeAll, expect, it } from 'vitest';
import { environmentName } from '../../api/src/github/environment-resource.ts';
import { eventually } from '../fixtures/eventually.ts';
import { runningEnvironment } from './events.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let token: string;
let id: string;
const call = (method: string, path: string, body?: unknown) => world.call(method, path, { token, body });

beforeAll(async () => {
  world = await startWorld();
  token = await world.signIn('demo');
}, 30_000);
afterAll(() => world?.close());

it('offers the owners with the app and their repositories', async () => {
  expect((await call('GET', '/api/owners')).body).toMatchObject([{ login: 'demo', type: 'User' }]);
  const { body } = await call('GET', '/api/repositories/owner/Demo');
  expect(body).toContainEqual({
    owner: 'demo',
    name: world.shop.repo,
    full_name: world.shop.fullName,
    private: false,
    connected_id: null,
  });
});

it('connects a repository', async () => {
  const { status, body } = await call('POST', '/api/repositories', { owner: 'demo', repo: world.shop.repo });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    full_name: world.shop.fullName,
    owner: { login: 'demo' },
    clone_url: `${world.github.url}/${world.shop.fullName}.git`,
    default_branch: 'main',
    composeFilePath: null,
    hasPrimaryService: false,
    webhookConfigured: false,
    activeEnvironmentsCount: 0,
  });
  id = body.id;
  expect((await call('GET', '/api/repositories')).body).toEqual([body]);
  const { body: options } = await call('GET', '/api/repositories/owner/demo');
  expect(options.find((each: { name: string }) => each.name === world.shop.repo).connected_id).toBe(id);
});

it('finds its compose file and the services in it, with their defaults', async () => {
  const { body: files } = await call('GET', `/api/repositories/${id}/compose-files`);
  expect(files).toEqual({ composeFiles: [{ name: 'compose.yaml', path: 'compose.yaml' }] });
  const { body: found } = await call('GET', `/api/repositories/${id}/compose-services?path=compose.yaml`);
  expect(found.services).toEqual(
    expect.arrayContaining([
      { name: 'web', ports: [80] },
      { name: 'api', ports: [3000] },
      { name: 'db', ports: [] },
    ]),
  );
  const { body } = await call('PUT', `/api/repositories/${id}/compose-path`, { path: 'compose.yaml' });
  expect(body).toMatchObject({ composeFilePath: 'compose.yaml', hasPrimaryService: true });
  const { body: services } = await call('GET', `/api/repositories/${id}/services`);
  expect(services).toContainEqual({
    serviceName: 'web',
    ports: [80],
    isPublic: true,
    isPrimary: true,
    isDisabled: false,
    serviceMemoryLimit: '256Mi',
    serviceCPULimit: '0.125',
    buildMemoryLimit: '1Gi',
    buildCPULimit: '0.5',
  });
});

it('refuses a compose file that is not there, naming it', async () => {
  const { status, body } = await call('PUT', `/api/repositories/${id}/compose-path`, { path: 'other.yaml' });
  expect(status).toBe(404);
  expect(body.error).toBe('other.yaml not found');
});

it('makes another service primary, which demotes the one before to external', async () => {
  const { body } = await call('PUT', `/api/repositories/${id}/services/api`, {
    isPrimary: true,
    serviceMemoryLimit: '512Mi',
  });
  expect(body).toMatchObject({
    serviceName: 'api',
    isPrimary: true,
    isPublic: true,
    serviceMemoryLimit: '512Mi',
  });
  const { body: services } = await call('GET', `/api/repositories/${id}/services`);
  expect(services.find((each: { serviceName: string }) => each.serviceName === 'web')).toMatchObject({
    isPrimary: false,
    isPublic: true,
  });
  expect((await call('PUT', `/api/repositories/${id}/services/none`, { isPublic: true })).status).toBe(404);
  expect((await call('PUT', `/api/repositories/${id}/services/api`, { isPublic: 'yes' })).status).toBe(400);
});

it('forgets a repository with its environments, and brings it back with its settings', async () => {
  const name = environmentName(world.shop.fullName, 5);
  const { events, environment } = runningEnvironment(world.shop.fullName, 5);
  await world.server.context.cluster.apply({
    apiVersion: 'greenroom.dev/v1alpha1',
    kind: 'PreviewEnvironment',
    metadata: { name, namespace: world.cluster.name },
    spec: { source: { url: 'http://git/x.git', ref: 'main' } },
  } as never);
  for (const event of events) await world.stream.publish({ ...event, name, namespace: world.cluster.name });
  await eventually(async () =>
    expect((await call('GET', `/api/environments/${environment.uid}`)).body.status).toBe('running'),
  );
  const { body } = await call('DELETE', `/api/repositories/${id}`);
  expect(body.message).toBe('Repository forgotten successfully');
  expect(await world.cluster.environment(name)).toBeUndefined();
  expect((await call('GET', '/api/repositories')).body).toEqual([]);
  expect((await call('GET', `/api/environments/${environment.uid}`)).status).toBe(404);

  await world.connect(token, 'demo', world.shop.repo);
  expect((await call('GET', `/api/repositories/${id}`)).body).toMatchObject({
    composeFilePath: 'compose.yaml',
  });
});
