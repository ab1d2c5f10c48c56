import { verify } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from './receiver.ts';
import { faultsOfAnswer, faultsOfWebhook } from './schemas.ts';
import { startTestGitHub, type TestGitHub, tokens } from './start.ts';

const shopAt = { owner: 'demo', repo: 'shop' };
const hooks = '/repos/{owner}/{repo}/hooks';
let github: TestGitHub;
let receiver: Receiver;

beforeAll(async () => {
  github = await startTestGitHub();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await github.close();
});

const create = (path: string, token = tokens.demo) =>
  github.as(token).rest.repos.createWebhook({
    ...shopAt,
    events: ['push'],
    config: { url: `${receiver.url}/${path}`, content_type: 'json', secret: 'shh' },
  });

/** Deliveries are recorded a moment after the receiver has them. */
const deliveriesOf = (id: number, count: number) =>
  expect.poll(async () => {
    const { data } = await github
      .as(tokens.demo)
      .rest.repos.listWebhookDeliveries({ ...shopAt, hook_id: id });
    return data.length === count ? data : undefined;
  });

describe('repository hooks', () => {
  test('are made, read, changed and deleted, and never show their secret', async () => {
    const octokit = github.as(tokens.demo);
    const { data: hook } = await create('crud');
    expect(faultsOfAnswer(`POST ${hooks}`, 201, hook)).toEqual([]);
    expect(JSON.stringify(hook)).not.toContain('shh');
    const at = { ...shopAt, hook_id: hook.id };
    const changed = await octokit.rest.repos.updateWebhook({
      ...at,
      events: ['pull_request'],
      active: false,
    });
    expect(changed.data).toMatchObject({ events: ['pull_request'], active: false });
    const list = await octokit.rest.repos.listWebhooks(shopAt);
    expect(faultsOfAnswer(`GET ${hooks}`, 200, list.data)).toEqual([]);
    await octokit.rest.repos.deleteWebhook(at);
    await expect(octokit.rest.repos.getWebhook(at)).rejects.toMatchObject({ status: 404 });
  });

  test('the same address twice is refused in the words that clients look for', async () => {
    await create('twice');
    await expect(create('twice')).rejects.toMatchObject({
      status: 422,
      response: {
        data: {
          message: 'Validation Failed',
          errors: [{ resource: 'Hook', code: 'custom', message: 'Hook already exists on this repository' }],
        },
      },
    });
  });

  test('are for administrators', async () => {
    await expect(create('no', tokens.mallory)).rejects.toMatchObject({ status: 403 });
    const secret = github.as(tokens.mallory).rest.repos.listWebhooks({ owner: 'demo', repo: 'secret' });
    await expect(secret).rejects.toMatchObject({ status: 404 });
    const nobody = github.as('nobody').rest.repos.listWebhooks(shopAt);
    await expect(nobody).rejects.toMatchObject({
      status: 401,
      response: { data: { message: 'Bad credentials' } },
    });
  });

  test('greet with a signed ping, record it, and send it again under the same guid', async () => {
    receiver.received.length = 0;
    receiver.status = 503;
    const { data: hook } = await create('again');
    const ping = await receiver.next('ping');
    expect(faultsOfWebhook('ping', ping.payload)).toEqual([]);
    expect(await verify('shh', ping.body, ping.signature)).toBe(true);
    await deliveriesOf(hook.id, 1).toMatchObject([{ guid: ping.guid, status_code: 503, redelivery: false }]);

    receiver.status = 200;
    const octokit = github.as(tokens.demo);
    const at = { ...shopAt, hook_id: hook.id };
    const [first] = (await octokit.rest.repos.listWebhookDeliveries(at)).data;
    const delivery = { ...at, delivery_id: first?.id ?? 0 };
    const full = await octokit.rest.repos.getWebhookDelivery(delivery);
    expect(full.data.response.payload).toBe('thanks');
    expect(faultsOfAnswer(`GET ${hooks}/{hook_id}/deliveries/{delivery_id}`, 200, full.data)).toEqual([]);
    await octokit.rest.repos.redeliverWebhookDelivery(delivery);
    const again = await receiver.next('ping');
    expect([again.guid, again.body]).toEqual([ping.guid, ping.body]);
    await deliveriesOf(hook.id, 2).toMatchObject([{ status: 'OK', redelivery: true }, { redelivery: false }]);
    const list = await octokit.rest.repos.listWebhookDeliveries(at);
    expect(faultsOfAnswer(`GET ${hooks}/{hook_id}/deliveries`, 200, list.data)).toEqual([]);
  });

  test('a receiver that is not there is recorded, not tried again', async () => {
    const { data: hook } = await github.as(tokens.demo).rest.repos.createWebhook({
      ...shopAt,
      config: { url: 'http://127.0.0.1:1/gone' },
    });
    await deliveriesOf(hook.id, 1).toMatchObject([{ status_code: 502, status: 'failed to connect to host' }]);
  });

  test('a receiver that does not answer within 10 s is given up', { timeout: 15_000 }, async () => {
    const { createServer } = await import('node:http');
    const mute = createServer(() => {});
    await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve));
    const address = mute.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { data: hook } = await github.as(tokens.demo).rest.repos.createWebhook({
      ...shopAt,
      config: { url: `http://127.0.0.1:${port}/mute` },
    });
    await expect
      .poll(
        async () => {
          const at = { ...shopAt, hook_id: hook.id };
          const { data } = await github.as(tokens.demo).rest.repos.listWebhookDeliveries(at);
          return data[0]?.status;
        },
        { timeout: 13_000, interval: 500 },
      )
      .toBe('timed out');
    mute.closeAllConnections();
    mute.close();
  });
});
