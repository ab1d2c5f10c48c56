import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  loadAllYaml,
  PatchStrategy,
  type V1Deployment,
  type V1Pod,
} from '@kubernetes/client-node';
import { shortHash } from '../cache.ts';
import { localDir } from '../paths.ts';

/** Add-ons of local/cluster, each a file with one Deployment at most. */
export type AddOn = 'namespace' | 'registry' | 'coredns' | 'local-path' | 'traefik';

/** The manifests of an add-on with `$NAME` replaced by its value. @throws when a value is missing. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\$(IMAGE_[A-Z_]+|HOST_GATEWAY)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The add-on's manifest needs a value for $${name}`);
    return value;
  });
}

/** Loads a kubeconfig file, and only that one. */
export function loadKubeConfig(path: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromFile(path);
  return config;
}

/** Applies an add-on with server-side apply and waits until its Deployment runs, with pods started after `since`. */
export async function applyAddOn(
  config: KubeConfig,
  addOn: AddOn,
  values: Readonly<Record<string, string>>,
  since: Date,
): Promise<void> {
  const text = fillIn(await readFile(join(localDir, 'cluster', `${addOn}.yaml`), 'utf8'), values);
  const api = KubernetesObjectApi.makeApiClient(config);
  for (const object of loadAllYaml(text) as KubernetesObject[]) {
    // Pods read their configuration once: a change anywhere in the add-on renews them.
    const template = object.kind === 'Deployment' ? (object as V1Deployment).spec?.template : undefined;
    if (template)
      template.metadata = {
        ...template.metadata,
        annotations: { 'greenroom.local/manifest': shortHash(text) },
      };
    await api
      .patch(object, undefined, undefined, 'greenroom-local', true, PatchStrategy.ServerSideApply)
      .catch(error => {
        throw new Error(
          `${addOn}: ${object.kind} ${object.metadata?.name} was refused: ${(error as Error).message}`,
        );
      });
    if (object.kind === 'Deployment') {
      await waitForDeployment(
        config,
        object.metadata?.namespace ?? 'default',
        object.metadata?.name ?? '',
        since,
      );
    }
  }
}

/** Why pods of a namespace with the label app are not ready, as their containers tell. */
async function whyNotReady(core: CoreV1Api, namespace: string, name: string): Promise<string> {
  const pods = await core.listNamespacedPod({ namespace });
  const reasons = pods.items
    .filter(p => p.metadata?.name?.startsWith(name))
    .flatMap(p => p.status?.containerStatuses ?? [])
    .map(s => s.state?.waiting ?? s.state?.terminated)
    .map(s => [s?.reason, s?.message].filter(Boolean).join(': '))
    .filter(Boolean);
  return reasons.length > 0 ? reasons.join('; ') : 'no container says why';
}

/** Whether a pod is ready, in this life of its node: after a restart its record is still that of the last one. */
const isReadySince = (pod: V1Pod, since: Date): boolean =>
  pod.status?.conditions?.some(c => c.type === 'Ready' && c.status === 'True') === true &&
  pod.status.containerStatuses?.every(s => (s.state?.running?.startedAt ?? new Date(0)) >= since) === true;

/**
 * Waits until the newest version of a Deployment runs.
 * @param since pods must have been started after it
 * @throws after the time-out, saying what its pods say.
 */
export async function waitForDeployment(
  config: KubeConfig,
  namespace: string,
  name: string,
  since: Date,
  timeout = 120_000,
): Promise<void> {
  const apps = config.makeApiClient(AppsV1Api);
  const core = config.makeApiClient(CoreV1Api);
  for (const end = Date.now() + timeout; Date.now() < end; await sleep(300)) {
    const { spec, status, metadata } = await apps.readNamespacedDeployment({ namespace, name });
    const wanted = spec?.replicas ?? 1;
    if (status?.observedGeneration !== metadata?.generation || status?.updatedReplicas !== wanted) continue;
    const labels = Object.entries(spec?.selector.matchLabels ?? {}).map(([k, v]) => `${k}=${v}`);
    const pods = await core.listNamespacedPod({ namespace, labelSelector: labels.join(',') });
    if (pods.items.filter(p => isReadySince(p, since)).length >= wanted) return;
  }
  const why = await whyNotReady(core, namespace, name);
  throw new Error(`Deployment ${namespace}/${name} was not available after ${timeout / 1000} s: ${why}`);
}

/** Waits until a node is Ready. */
export async function waitForNode(config: KubeConfig, timeout = 120_000): Promise<void> {
  const core = config.makeApiClient(CoreV1Api);
  let last = 'no node has registered';
  for (const end = Date.now() + timeout; Date.now() < end; await sleep(200)) {
    const nodes = await core.listNode().catch(error => {
      last = (error as Error).message;
      return undefined;
    });
    const ready = nodes?.items[0]?.status?.conditions?.find(c => c.type === 'Ready');
    if (ready?.status === 'True') return;
    if (ready?.message) last = ready.message;
  }
  throw new Error(`The node was not Ready after ${timeout / 1000} s: ${last}`);
}
