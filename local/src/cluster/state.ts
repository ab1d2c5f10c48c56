import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { instanceDir } from '../paths.ts';
import type { ClusterState } from './provider.ts';

const stateFile = (instance: string) => join(instanceDir(instance), 'cluster.json');

/** What was written when the instance's cluster was last started; undefined if there is none. */
export async function readState(instance: string): Promise<ClusterState | undefined> {
  const path = stateFile(instance);
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as ClusterState) : undefined;
}

export async function writeState(state: ClusterState): Promise<void> {
  await mkdir(instanceDir(state.instance), { recursive: true, mode: 0o700 });
  await writeFile(stateFile(state.instance), `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
}

/** Forgets a cluster: its state and its kubeconfig. */
export const removeState = async (instance: string): Promise<void> => {
  for (const file of ['cluster.json', 'kubeconfig'])
    await rm(join(instanceDir(instance), file), { force: true });
};

/** Writes an instance's kubeconfig, readable by its owner only. @returns its path */
export async function writeKubeconfig(instance: string, content: string): Promise<string> {
  await mkdir(instanceDir(instance), { recursive: true, mode: 0o700 });
  const path = join(instanceDir(instance), 'kubeconfig');
  await writeFile(path, content, { mode: 0o600 });
  return path;
}
