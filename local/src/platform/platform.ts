import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartOptions } from '../cluster/provider.ts';
import { endCluster, startCluster } from '../cluster/start.ts';
import { createLimiter } from '../limiter.ts';
import { instanceDir } from '../paths.ts';
import type { Progress } from '../progress.ts';
import { stopDocker } from '../requirements/docker.ts';
import { PARTS, type Part } from './bundle.ts';
import { installChart } from './chart.ts';
import { removeGitHub, startGitHub, stopGitHub } from './github.ts';
import { publishParts } from './part-images.ts';

/** What other processes need to know of a running platform. */
export interface PlatformState {
  dashboardUrl: string;
  githubUrl: string;
  /** Images of the parts in the cluster; absent while they run on the host. */
  images?: Record<Part, string>;
}

const stateFile = (instance: string) => join(instanceDir(instance), 'platform.json');

/** The instance's platform, if it was started and not stopped since. */
export async function readPlatform(instance: string): Promise<PlatformState | undefined> {
  return existsSync(stateFile(instance))
    ? JSON.parse(await readFile(stateFile(instance), 'utf8'))
    : undefined;
}

/** Starts all of it, or what of it does not run yet: cluster, GitHub stand-in, and Greenroom from its chart. */
export async function startPlatform(
  options: Omit<StartOptions, 'limiter' | 'progress'> & { progress: Progress; withParts?: boolean },
): Promise<PlatformState> {
  const { progress, withParts = true } = options;
  const limiter = createLimiter(2);
  const cluster = await startCluster({ ...options, limiter });
  const dashboardUrl = `http://localhost:${cluster.httpPort}`;
  const github = await progress.step('GitHub stand-in', () => startGitHub(cluster, dashboardUrl));
  const images = withParts
    ? await publishParts(cluster, limiter, progress)
    : (Object.fromEntries(PARTS.map(part => [part, `greenroom/${part}`])) as Record<Part, string>);
  await installChart({ cluster, github, images, dashboardUrl, withParts }, limiter, progress);
  const state = { dashboardUrl, githubUrl: github.url, ...(withParts && { images }) };
  await writeFile(stateFile(options.instance), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  return state;
}

/** Stops everything that was started for the instance, and nothing else. With `data` its data goes too. */
export async function stopPlatform(instance: string, data: boolean): Promise<void> {
  await rm(stateFile(instance), { force: true });
  await (data ? removeGitHub(instance) : stopGitHub(instance));
  await endCluster(instance, data);
  await stopDocker();
  if (data) await rm(instanceDir(instance), { recursive: true, force: true });
}
