import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isConflict, KubeClient, KubeError } from '../../operator/src/kube/client.ts';
import { startApiProxy } from '../fixtures/operator-api-proxy.ts';
import {
  CONFIG_MAP,
  type ConfigMap,
  type OperatorCluster,
  openCluster,
  reachedAt,
  serverOf,
} from '../fixtures/operator-cluster.ts';
import { startProxy } from '../fixtures/proxy.ts';

let cluster: OperatorCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await openCluster();
  client = cluster.client;
});
afterAll(() => cluster?.remove());

const get = (name: string) => client.get<ConfigMap>(CONFIG_MAP, cluster.name, name);
const refusal = (call: Promise<unknown>): Promise<KubeError> =>
  call.then(
    () => expect.fail('the API server was to refuse it'),
    error => error,
  );

describe('client of the API server', () => {
  it('lists what does not fit in one page, each object once and with its kind', async () => {
    const labelSelector = 'of=pages';
    const names = Array.from({ length: 505 }, (_, index) => `page-${index}`);
    for (let start = 0; start < names.length; start += 50) {
      await Promise.all(
        names
          .slice(start, start + 50)
          .map(name => client.create(cluster.configMap(name, { labels: { of: 'pages' } }))),
      );
    }
    const proxy = await startApiProxy(cluster.config);
    const { items, resourceVersion } = await new KubeClient(proxy.config).list<ConfigMap>(CONFIG_MAP, {
      namespace: cluster.name,
      labelSelector,
    });
    await proxy.close();
    expect(items.map(({ metadata }) => metadata.name).toSorted()).toEqual(names.toSorted());
    expect(items.every(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'ConfigMap')).toBe(true);
    expect(Number(resourceVersion)).toBeGreaterThan(0);
    expect(proxy.calls).toHaveLength(2);
  });

  it('lists only what is labelled so', async () => {
    await client.create(cluster.configMap('labelled', { labels: { of: 'label' } }));
    await client.create(cluster.configMap('other'));
    const { items } = await client.list(CONFIG_MAP, { namespace: cluster.name, labelSelector: 'of=label' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['labelled']);
  });

  it('finds nothing where nothing is', async () => expect(await get('absent')).toBeUndefined());

  it('says of a second object of the same name that it is a conflict', async () => {
    await client.create(cluster.configMap('twice'));
    const error = await refusal(client.create(cluster.configMap('twice')));
    expect(isConflict(error)).toBe(true);
    expect(error).toMatchObject({ status: 409, reason: 'AlreadyExists' });
  });

  it('says of a write on an old copy that it is a conflict', async () => {
    const { name } = await cluster
      .createDeployment({
        metadata: { name: 'old-copy' },
        spec: {
          environment: 'none',
          namespace: 'none',
          source: { url: 'https://x/y', commit: 'a'.repeat(40) },
        } as never,
      })
      .then(({ metadata }) => metadata);
    const kind = { apiVersion: 'greenroom.dev/v1alpha1', kind: 'Deployment' };
    const seen = await client.get<ConfigMap & { status?: object }>(kind, cluster.name, name);
    if (!seen) throw new Error('it is not there');
    await client.replaceStatus({ ...seen, status: { eventSeq: 1 } });
    expect(isConflict(await refusal(client.replaceStatus({ ...seen, status: { eventSeq: 2 } })))).toBe(true);
    expect((await cluster.deployment(name))?.status?.eventSeq).toBe(1);
  });

  it('says what was refused, and why', async () => {
    const error = await refusal(client.create(cluster.configMap('Not_A_Name')));
    expect(error).toBeInstanceOf(KubeError);
    expect(error).toMatchObject({ status: 422, reason: 'Invalid' });
    expect(error.message).toContain(`POST /api/v1/namespaces/${cluster.name}/configmaps: `);
    expect(error.message).toContain('Not_A_Name');
  });

  it('applies: takes fields over from whoever set them, and keeps the others', async () => {
    await client.create(cluster.configMap('applied', { data: { ours: 'no', theirs: 'kept' } }));
    await client.apply(cluster.configMap('applied', { data: { ours: 'yes' } }));
    expect((await get('applied'))?.data).toEqual({ ours: 'yes', theirs: 'kept' });
  });

  describe('deletes', () => {
    it('what was seen', async () => {
      await client.delete(await client.create<ConfigMap>(cluster.configMap('seen')));
      expect(await get('seen')).toBeUndefined();
    });

    it('not what came after it under the same name', async () => {
      const first = await client.create<ConfigMap>(cluster.configMap('successor'));
      await client.delete(first);
      const second = await client.create<ConfigMap>(cluster.configMap('successor'));
      expect(isConflict(await refusal(client.delete(first)))).toBe(true);
      expect((await get('successor'))?.metadata.uid).toBe(second.metadata.uid);
    });

    it('nothing where nothing is, without complaint', async () => {
      await expect(client.delete(cluster.configMap('absent'))).resolves.toBeUndefined();
    });
  });

  it('uses its connections again', async () => {
    const proxy = await startProxy(serverOf(cluster.config));
    const through = new KubeClient(reachedAt(cluster.config, `https://127.0.0.1:${proxy.port}`));
    for (let call = 0; call < 20; call++) await through.get(CONFIG_MAP, cluster.name, 'absent');
    await through.create(cluster.configMap('through'));
    const { connections } = proxy;
    await proxy.close();
    expect(connections).toBe(1);
  });
});
