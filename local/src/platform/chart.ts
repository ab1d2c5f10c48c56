import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CoreV1Api,
  type KubernetesObject,
  KubernetesObjectApi,
  loadAllYaml,
  PatchStrategy,
} from '@kubernetes/client-node';
import { binaries, toolPath } from '../binaries/build.ts';
import { loadKubeConfig } from '../cluster/addons.ts';
import { type Cluster, publishedNodePorts } from '../cluster/provider.ts';
import type { Limiter } from '../limiter.ts';
import { run } from '../process.ts';
import type { Progress } from '../progress.ts';
import { type Part, projectDir } from './bundle.ts';
import type { GitHubStandIn } from './github.ts';

/** Helm release and the namespace that it is in. */
export const RELEASE = 'greenroom';
const GITHUB_SECRET = 'greenroom-github';

export interface InstallOptions {
  cluster: Cluster;
  github: GitHubStandIn;
  images: Record<Part, string>;
  dashboardUrl: string;
  /** False leaves operator and API out: they run on the host. */
  withParts: boolean;
}

/** Installs or upgrades Greenroom with its Helm chart, as one would on any cluster, and waits until all of it is ready. */
export async function installChart(
  options: InstallOptions,
  limiter: Limiter,
  progress: Progress,
): Promise<void> {
  const { cluster, github } = options;
  await binaries('helm', limiter, progress);
  const crds = join(projectDir, 'crds', 'generated');
  await apply(cluster, [
    // Helm installs the CRDs of a chart once and never upgrades them.
    ...(await Promise.all((await readdir(crds)).map(name => readFile(join(crds, name), 'utf8')))).flatMap(
      parse,
    ),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: RELEASE } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: GITHUB_SECRET, namespace: RELEASE },
      stringData: {
        clientId: github.config.app.clientId,
        clientSecret: github.config.app.clientSecret,
        webhookSecret: github.config.app.webhookSecret,
        privateKey: github.privateKey,
      },
    } as KubernetesObject,
    ...(cluster.container ? [nodePort('nats', 4222), nodePort('mongodb', 27017)] : []),
  ]);
  await progress.step('installing Greenroom with Helm', () =>
    run(
      toolPath('helm', 'helm'),
      [
        ...['upgrade', '--install', RELEASE, join(projectDir, 'charts', 'greenroom')],
        ...['--namespace', RELEASE, '--kubeconfig', cluster.kubeconfig, '--skip-crds'],
        ...['--values', '-', '--wait', '--timeout', '5m'],
      ],
      { input: JSON.stringify(chartValues(options)), log: 'helm' },
    ),
  );
}

/** The chart's values for a platform on this machine. */
export function chartValues({ cluster, github, images, dashboardUrl, withParts }: InstallOptions) {
  const { registry } = cluster;
  const replicas = withParts ? 1 : 0;
  return {
    dashboard: { url: dashboardUrl },
    previews: {
      domain: 'localhost',
      scheme: 'http',
      port: cluster.httpPort,
      ingressNamespace: cluster.ingress.namespace,
      ...(cluster.ingress.url && { ingressUrl: cluster.ingress.url }),
    },
    github: {
      url: github.url,
      apiUrl: github.apiUrl,
      appId: String(github.config.app.id),
      appSlug: github.config.app.slug,
      existingSecret: GITHUB_SECRET,
    },
    access: { admins: github.config.users.filter(user => user.admin).map(user => user.login) },
    registry: {
      host: registry.cluster,
      insecure: registry.insecure,
      ...(registry.mirror && { mirror: registry.cluster }),
    },
    builds: { image: cluster.images.buildkit, maxParallel: 2 },
    operator: { image: images.operator, replicas },
    api: { image: images.api, replicas },
    nats: { image: cluster.images.nats },
    mongodb: { image: cluster.images.mongodb, uriOptions: 'directConnection=true' },
  };
}

/** Publishes a part of the release at the node, so that scripts and a host-run API reach it. */
function nodePort(name: keyof typeof publishedNodePorts, port: number): KubernetesObject {
  const object = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `${name}-for-the-host`, namespace: RELEASE },
    spec: {
      type: 'NodePort',
      selector: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': RELEASE },
      ports: [{ port, nodePort: publishedNodePorts[name] }],
    },
  };
  return object;
}

/** The keys that the chart made at its first installation; undefined while there are none or the cluster is away. */
export async function readChartKeys(
  cluster: Cluster,
): Promise<{ natsToken: string; encryptionKey: string } | undefined> {
  const core = loadKubeConfig(cluster.kubeconfig).makeApiClient(CoreV1Api);
  const name = `${RELEASE}-keys`;
  const secret = await core.readNamespacedSecret({ namespace: RELEASE, name }).catch(() => undefined);
  const { natsToken, encryptionKey } = secret?.data ?? {};
  if (!natsToken || !encryptionKey) return undefined;
  const text = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');
  return { natsToken: text(natsToken), encryptionKey: text(encryptionKey) };
}

const parse = (text: string) => loadAllYaml(text) as KubernetesObject[];

async function apply(cluster: Cluster, objects: KubernetesObject[]): Promise<void> {
  const api = KubernetesObjectApi.makeApiClient(loadKubeConfig(cluster.kubeconfig));
  for (const object of objects) {
    await api.patch(object, undefined, undefined, 'greenroom-local', true, PatchStrategy.ServerSideApply);
  }
}
