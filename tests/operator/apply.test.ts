import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Applier } from '../../operator/src/kube/apply.ts';
import { KubeClient } from '../../operator/src/kube/client.ts';
import type { KubeObject } from '../../operator/src/kube/resources.ts';
import { type ApiProxy, startApiProxy } from '../fixtures/operator-api-proxy.ts';
import { type OperatorCluster, openCluster } from '../fixtures/operator-cluster.ts';

let cluster: OperatorCluster;
let proxy: ApiProxy;
let applier: Applier;

beforeAll(async () => {
  cluster = await openCluster();
});
afterAll(() => cluster?.remove());
beforeEach(async () => {
  proxy = await startApiProxy(cluster.config);
  applier = new Applier(new KubeClient(proxy.config));
});
afterEach(() => proxy.close());

/** Kinds whose changes the API server counts in a generation, and kinds that have none: content, and a change by hand. */
const KINDS: [string, string, object, object][] = [
  [
    'apps/v1',
    'Deployment',
    {
      spec: {
        replicas: 0,
        minReadySeconds: 1,
        selector: { matchLabels: { app: 'x' } },
        template: { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'x:1' }] } },
      },
    },
    { spec: { minReadySeconds: 7 } },
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    { spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } },
    { spec: { policyTypes: ['Ingress'] } },
  ],
  ['v1', 'ConfigMap', { data: { key: 'wanted' } }, { data: { key: 'by hand' } }],
  [
    'v1',
    'Service',
    { spec: { clusterIP: 'None', selector: { app: 'x' } } },
    { spec: { selector: { app: 'elsewhere' } } },
  ],
];

describe.each(KINDS)('%s %s', (apiVersion, kind, content, drift) => {
  const object = (): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name: 'applied', namespace: cluster.name },
    ...content,
  });
  const observe = () => cluster.client.get<KubeObject>({ apiVersion, kind }, cluster.name, 'applied');

  it('is applied once while nothing changes, and after a restart once more', async () => {
    expect(await applier.apply(object(), await observe())).toBe(true);
    for (let again = 0; again < 3; again++)
      expect(await applier.apply(object(), await observe())).toBe(false);
    expect(proxy.calls).toHaveLength(1);
    const before = await observe();
    const restarted = new Applier(new KubeClient(proxy.config));
    expect(await restarted.apply(object(), before)).toBe(true);
    expect(await observe()).toEqual(before);
  });

  it('is set right when somebody changed it by hand', async () => {
    await applier.apply(object(), undefined);
    await cluster.client.mergePatch(object(), drift);
    expect(await observe()).toMatchObject(drift);
    expect(await applier.apply(object(), await observe())).toBe(true);
    expect(await observe()).toMatchObject(content);
    expect(await applier.apply(object(), await observe())).toBe(false);
  });

  it('is made again when somebody deleted it, also where another is in its place', async () => {
    await applier.apply(object(), undefined);
    await cluster.client.delete(object());
    expect(await applier.apply(object(), undefined)).toBe(true);
    const first = await observe();
    await cluster.client.delete(object());
    await cluster.client.create(object());
    expect((await observe())?.metadata.uid).not.toBe(first?.metadata.uid);
    expect(await applier.apply(object(), await observe())).toBe(true);
  });
});

it('makes no call when a controller only writes beside the content, as Kubernetes does all the time', async () => {
  const [[apiVersion, kind, content] = ['', '', {}]] = KINDS;
  const busy: KubeObject = {
    apiVersion,
    kind,
    metadata: { name: 'busy', namespace: cluster.name },
    ...content,
  };
  await applier.apply(busy, undefined);
  const before = await cluster.client.get(busy, cluster.name, 'busy');
  await cluster.client.mergePatch(busy, { metadata: { labels: { beside: 'it' } } });
  const after = await cluster.client.get(busy, cluster.name, 'busy');
  expect(after?.metadata.resourceVersion).not.toBe(before?.metadata.resourceVersion);
  expect(await applier.apply(busy, after)).toBe(false);
});

it('applies what is wanted otherwise', async () => {
  const wanted = (value: string) => cluster.configMap('changed', { data: { value } });
  const live = () => cluster.client.get<ReturnType<typeof wanted>>(wanted(''), cluster.name, 'changed');
  await applier.apply(wanted('1'), undefined);
  expect(await applier.apply(wanted('2'), await live())).toBe(true);
  expect((await live())?.data).toEqual({ value: '2' });
});

it('forgets a namespace that is gone, and no other', async () => {
  const there = cluster.configMap('forgotten');
  await applier.apply(there, undefined);
  const live = await cluster.client.get(there, cluster.name, 'forgotten');
  applier.forgetNamespace('other');
  expect(await applier.apply(there, live)).toBe(false);
  applier.forgetNamespace(cluster.name);
  expect(await applier.apply(there, live)).toBe(true);
});
