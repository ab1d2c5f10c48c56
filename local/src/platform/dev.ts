import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildReader } from '#compose/build-reader.ts';
import { firstFreePort } from '../cluster/ports.ts';
import { attachCluster } from '../cluster/start.ts';
import { instanceDir } from '../paths.ts';
import { projectDir } from './bundle.ts';
import { RELEASE, readChartKeys } from './chart.ts';
import { DEV_DASHBOARD_URL, readGitHubConfig } from './github.ts';
import { readStatus } from './status.ts';

const API_PORT = 3001;

/** Runs operator, API and dashboard on this machine with reload, against the platform's other parts. Ends with Ctrl-C. */
export async function startDev(instance: string): Promise<void> {
  const [cluster, status, github] = await Promise.all([
    attachCluster(instance),
    readStatus(instance),
    readGitHubConfig(instance),
  ]);
  if (!cluster || !status.nats || !status.mongodb || !github) throw new Error('The platform does not run');
  await buildReader();
  const keys = await readChartKeys(cluster);
  if (!keys) throw new Error('The cluster does not answer, or Greenroom is not installed in it');
  const folder = join(instanceDir(instance), 'dev');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const tokenFile = join(folder, 'natsToken');
  await writeFile(tokenFile, keys.natsToken);
  await chmod(tokenFile, 0o600);
  const common = { NATS_URL: status.nats.url, NATS_TOKEN_FILE: tokenFile, KUBECONFIG: cluster.kubeconfig };
  const children = [
    watch('operator/src/main.ts', {
      ...common,
      PORT: String(await firstFreePort(9081)),
      WAITING_PAGE_PORT: String(await firstFreePort(9182)),
      BUILDER_IMAGE: cluster.images.buildkit,
      REGISTRY: cluster.registry.cluster,
      REGISTRY_URL: status.registry?.url ?? '',
      REGISTRY_INSECURE: String(cluster.registry.insecure),
      REGISTRY_MIRROR: cluster.registry.mirror ? cluster.registry.cluster : '',
      PREVIEW_DOMAIN: 'localhost',
      PREVIEW_SCHEME: 'http',
      PREVIEW_PORT: String(cluster.httpPort),
      INGRESS_NAMESPACE: cluster.ingress.namespace,
      INGRESS_URL: `http://127.0.0.1:${cluster.httpPort}`,
    }),
    watch('api/src/main.ts', {
      ...common,
      PORT: String(API_PORT),
      HOST: '127.0.0.1',
      PUBLIC_URL: DEV_DASHBOARD_URL,
      MONGODB_URI: status.mongodb.uri,
      GITHUB_URL: status.github?.url ?? '',
      // An address that pods reach too: clone URLs follow it.
      GITHUB_API_URL: `http://${cluster.hostGateway}:${github.port}/api/v3`,
      GITHUB_APP_ID: String(github.app.id),
      GITHUB_APP_SLUG: github.app.slug,
      GITHUB_CLIENT_ID: github.app.clientId,
      GITHUB_CLIENT_SECRET: github.app.clientSecret,
      GITHUB_PRIVATE_KEY_FILE: github.app.keyFile,
      GITHUB_WEBHOOK_SECRET: github.app.webhookSecret ?? '',
      WEBHOOK_URL: `http://127.0.0.1:${API_PORT}/api/webhooks/github`,
      ENCRYPTION_KEY: keys.encryptionKey,
      ENVIRONMENT_NAMESPACE: RELEASE,
    }),
    node(
      [
        'node_modules/vite/bin/vite.js',
        'dashboard',
        '--port',
        new URL(DEV_DASHBOARD_URL).port,
        '--strictPort',
      ],
      {
        GREENROOM_API_URL: `http://127.0.0.1:${API_PORT}`,
      },
    ),
  ];
  process.stdout.write(`Dashboard with reload: ${DEV_DASHBOARD_URL} (API ${API_PORT}); Ctrl-C ends it\n`);
  await new Promise<void>(resolve => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => resolve());
  });
  for (const child of children) child.kill('SIGTERM');
}

const watch = (entry: string, env: Record<string, string>) => node(['--watch', entry], env);

function node(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: projectDir,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
}
