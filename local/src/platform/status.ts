import { connect } from 'node:net';
import { publishedNodePorts } from '../cluster/provider.ts';
import { attachCluster } from '../cluster/start.ts';
import { readChartKeys } from './chart.ts';
import { readGitHubConfig } from './github.ts';
import { kubectlPath } from './kubectl.ts';
import { readPlatform } from './platform.ts';

export type Health = 'up' | 'down';

/** What scripts need to know of a running platform; printed by `npm run --silent status -- --json`. */
export interface Status {
  instance: string;
  running: boolean;
  dashboard?: { url: string };
  api?: { url: string };
  github?: { url: string; apiUrl: string };
  /** `url` for this machine, `cluster` (host:port) for image names. */
  registry?: { url: string; cluster: string };
  nats?: { url: string; token: string };
  mongodb?: { uri: string };
  kubeconfig?: string;
  kubectl?: string;
  /** Users of the GitHub stand-in; `token` is a personal access token and the password of `git push`. */
  users: { login: string; token: string; admin: boolean }[];
  /** `cloneUrl` for this machine, `clusterCloneUrl` for PreviewEnvironments. */
  repositories: { name: string; url: string; cloneUrl: string; clusterCloneUrl: string }[];
  health: Partial<
    Record<'cluster' | 'dashboard' | 'api' | 'github' | 'registry' | 'nats' | 'mongodb', Health>
  >;
}

export async function readStatus(instance: string): Promise<Status> {
  const [cluster, platform, github] = await Promise.all([
    attachCluster(instance).catch(() => undefined),
    readPlatform(instance),
    readGitHubConfig(instance),
  ]);
  if (!cluster || !platform || !github)
    return { instance, running: false, users: [], repositories: [], health: {} };
  const keys = await readChartKeys(cluster);
  const natsPort = cluster.nodePorts[publishedNodePorts.nats];
  const mongodbPort = cluster.nodePorts[publishedNodePorts.mongodb];
  const registryUrl = `${cluster.registry.insecure ? 'http' : 'https'}://${cluster.registry.host}`;
  const clusterGitHub = `http://${cluster.hostAddress}:${github.port}`;
  return {
    instance,
    running: true,
    dashboard: { url: platform.dashboardUrl },
    api: { url: platform.dashboardUrl },
    github: { url: platform.githubUrl, apiUrl: `${platform.githubUrl}/api/v3` },
    registry: { url: registryUrl, cluster: cluster.registry.cluster },
    // On a cluster of somebody else's they are not published on this machine.
    ...(natsPort && { nats: { url: `nats://127.0.0.1:${natsPort}`, token: keys?.natsToken ?? '' } }),
    ...(mongodbPort && {
      mongodb: { uri: `mongodb://127.0.0.1:${mongodbPort}/greenroom?directConnection=true` },
    }),
    kubeconfig: cluster.kubeconfig,
    kubectl: kubectlPath(),
    users: github.users.map(({ login, token: own, admin = false }) => ({ login, token: own, admin })),
    repositories: (github.repositories ?? []).map(({ owner, name }) => ({
      name: `${owner}/${name}`,
      url: `${platform.githubUrl}/${owner}/${name}`,
      cloneUrl: `${platform.githubUrl}/${owner}/${name}.git`,
      clusterCloneUrl: `${clusterGitHub}/${owner}/${name}.git`,
    })),
    health: {
      cluster: keys === undefined ? 'down' : 'up',
      dashboard: await answers(`${platform.dashboardUrl}/`),
      api: await answers(`${platform.dashboardUrl}/readyz`),
      github: await answers(`${platform.githubUrl}/`),
      registry: await answers(`${registryUrl}/v2/`),
      ...(natsPort && { nats: await listens(natsPort) }),
      ...(mongodbPort && { mongodb: await listens(mongodbPort) }),
    },
  };
}

async function answers(url: string): Promise<Health> {
  const response = await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
  return response?.ok ? 'up' : 'down';
}

function listens(port: number): Promise<Health> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 3_000 });
    const end = (health: Health) => {
      socket.destroy();
      resolve(health);
    };
    socket.on('connect', () => end('up'));
    socket.on('timeout', () => end('down'));
    socket.on('error', () => end('down'));
  });
}
