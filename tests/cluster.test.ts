import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchV1Api, CoreV1Api, type KubeConfig, NetworkingV1Api } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadKubeConfig } from '#local/cluster/addons.ts';
import type { Cluster } from '#local/cluster/provider.ts';
import { attachCluster } from '#local/cluster/start.ts';

const namespace = `cluster-test-${process.pid}`;
let cluster: Cluster;
let config: KubeConfig;
let core: CoreV1Api;

beforeAll(async () => {
  const attached = await attachCluster(process.env.TEST_INSTANCE ?? 'test');
  if (!attached) throw new Error('No cluster runs: npm test starts one');
  cluster = attached;
  config = loadKubeConfig(cluster.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
  await core.createNamespace({ body: { metadata: { name: namespace } } });
});

afterAll(() => core?.deleteNamespace({ name: namespace }));

/** Polls until `read` gives what `isDone` wants; the assertion then shows the last value. */
async function eventually<T>(
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
  timeout = 60_000,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await read();
    if (isDone(value) || Date.now() > end) return value;
    await sleep(300);
  }
}

/** A request to the ingress controller for a host's name; fetch would want that name to resolve. */
async function getWithHost(host: string, port: number): Promise<{ status: number; body: string }> {
  const request = http.get({ host: '127.0.0.1', port, headers: { host } });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}

const phaseOf = async (name: string) => (await core.readNamespacedPod({ name, namespace })).status?.phase;

test('the node is Ready and of the version wanted', async () => {
  const { items } = await core.listNode();
  expect(items).toHaveLength(1);
  expect(items[0]?.status?.nodeInfo?.kubeletVersion).toMatch(/^v1\.34\./);
  expect(items[0]?.status?.conditions?.find(c => c.type === 'Ready')?.status).toBe('True');
});

test.for(['redis:7', 'node:24-alpine'])(
  'a pod of %s starts unmodified',
  { timeout: 120_000 },
  async (image, { expect }) => {
    const name = image.replace(/[^a-z0-9]/g, '-');
    const command = image.startsWith('node') ? { args: ['-e', 'setInterval(() => {}, 1000)'] } : {};
    await core.createNamespacedPod({
      namespace,
      body: { metadata: { name }, spec: { containers: [{ name: 'c', image, ...command }] } },
    });
    expect(
      await eventually(
        () => phaseOf(name),
        p => p === 'Running',
      ),
    ).toBe('Running');
  },
);

test('a claim is bound, its pod serves through the ingress, and resolves the host', {
  timeout: 120_000,
}, async () => {
  const labels = { app: 'web' };
  const command =
    'getent hosts host.internal > /data/index.html || nslookup host.internal > /data/index.html; exec httpd -f -p 8080 -h /data';
  await core.createNamespacedPersistentVolumeClaim({
    namespace,
    body: {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  });
  await core.createNamespacedPod({
    namespace,
    body: {
      metadata: { name: 'web', labels },
      spec: {
        containers: [
          {
            name: 'c',
            image: 'busybox:1',
            command: ['sh', '-c', command],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
    },
  });
  await core.createNamespacedService({
    namespace,
    body: { metadata: { name: 'web' }, spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] } },
  });
  const backend = { service: { name: 'web', port: { number: 80 } } };
  await config.makeApiClient(NetworkingV1Api).createNamespacedIngress({
    namespace,
    body: {
      metadata: { name: 'web' },
      spec: {
        rules: [{ host: 'x.localhost', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
      },
    },
  });
  const get = () => getWithHost('x.localhost', cluster.httpPort);
  const answer = await eventually(get, a => a.status === 200);
  expect(answer.status).toBe(200);
  expect(answer.body).toContain(cluster.hostGateway);
});

test('a rootless build pushes an image that a pod then runs', { timeout: 240_000 }, async () => {
  const image = `${cluster.registry.cluster}/test/built:1`;
  const mirror = cluster.registry.mirror
    ? `[registry."docker.io"]\nmirrors = ["${cluster.registry.cluster}"]\n`
    : '';
  await core.createNamespacedConfigMap({
    namespace,
    body: {
      metadata: { name: 'build' },
      data: {
        'buildkitd.toml': `${mirror}[registry."${cluster.registry.cluster}"]\nhttp = true\n`,
        Dockerfile: 'FROM busybox\nRUN echo built > /built\nCMD ["cat", "/built"]\n',
      },
    },
  });
  const daemon =
    'buildctl-daemonless.sh build --frontend dockerfile.v0 --local context=/context --local dockerfile=/context --output "type=image,name=$IMAGE,push=true"';
  await config.makeApiClient(BatchV1Api).createNamespacedJob({
    namespace,
    body: {
      metadata: { name: 'build' },
      spec: {
        backoffLimit: 0,
        template: {
          spec: {
            restartPolicy: 'Never',
            automountServiceAccountToken: false,
            securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
            containers: [
              {
                name: 'build',
                image: cluster.images.buildkit,
                command: ['sh', '-c', daemon],
                env: [
                  { name: 'IMAGE', value: image },
                  {
                    name: 'BUILDKITD_FLAGS',
                    value:
                      '--config /etc/buildkit/buildkitd.toml --oci-worker-no-process-sandbox --oci-worker-net=host',
                  },
                ],
                // newuidmap carries file capabilities, which no-new-privileges would void.
                securityContext: {
                  allowPrivilegeEscalation: true,
                  seccompProfile: { type: 'Unconfined' },
                  appArmorProfile: { type: 'Unconfined' },
                },
                volumeMounts: [
                  { name: 'state', mountPath: '/home/user/.local/share/buildkit' },
                  { name: 'build', mountPath: '/etc/buildkit' },
                  { name: 'build', mountPath: '/context' },
                ],
              },
            ],
            volumes: [
              { name: 'state', emptyDir: {} },
              { name: 'build', configMap: { name: 'build' } },
            ],
          },
        },
      },
    },
  });
  const batch = config.makeApiClient(BatchV1Api);
  const job = await eventually(
    () => batch.readNamespacedJob({ name: 'build', namespace }),
    j => Boolean(j.status?.succeeded || j.status?.failed),
    200_000,
  );
  const [pod] = (await core.listNamespacedPod({ namespace, labelSelector: 'job-name=build' })).items;
  const log = await core.readNamespacedPodLog({ namespace, name: pod?.metadata?.name ?? '' });
  expect(job.status?.succeeded, log).toBe(1);

  await core.createNamespacedPod({
    namespace,
    body: {
      metadata: { name: 'built' },
      spec: { restartPolicy: 'Never', containers: [{ name: 'c', image }] },
    },
  });
  expect(
    await eventually(
      () => phaseOf('built'),
      p => p === 'Succeeded' || p === 'Failed',
    ),
  ).toBe('Succeeded');
  expect(await core.readNamespacedPodLog({ namespace, name: 'built' })).toBe('built\n');
});
