import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { environmentName } from '../../api/src/github/environment-resource.ts';
import { eventually } from '../fixtures/eventually.ts';
import { clone, gitUrl } from '../github/clone.ts';
import { tokens } from '../github/start.ts';
import { pullRequestPayload } from './payloads.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let token: string;
let repositoryId: string;
let number = 100;
const name = () => environmentName(world.shop.fullName, number);

beforeAll(async () => {
  world = await startWorld();
  token = await world.signIn('demo');
  repositoryId = await world.connect(token, 'demo', world.shop.repo);
}, 30_000);
afterAll(() => world?.close());
beforeEach(() => {
  number++;
});

const payload = (action: string, changes: Parameters<typeof pullRequestPayload>[2] = {}) =>
  pullRequestPayload(action, { id: Number(repositoryId), full_name: world.shop.fullName, number }, changes);

/** What became of a delivery, once it is worked through. */
const outcome = (id: string) =>
  eventually(async () => {
    const delivery = await world.server.context.store.deliveries.findById(id).lean();
    expect(delivery?.status).toMatch(/done|ignored|failed/);
    return { status: delivery?.status, reason: delivery?.reason };
  });

describe('receiving webhooks', () => {
  it('refuses a delivery that is not signed with the secret, and stores nothing', async () => {
    const id = 'forged';
    const answer = await world.deliver('pull_request', payload('opened'), { id, secret: 'another secret' });
    expect(answer.status).toBe(401);
    const unsigned = await world.call('POST', '/api/webhooks/github', { body: payload('opened') });
    expect(unsigned.status).toBe(401);
    expect(await world.server.context.store.deliveries.findById(id)).toBeNull();
  });

  it('refuses what is too large to be a webhook', async () => {
    const answer = await world.deliver('push', { text: 'x'.repeat(6 * 1024 * 1024) });
    expect(answer.status).toBe(413);
  });

  it('takes a delivery once', async () => {
    const id = 'twice';
    expect((await world.deliver('pull_request', payload('opened'), { id })).status).toBe(202);
    expect(await outcome(id)).toEqual({ status: 'done', reason: `applied ${name()}` });
    const before = await world.cluster.environment(name());
    const again = await world.deliver('pull_request', payload('closed', { state: 'closed' }), { id });
    expect(again).toMatchObject({ status: 202, body: { message: 'Received before' } });
    await sleep(300);
    expect((await world.cluster.environment(name()))?.metadata.resourceVersion).toBe(
      before?.metadata.resourceVersion,
    );
  });

  it('answers 202 to events that it has no use for', async () => {
    expect((await world.deliver('ping', { zen: 'Keep it simple' }, { id: 'ping' })).status).toBe(202);
    expect((await outcome('ping')).status).toBe('ignored');
  });
});

describe('pull requests', () => {
  it('become a PreviewEnvironment with the commit, the settings and a token of its own', async () => {
    await world.server.context.store.repositories.updateOne(
      { _id: repositoryId },
      {
        $set: {
          compose_file: 'compose.yaml',
          services: [service('web', true, true), service('api', true, false), service('db', false, false)],
        },
      },
    );
    await world.deliver('pull_request', payload('opened', { title: 'Add a cart' }), { id: `open-${number}` });
    await outcome(`open-${number}`);
    const environment = await world.cluster.environment(name());
    expect(environment?.spec).toMatchObject({
      source: { commit: 'a'.repeat(40), ref: 'refs/heads/change', secretRef: { name: `${name()}-source` } },
      repository: world.shop.fullName,
      pullRequest: { number, title: 'Add a cart', author: 'demo' },
      branch: 'change',
      composeFile: 'compose.yaml',
      services: [
        { name: 'web', exposure: 'Primary', disabled: false, cpu: '0.125', memory: '256Mi' },
        { name: 'api', exposure: 'External' },
        { name: 'db', exposure: 'Internal' },
      ],
      maxDurationMinutes: 480,
      prefix: 'env-',
    });
    const url = environment?.spec.source.url ?? '';
    expect(url).toBe(`${world.github.url}/${world.shop.fullName}.git`);

    const secret = await world.cluster.core.readNamespacedSecret({
      namespace: world.cluster.name,
      name: `${name()}-source`,
    });
    expect(secret.metadata?.ownerReferences?.[0]).toMatchObject({
      name: name(),
      uid: environment?.metadata.uid,
    });
    const source = Buffer.from(secret.data?.token ?? '', 'base64').toString();
    // It reads this repository, and no other.
    const readable = await world.github
      .as(source)
      .rest.repos.getContent({ owner: 'demo', repo: world.shop.repo, path: 'compose.yaml' });
    expect(readable.status).toBe(200);
    await expect(
      world.github.as(source).rest.repos.getContent({ owner: 'demo', repo: 'secret', path: 'compose.yaml' }),
    ).rejects.toMatchObject({ status: 404 });
    expect(JSON.stringify(environment)).not.toContain(source);
  });

  it('follow pushes and title changes, and go when closed', async () => {
    await world.deliver('pull_request', payload('opened'), { id: `a-${number}` });
    await world.deliver('pull_request', payload('synchronize', { sha: 'b'.repeat(40), second: 1 }), {
      id: `b-${number}`,
    });
    await world.deliver(
      'pull_request',
      payload('edited', { sha: 'b'.repeat(40), second: 2, title: 'Better' }),
      { id: `c-${number}` },
    );
    await outcome(`c-${number}`);
    expect((await world.cluster.environment(name()))?.spec).toMatchObject({
      source: { commit: 'b'.repeat(40) },
      pullRequest: { title: 'Better' },
    });
    await world.deliver('pull_request', payload('closed', { state: 'closed', second: 3 }), {
      id: `d-${number}`,
    });
    await outcome(`d-${number}`);
    expect(await world.cluster.environment(name())).toBeUndefined();
    await expect(
      world.cluster.core.readNamespacedSecret({ namespace: world.cluster.name, name: `${name()}-source` }),
    ).rejects.toMatchObject({ code: 404 });
  });

  it('are not moved back by deliveries that come late', async () => {
    await world.deliver('pull_request', payload('synchronize', { sha: 'b'.repeat(40), second: 5 }), {
      id: `a-${number}`,
    });
    await world.deliver('pull_request', payload('opened', { second: 0 }), { id: `b-${number}` });
    expect(await outcome(`b-${number}`)).toMatchObject({ status: 'ignored', reason: /newer/ });
    expect((await world.cluster.environment(name()))?.spec.source.commit).toBe('b'.repeat(40));

    await world.deliver('pull_request', payload('closed', { state: 'closed', second: 9 }), {
      id: `c-${number}`,
    });
    await world.deliver('pull_request', payload('reopened', { second: 7 }), { id: `d-${number}` });
    expect((await outcome(`d-${number}`)).status).toBe('ignored');
    expect(await world.cluster.environment(name())).toBeUndefined();
  });

  it.each([
    ['another repository', { headRepository: { id: 999_999 } }],
    ['a repository that is gone', { headRepository: null }],
  ])('from %s are not built and get no token', async (_what, changes) => {
    await world.deliver('pull_request', payload('opened', changes), { id: `fork-${number}` });
    expect((await outcome(`fork-${number}`)).status).toBe('ignored');
    expect(await world.cluster.environment(name())).toBeUndefined();
    const { items } = await world.cluster.core.listNamespacedSecret({ namespace: world.cluster.name });
    expect(items.map(each => each.metadata?.name)).not.toContain(`${name()}-source`);
  });

  it('of repositories that nobody connected are ignored', async () => {
    const stranger = pullRequestPayload('opened', { id: 424_242, full_name: world.shop.fullName, number });
    await world.deliver('pull_request', stranger, { id: `stranger-${number}` });
    expect(await outcome(`stranger-${number}`)).toEqual({
      status: 'ignored',
      reason: 'the repository is not connected',
    });
  });

  it('that were received before a crash are worked through after it', async () => {
    const { deliveries } = world.server.context.store;
    await world.deliver('ping', {}, { id: `seed-${number}` });
    await outcome(`seed-${number}`);
    // As a process leaves it that dies with the delivery in its hands.
    await deliveries.create({
      ...(await deliveries.findById(`seed-${number}`).lean()),
      _id: `crashed-${number}`,
      event: 'pull_request',
      action: 'opened',
      key: `${repositoryId}#${number}`,
      repository_id: repositoryId,
      payload: JSON.stringify(payload('opened')),
      status: 'processing',
      lease_until: new Date(Date.now() - 1000),
    });
    await world.restart();
    expect((await outcome(`crashed-${number}`)).status).toBe('done');
    expect(await world.cluster.environment(name())).toBeDefined();
  });
});

describe('with the real webhook of the repository', () => {
  it('a push and a pull request lead to an environment, its merge to none', async () => {
    const setup = { token, body: { owner: 'demo', repo: world.shop.repo } };
    const first = await world.call('POST', '/api/webhooks/setup', setup);
    expect(first).toMatchObject({ status: 200, body: { message: 'Webhook created' } });
    const second = await world.call('POST', '/api/webhooks/setup', setup);
    expect(second).toMatchObject({ status: 200, body: { webhook_id: first.body.webhook_id } });
    expect(
      (await world.call('GET', `/api/repositories/${repositoryId}`, { token })).body.webhookConfigured,
    ).toBe(true);

    const work = await clone(gitUrl(world.github.url, world.shop.fullName, tokens.demo));
    const github = world.github.as(tokens.demo).rest;
    try {
      const commit = await work.push('cart', { 'README.md': 'A cart' });
      const { data } = await github.pulls.create({
        owner: 'demo',
        repo: world.shop.repo,
        title: 'Cart',
        head: 'cart',
        base: 'main',
      });
      const environment = environmentName(world.shop.fullName, data.number);
      await eventually(async () => {
        expect((await world.cluster.environment(environment))?.spec.source.commit).toBe(commit);
      });
      const next = await work.push('cart', { 'README.md': 'A better cart' });
      await eventually(async () => {
        expect((await world.cluster.environment(environment))?.spec.source.commit).toBe(next);
      });
      await github.pulls.update({
        owner: 'demo',
        repo: world.shop.repo,
        pull_number: data.number,
        state: 'closed',
      });
      await eventually(async () => expect(await world.cluster.environment(environment)).toBeUndefined());
    } finally {
      await work.remove();
    }
  }, 30_000);
});

const service = (serviceName: string, isPublic: boolean, isPrimary: boolean) => ({
  serviceName,
  ports: [80],
  isPublic,
  isPrimary,
  isDisabled: false,
  serviceMemoryLimit: '256Mi',
  serviceCPULimit: '0.125',
  buildMemoryLimit: '1Gi',
  buildCPULimit: '0.5',
});
