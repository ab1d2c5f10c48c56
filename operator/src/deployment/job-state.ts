import type { V1Job } from '@kubernetes/client-node';
import type { Deployment } from '#crds/kinds.ts';
import type { Wire } from '../kube/resources.ts';

export function isComplete(job: Wire<V1Job>): boolean {
  return ended(job, 'Complete') !== undefined;
}

export function hasFailed(job: Wire<V1Job>): boolean {
  return ended(job, 'Failed') !== undefined;
}

/** Whether the job failed before the deployment came: that was another one's trouble, and is to be tried again. */
export function failedBefore(job: Wire<V1Job>, { metadata }: Deployment): boolean {
  const at = ended(job, 'Failed')?.lastTransitionTime;
  return at !== undefined && new Date(at) < new Date(metadata.creationTimestamp);
}

function ended({ status }: Wire<V1Job>, type: 'Complete' | 'Failed') {
  return status?.conditions?.find(condition => condition.type === type && condition.status === 'True');
}
