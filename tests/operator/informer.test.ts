import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { KubeClient } from '../../operator/src/kube/client.ts';
import { Informer } from '../../operator/src/kube/informer.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type ApiProxy, startApiProxy } from '../fixtures/operator-api-proxy.ts';
import {
  CONFIG_MAP,
  type ConfigMap,
  type OperatorCluster,
  openCluster,
  silent,
} from '../fixtures/operator-cluster.ts';

vi.setConfig({ testTimeout: 20_000 });

let cluster: OperatorCluster;
let client: KubeClient;
let proxy: ApiProxy;
let informer: Informer<ConfigMap>;
/** What the informer told: name and version of each object. */
let told: string[];
/** Labels what belongs to one test. */
let test = 0;

beforeAll(async () => {
  cluster = await openCluster();
  client = cluster.client;
});
afterAll(() => cluster?.remove());

beforeEach(async () => {
  test++;
  told = [];
  proxy = await startApiProxy(cluster.config);
  informer = new Informer<ConfigMap>(
    new KubeClient(proxy.config),
    {
      kind: CONFIG_MAP,
      namespace: cluster.name,
      labelSelector: `test=${test}`,
      onChange: ({ metadata }) => told.push(`${metadata.name} ${metadata.resourceVersion}`),
    },
    silent,
  );
});
afterEach(async () => {
  informer.stop();
  await proxy.close();
});

const object = (name: string, value = '') =>
  cluster.configMap(`${name}-${test}`, { data: { value }, labels: { test: String(test) } });
const create = (name: string, value?: string) => client.create<ConfigMap>(object(name, value));
const update = (name: string, value: string) =>
  client.mergePatch<ConfigMap>(object(name), { data: { value } });
const remove = (name: string) => client.delete(object(name));
const known = () =>
  Object.fromEntries(
    informer.list().map(({ metadata, data }) => [metadata.name.replace(/-\d+$/, ''), data?.value]),
  );
const knows = (expected: Record<string, string>) => eventually(async () => expect(known()).toEqual(expected));
const lists = () => proxy.calls.filter(call => !call.includes('watch=true')).length;
const watches = () => proxy.calls.filter(call => call.includes('watch=true')).length;
const expectNoDuplicates = () => expect(new Set(told).size).toBe(told.length);

describe('informer', () => {
  it('knows all that is there when it has started', async () => {
    await create('a', '1');
    await create('b', '2');
    await informer.start();
    expect(known()).toEqual({ a: '1', b: '2' });
    expect(told).toHaveLength(2);
  });

  it('hears of what is added, changed and removed, each once', async () => {
    await informer.start();
    const { metadata } = await create('a', '1');
    await knows({ a: '1' });
    const updated = await update('a', '2');
    await knows({ a: '2' });
    expect(informer.get(cluster.name, metadata.name)?.data).toEqual({ value: '2' });
    await remove('a');
    await knows({});
    expect(told.slice(0, 2)).toEqual([
      `${metadata.name} ${metadata.resourceVersion}`,
      `${metadata.name} ${updated.metadata.resourceVersion}`,
    ]);
    expect(told).toHaveLength(3);
    expect(lists()).toBe(1);
  });

  it('hears only of what is labelled so', async () => {
    await informer.start();
    await client.create(cluster.configMap(`foreign-${test}`));
    await create('a', '1');
    await knows({ a: '1' });
    expect(told).toHaveLength(1);
  });

  it('waits for an API server that is away when it starts', async () => {
    await create('a', '1');
    proxy.cut();
    const started = informer.start();
    await sleep(100);
    proxy.restore();
    await started;
    expect(known()).toEqual({ a: '1' });
  });

  it('catches up after its connection was cut, where it had left off, without a new list', async () => {
    await create('gone', '1');
    await create('changed', '1');
    await informer.start();
    await eventually(async () => expect(watches()).toBe(1));
    await create('kept', '0');
    await update('kept', '1');
    await knows({ gone: '1', changed: '1', kept: '1' });
    proxy.cut();
    await remove('gone');
    await update('changed', '2');
    await create('new', '1');
    await sleep(200);
    expect(known()).toEqual({ gone: '1', changed: '1', kept: '1' });
    proxy.restore();
    await knows({ changed: '2', kept: '1', new: '1' });
    expect(told).toHaveLength(7);
    expectNoDuplicates();
    expect(lists()).toBe(1);
  });

  const FORGOTTEN = {
    kind: 'Status',
    status: 'Failure',
    message: 'too old resource version: 1 (2)',
    reason: 'Expired',
    code: 410,
  };
  it.each<[string, (response: ServerResponse) => void]>([
    ['in the stream', response => response.end(JSON.stringify({ type: 'ERROR', object: FORGOTTEN }))],
    ['as its answer', response => response.writeHead(410).end(JSON.stringify(FORGOTTEN))],
  ])('lists anew when the server says, %s, that it has forgotten where it left off', async (_how, answer) => {
    const first = await create('recreated', '1');
    await create('gone', '1');
    await create('kept', '1');
    await informer.start();
    await eventually(async () => expect(watches()).toBe(1));
    proxy.cut();
    await remove('gone');
    await remove('recreated');
    const second = await create('recreated', '2');
    // The server forgets after five minutes at the earliest, so the proxy says it in its place.
    proxy.intercept = (url, response) => {
      if (!url.searchParams.has('watch')) return;
      proxy.intercept = undefined;
      answer(response);
    };
    proxy.restore();
    await knows({ recreated: '2', kept: '1' });
    expect(informer.get(cluster.name, first.metadata.name)?.metadata.uid).toBe(second.metadata.uid);
    expect(lists()).toBe(2);
    // Three at first, then two that are gone and one that is new; nothing of the one that stayed.
    expect(told).toHaveLength(6);
    await create('later', '1');
    await knows({ recreated: '2', kept: '1', later: '1' });
  });

  it('does not hammer a server that ends its watches at once', async () => {
    proxy.intercept = (url, response) => {
      if (url.searchParams.has('watch')) response.writeHead(200).end();
    };
    await informer.start();
    await sleep(1_000);
    expect(watches()).toBeLessThan(5);
    proxy.intercept = undefined;
    await create('a', '1');
    await knows({ a: '1' });
  });

  it('calls nothing while nothing happens, and nothing more once it is stopped', async () => {
    await informer.start();
    await eventually(async () => expect(watches()).toBe(1));
    await sleep(300);
    expect(proxy.calls).toHaveLength(2);
    informer.stop();
    await create('a', '1');
    await sleep(300);
    expect(told).toEqual([]);
    expect(proxy.calls).toHaveLength(2);
  });
});
