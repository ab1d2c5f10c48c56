import { describe, expect, it } from 'vitest';
import { container, minutesAgo, NOW, podOf, workload } from '#tests/fixtures/operator-objects.ts';
import type { Pod } from './phase.ts';
import { podFailure } from './pod-failure.ts';

const SINCE = new Date(minutesAgo(10));

const failureOf = (status: Pod['status'], createdMinutesAgo = 2) => {
  const pod = podOf(workload('web'), status, { creationTimestamp: minutesAgo(createdMinutesAgo) });
  return podFailure(pod, SINCE, NOW);
};

/** The end of a container, as the wire has it: with a time in text. */
const ended = (minutes: number, more: object = {}) => ({
  terminated: { exitCode: 1, finishedAt: minutesAgo(minutes) as unknown as Date, ...more },
});
const backOff = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } };

describe('a pod that may still come up', () => {
  it.each<[string, Pod['status']]>([
    ['has no status yet', undefined],
    ['is being created', container({ state: { waiting: { reason: 'ContainerCreating' } } })],
    ['runs', container({ state: { running: {} }, ready: true })],
    [
      'ended once and was started again',
      container({ state: { running: {} }, restartCount: 1, lastState: ended(1) }),
    ],
    [
      'ended twice, as one that waits for its database does',
      container({ state: backOff, restartCount: 2, lastState: ended(1) }),
    ],
    [
      'crashed in a loop before this deployment, and runs',
      container({ state: { running: {} }, restartCount: 40, lastState: ended(11) }),
    ],
    [
      'crashed in a loop before this deployment, and waits for its next try',
      container({ state: backOff, restartCount: 40, lastState: ended(11) }),
    ],
  ])('%s', (_what, status) => expect(failureOf(status)).toBeUndefined());
});

describe('a pod that will not come up', () => {
  it.each<[string, Pod['status'], string, boolean]>([
    // status, message, whether the log to look at is that of the container's previous run
    [
      'its image cannot be had',
      container({ state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } }),
      'its image cannot be pulled: not found',
      false,
    ],
    [
      'the pull is backed off',
      container({ state: { waiting: { reason: 'ImagePullBackOff' } } }),
      'its image cannot be pulled: ImagePullBackOff',
      false,
    ],
    [
      'its image has no valid name',
      container({ state: { waiting: { reason: 'InvalidImageName' } } }),
      'its image name is not valid: InvalidImageName',
      false,
    ],
    [
      'a Secret is missing',
      container({
        state: { waiting: { reason: 'CreateContainerConfigError', message: 'secret "x" not found' } },
      }),
      'its configuration is not valid: secret "x" not found',
      false,
    ],
    [
      'its command does not exist',
      container({ state: { waiting: { reason: 'RunContainerError', message: 'no such file' } } }),
      'its container cannot be started: no such file',
      false,
    ],
    [
      'it crashes in a loop',
      container({ state: backOff, restartCount: 3, lastState: ended(1) }),
      'it keeps exiting with code 1',
      true,
    ],
    [
      'it crashes often, and is between two crashes',
      container({ state: { running: {} }, restartCount: 3, lastState: ended(1) }),
      'it keeps exiting with code 1',
      true,
    ],
    [
      'it has just crashed again',
      container({ state: ended(0, { exitCode: 3 }), restartCount: 3 }),
      'it keeps exiting with code 3',
      false,
    ],
    [
      'it runs out of memory',
      container({
        state: backOff,
        restartCount: 3,
        lastState: ended(1, { reason: 'OOMKilled', exitCode: 137 }),
      }),
      'it ran out of memory: raise its memory limit',
      true,
    ],
  ])('%s', (_what, status, message, previousLog) =>
    expect(failureOf(status)).toEqual({ message, previousLog }),
  );

  it('one container of several is enough', () => {
    const [good] = container({ state: { running: {} }, ready: true }).containerStatuses ?? [];
    const [bad] = container({ state: { waiting: { reason: 'ErrImagePull' } } }).containerStatuses ?? [];
    expect(failureOf({ containerStatuses: [good, bad].filter(each => each !== undefined) })).toBeDefined();
  });
});

describe('a pod without a place', () => {
  const unschedulable: Pod['status'] = {
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: '0/1 nodes: Insufficient cpu',
      },
    ],
  };

  it('is waited for a minute: others may be leaving', () =>
    expect(failureOf(unschedulable, 0.9)).toBeUndefined());
  it('is a failure after that', () =>
    expect(failureOf(unschedulable, 1.1)?.message).toBe(
      'there is no room for it in the cluster (0/1 nodes: Insufficient cpu)',
    ));
});
