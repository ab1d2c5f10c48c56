import { createHash } from 'node:crypto';
import { API_GROUP } from '#crds/vocabulary.ts';
import type { KubeObject } from '../kube/resources.ts';
import type { Workload } from './phase.ts';

/** Label on pods and annotation on workloads: which version of the workload they are of. */
const REVISION = `${API_GROUP}/revision`;

/**
 * The workload with its revision, a hash of its content, on itself and on its pods. It tells whether the cluster has this
 * version of it and which pods are of it; the same content has the same revision, so that its pods stay.
 */
export function stamp(workload: Workload): Workload {
  const revision = createHash('sha256').update(JSON.stringify(workload)).digest('hex').slice(0, 16);
  const stamped = structuredClone(workload);
  stamped.metadata.annotations = { ...stamped.metadata.annotations, [REVISION]: revision };
  const template = stamped.spec?.template;
  if (template) {
    // The pods carry the environment's labels too: by them the operator watches what is its own.
    const labels = { ...workload.metadata.labels, ...template.metadata?.labels, [REVISION]: revision };
    template.metadata = { ...template.metadata, labels };
  }
  return stamped;
}

/** Whether the object in the cluster is this version. */
export function isSameRevision(desired: Workload, observed: KubeObject | undefined): boolean {
  return observed !== undefined && revisionOf(observed) === revisionOf(desired);
}

/** Whether a pod is of this version of its workload. */
export function isPodOf(pod: KubeObject, workload: Workload): boolean {
  return pod.metadata.labels?.[REVISION] === revisionOf(workload);
}

function revisionOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[REVISION];
}
