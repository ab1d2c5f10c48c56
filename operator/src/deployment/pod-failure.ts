import type { V1ContainerStatus } from '@kubernetes/client-node';
import type { Pod } from './phase.ts';

const UNSCHEDULABLE_AFTER_MS = 60_000;
const RESTARTS_THAT_MEAN_A_LOOP = 3;

/** States in which a container waits for something that will not come by itself. */
const HOPELESS: Record<string, string> = {
  ErrImagePull: 'its image cannot be pulled',
  ImagePullBackOff: 'its image cannot be pulled',
  InvalidImageName: 'its image name is not valid',
  CreateContainerConfigError: 'its configuration is not valid',
  CreateContainerError: 'its container cannot be created',
  RunContainerError: 'its container cannot be started',
};

/**
 * Why a pod will not come up, as a sentence about the service; undefined while there is hope.
 * @param since what ended before this does not count: it was another deployment's trouble
 */
export function podFailure(
  pod: Pod,
  since: Date,
  now: Date,
): { message: string; previousLog: boolean } | undefined {
  for (const status of pod.status?.containerStatuses ?? []) {
    const found = containerFailure(status, since);
    if (found) return found;
  }
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const waitedMs = now.getTime() - new Date(pod.metadata.creationTimestamp ?? now).getTime();
  if (scheduled?.reason === 'Unschedulable' && waitedMs > UNSCHEDULABLE_AFTER_MS) {
    return { message: `there is no room for it in the cluster (${scheduled.message})`, previousLog: false };
  }
  return undefined;
}

function containerFailure(status: V1ContainerStatus, since: Date) {
  const waiting = status.state?.waiting;
  const hopeless = HOPELESS[waiting?.reason ?? ''];
  if (hopeless) return { message: `${hopeless}: ${waiting?.message ?? waiting?.reason}`, previousLog: false };
  const ended = status.lastState?.terminated ?? status.state?.terminated;
  if (!ended?.finishedAt || new Date(ended.finishedAt) < since) return undefined;
  // Once or twice is how many a service waits for its database where no condition makes it wait.
  if (status.restartCount < RESTARTS_THAT_MEAN_A_LOOP) return undefined;
  const message =
    ended.reason === 'OOMKilled'
      ? 'it ran out of memory: raise its memory limit'
      : `it keeps exiting with code ${ended.exitCode}`;
  return { message, previousLog: status.state?.terminated === undefined };
}
