import { KubeConfig, KubernetesObjectApi, RbacAuthorizationV1Api } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PreviewEnvironment } from '#crds/kinds.ts';
import { API_GROUP_VERSION, LABELS } from '#crds/vocabulary.ts';
import { Builds } from '../../operator/src/build/builds.ts';
import { ClusterView } from '../../operator/src/deployment/cluster-view.ts';
import { newDeployment } from '../../operator/src/environment/decide.ts';
import { isolation } from '../../operator/src/environment/isolation.ts';
import { KubeClient } from '../../operator/src/kube/client.ts';
import { Informer } from '../../operator/src/kube/informer.ts';
import { EventRecorder } from '../../operator/src/kube/recorder.ts';
import type { KubeObject } from '../../operator/src/kube/resources.ts';
import { commit } from '../../operator/src/outbox/commit.ts';
import { readToken } from '../../operator/src/source/token.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type ApiProxy, startApiProxy } from '../fixtures/operator-api-proxy.ts';
import { isRbac, renderOperator, rights, rightsOfCall, rulesOf } from '../fixtures/operator-chart.ts';
import { type OperatorCluster, openCluster, silent } from '../fixtures/operator-cluster.ts';
import { COMMIT, NOW } from '../fixtures/operator-objects.ts';
import { TOOL_TIMEOUT_MS } from '../fixtures/operator-tools.ts';

let cluster: OperatorCluster;
let granted: ReturnType<typeof rulesOf>;
/** The operator's calls, with the rights of its service account. */
let proxy: ApiProxy;
let client: KubeClient;
let release: string;
let environmentNamespace: string;

beforeAll(async () => {
  cluster = await openCluster();
  release = cluster.name;
  environmentNamespace = `${cluster.name}-env`;
  const objects = (await renderOperator(release, cluster.name)).filter(isRbac);
  granted = rulesOf(objects);
  const api = KubernetesObjectApi.makeApiClient(cluster.config);
  for (const object of objects) await api.create(object);
  const { status } = await cluster.core.createNamespacedServiceAccountToken({
    namespace: cluster.name,
    name: `${release}-operator`,
    body: { spec: { audiences: [], expirationSeconds: 3600 } },
  });
  const server = cluster.config.getCurrentCluster();
  if (!server || !status?.token) throw new Error('the API server gave no token');
  const config = new KubeConfig();
  config.loadFromClusterAndUser(server, { name: 'operator', token: status.token });
  proxy = await startApiProxy(config);
  client = new KubeClient(proxy.config);
  // New roles are in force a moment later.
  await eventually(() => client.list({ apiVersion: API_GROUP_VERSION, kind: 'PreviewEnvironment' }));
  await eventually(() => readToken(client, cluster.name, 'absent').catch(expectNoSuchSecret));
  proxy.calls = [];
  proxy.forbidden = [];
}, TOOL_TIMEOUT_MS);
afterAll(async () => {
  await proxy?.close();
  const rbac = cluster?.config.makeApiClient(RbacAuthorizationV1Api);
  await rbac?.deleteClusterRoleBinding({ name: `${release}-operator` }).catch(() => {});
  await rbac?.deleteClusterRole({ name: `${release}-operator` }).catch(() => {});
  await cluster?.core.deleteNamespace({ name: environmentNamespace }).catch(() => {});
  await cluster?.remove();
});

function expectNoSuchSecret(error: unknown): void {
  expect(String(error)).toContain('does not exist');
}

describe("the operator's roles", () => {
  it('have no wildcard', () => expect(rights(granted).filter(right => right.includes('*'))).toEqual([]));

  it('cannot be used to get more rights', () => {
    const verbs = granted.flatMap(rule => rule.verbs);
    for (const verb of ['escalate', 'bind', 'impersonate']) expect(verbs).not.toContain(verb);
    const groups = granted.flatMap(rule => rule.apiGroups ?? []);
    expect(groups).not.toContain('rbac.authorization.k8s.io');
    const resources = granted.flatMap(rule => rule.resources ?? []);
    for (const resource of [
      'pods/exec',
      'pods/attach',
      'nodes',
      'serviceaccounts',
      'serviceaccounts/token',
    ]) {
      expect(resources).not.toContain(resource);
    }
  });

  it('reach Secrets only in namespaces that are named', async () => {
    const objects = await renderOperator(release, cluster.name);
    const everywhere = rights(rulesOf(objects.filter(({ kind }) => kind === 'ClusterRole')));
    expect(everywhere.filter(right => right.startsWith('/secrets'))).toEqual([]);
    const named = rights(rulesOf(objects.filter(({ kind }) => kind === 'Role')));
    expect(named).toEqual(['/secrets create', '/secrets get', '/secrets patch']);
  });
});

describe('what the operator does, with the rights that the chart gives it', () => {
  const never = () => {};
  const tools = () => ({ client, recorder: new EventRecorder(client, silent), publishedUpTo: () => 0 });

  it('watches', async () => {
    const view = new ClusterView(client, silent, never);
    const kinds = ['PreviewEnvironment', 'Deployment'].map(kind => ({ apiVersion: API_GROUP_VERSION, kind }));
    const informers = kinds.map(kind => new Informer(client, { kind, onChange: never }, silent));
    await Promise.all([view.start(), ...informers.map(informer => informer.start())]);
    const watches = () => proxy.calls.filter(call => call.includes('watch=true')).length;
    await eventually(async () => expect(watches()).toBe(12));
    view.stop();
    for (const informer of informers) informer.stop();
  });

  it('makes Deployments of an environment, adopts, reports, cancels and finalizes', async () => {
    const environment = await cluster.client.create<PreviewEnvironment>({
      apiVersion: API_GROUP_VERSION,
      kind: 'PreviewEnvironment',
      metadata: { name: 'shop', namespace: cluster.name },
      // Nowhere, so that an operator that runs beside the test has little to do.
      spec: { source: { url: 'http://127.0.0.1:1/x.git', ref: 'main' } },
    } as object as PreviewEnvironment);
    const seen = { ...environment, kind: 'PreviewEnvironment', apiVersion: API_GROUP_VERSION } as const;
    await client.mergePatch(seen, { metadata: { labels: { patched: 'yes' } } });
    const deployment = await client.create<KubeObject>(newDeployment(seen, COMMIT, 'inputs'));
    await client.mergePatch(deployment, { spec: { cancel: true } });
    const told = { type: 'Normal', reason: 'Canceled', message: 'Canceled on request' } as const;
    const data = { status: 'canceled', message: told.message } as const;
    await eventually(async () => {
      const latest = await cluster.deployment(deployment.metadata.name);
      if (!latest) throw new Error('it is gone');
      const after = { ...latest, status: { ...latest.status, status: 'canceled' as const } };
      await commit(
        tools(),
        latest,
        after,
        [{ type: 'deployment.status-changed', data, describe: told }],
        NOW,
      );
    });
    await eventually(async () => {
      const latest = await cluster.environment('shop');
      if (!latest) throw new Error('it is gone');
      await commit(tools(), latest, { ...latest, status: { ...latest.status, commit: COMMIT } }, [], NOW);
    });
    await eventually(async () =>
      expect(proxy.calls).toContainEqual(expect.stringMatching(/^POST .*\/events$/)),
    );
    await client.delete(deployment);
    await client.mergePatch(deployment, { metadata: { finalizers: [] } }).catch(never);
    await cluster.client.delete(seen);
  });

  it('builds', async () => {
    const builds = new Builds(client, {
      namespace: cluster.name,
      image: 'registry.invalid/buildkit:1',
      mode: 'rootless',
      registry: 'registry.invalid',
      registryInsecure: false,
      timeoutSeconds: 60,
    });
    const image = 'registry.invalid/demo/shop/web:1';
    const build = { service: 'web', context: '.', dockerfile: 'Dockerfile', args: {} };
    const source = { url: 'https://git.example/x', commit: COMMIT };
    await builds.prepare();
    await builds.start(
      { build, image, source, limits: { cpu: '1', memory: '1Gi' }, private: true, labels: {} },
      'token-of-the-repository',
    );
    const { items } = await cluster.client.list(
      { apiVersion: 'batch/v1', kind: 'Job' },
      { namespace: cluster.name },
    );
    const [job] = items;
    if (!job) throw new Error('there is no job');
    expect(await readToken(client, cluster.name, job.metadata.name)).toBe('token-of-the-repository');
    await builds.stop(job);
  });

  it('fences an environment off, fills it, prunes it and removes it', async () => {
    const labels = { [LABELS.environment]: 'shop', [LABELS.environmentNamespace]: cluster.name };
    const fence = isolation(environmentNamespace, labels, 'ingress');
    const metadata = { name: 'web', namespace: environmentNamespace, labels };
    const template = {
      metadata: { labels: { app: 'web' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'registry.invalid/x:1' }] },
    };
    const always = { ...template, spec: { ...template.spec, restartPolicy: 'Always' } };
    const selector = { matchLabels: { app: 'web' } };
    const rule = {
      host: 'web.example',
      http: {
        paths: [
          { path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } },
        ],
      },
    };
    const filling = [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {} },
      { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 80 }] } },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata,
        spec: { replicas: 0, selector, template: always },
      },
      { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { suspend: true, template } },
      { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata, spec: { rules: [rule] } },
    ];
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
    };
    for (const object of [...fence, ...filling, volume]) await client.apply(object as KubeObject);
    await client.log(environmentNamespace, 'web', { lines: 10 });
    for (const object of filling) await client.delete(object as KubeObject);
    await client.delete({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: environmentNamespace } });
  });

  it('was refused nothing in all of that', () => expect(proxy.forbidden).toEqual([]));

  it('needs no right that the chart does not list, and the chart lists no other', () => {
    const used = new Set(proxy.calls.flatMap(rightsOfCall));
    expect(rights(granted).filter(right => !used.has(right))).toEqual([]);
    expect([...used].filter(right => !rights(granted).includes(right))).toEqual([]);
  });

  it('cannot read a Secret of another namespace, and says what to change', async () => {
    await expect(readToken(client, 'kube-system', 'any')).rejects.toThrow(
      'Greenroom may not read Secrets in namespace kube-system: add it to operator.secretNamespaces',
    );
  });
});
