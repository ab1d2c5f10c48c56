import { describe, expect, it } from 'vitest';
import type { RolloutStep } from '#compose/translation.ts';
import { LABELS } from '#crds/vocabulary.ts';
import {
  container,
  deployment,
  healthy,
  live,
  minutesAgo,
  podOf,
  snapshot,
  step,
  workload,
} from '#tests/fixtures/operator-objects.ts';
import type { KubeObject } from '../kube/resources.ts';
import { deploying } from './deploying.ts';
import type { Pod, Workload } from './phase.ts';

type Waits = RolloutStep['waitsFor'];
const rolloutStep = (one: Workload, waitsFor: Waits = []): RolloutStep => ({
  service: one.metadata.name,
  name: one.metadata.name,
  kind: one.kind as 'Deployment' | 'Job',
  waitsFor,
});

const db = workload('db');
const web = workload('web');
const migrate = workload('migrate', 'Job');
const service: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'env-shop' },
};
const ingress: KubeObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web', namespace: 'env-shop', labels: { [LABELS.route]: 'true' } },
};

/** Deploys workloads, each waiting for what is given beside it, with this in the cluster. */
function look(
  workloads: [Workload, Waits?][],
  cluster: { objects?: KubeObject[]; pods?: Pod[]; deployment?: ReturnType<typeof deployment> } = {},
) {
  const plan = {
    rollout: workloads.map(([one, waitsFor]) => rolloutStep(one, waitsFor)),
    objects: [service, ingress, ...workloads.map(([one]) => one)],
  };
  const result = deploying(snapshot({ plan, ...cluster }));
  return {
    ...result,
    statuses: Object.fromEntries(result.steps.map(({ name, status }) => [name, status])),
    applied: result.apply.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    removed: result.remove.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
  };
}

const jobEnded = (type: 'Complete' | 'Failed', minutes = 1) => ({
  conditions: [{ type, status: 'True', lastTransitionTime: minutesAgo(minutes) }],
});

describe('what is applied', () => {
  it('is everything but routes, workloads after what they stand on', () =>
    expect(look([[web]]).applied).toEqual(['Service web', 'Deployment web']));

  it('is everything on every look, so that drift is corrected', () =>
    expect(look([[web]], healthy(web)).applied).toEqual(['Service web', 'Deployment web']));
});

describe('order', () => {
  const cases: [string, Waits[number]['condition'], { objects: KubeObject[]; pods?: Pod[] }, boolean][] = [
    // what is waited for, state of it, whether web may begin
    ['nothing of it is there', 'started', { objects: [] }, false],
    ['it is applied, without pods', 'started', { objects: [live(db)], pods: [] }, false],
    [
      'its container is being created',
      'started',
      { objects: [live(db)], pods: [podOf(db, container({ state: { waiting: {} } }))] },
      false,
    ],
    [
      'its container runs',
      'started',
      { objects: [live(db)], pods: [podOf(db, container({ state: { running: {} } }))] },
      true,
    ],
    [
      'its container runs',
      'healthy',
      { objects: [live(db)], pods: [podOf(db, container({ state: { running: {} } }))] },
      false,
    ],
    ['its pod is ready', 'healthy', healthy(db), true],
    ['its pod is ready', 'started', healthy(db), true],
    ['only the version before is ready', 'healthy', healthy(workload('db', 'Deployment', 'x:0')), false],
    [
      'a pod of the version before is ready',
      'healthy',
      {
        objects: [live(db, { updatedReplicas: 1 })],
        pods: healthy(workload('db', 'Deployment', 'x:0')).pods,
      },
      false,
    ],
    [
      'its ready pod is on its way out',
      'healthy',
      {
        objects: [live(db, { updatedReplicas: 1 })],
        pods: [
          podOf(
            db,
            { conditions: [{ type: 'Ready', status: 'True' }] },
            { deletionTimestamp: minutesAgo(0) },
          ),
        ],
      },
      false,
    ],
    [
      'the cluster has not looked at it since it changed',
      'healthy',
      { objects: [live(db, { updatedReplicas: 1 }, { generation: 2 })], pods: healthy(db).pods },
      false,
    ],
  ];
  it.each(cases)('%s; %s is asked', (_what, condition, cluster, begins) => {
    const { statuses, applied } = look([[db], [web, [{ service: 'db', condition }]]], cluster);
    expect(applied.includes('Deployment web')).toBe(begins);
    expect(statuses.web).toBe(begins ? 'running' : 'pending');
  });

  it.each<[string, object, boolean]>([
    ['runs', { active: 1 }, false],
    ['has completed', jobEnded('Complete'), true],
  ])('what must complete %s', (_what, status, begins) => {
    const waits: Waits = [{ service: 'migrate', condition: 'completed' }];
    const { statuses } = look([[migrate], [web, waits]], { objects: [live(migrate, status)] });
    expect(statuses.web).toBe(begins ? 'running' : 'pending');
  });

  it('says what is waited for', () =>
    expect(look([[db], [web, [{ service: 'db', condition: 'healthy' }]]]).steps.at(-1)?.message).toBe(
      'waits for db (healthy)',
    ));

  it('does not take back what has begun when what it waited for gets worse', () => {
    const cluster = { objects: [live(db), live(web, { updatedReplicas: 1 })], pods: [] };
    expect(look([[db], [web, [{ service: 'db', condition: 'healthy' }]]], cluster).applied).toContain(
      'Deployment web',
    );
  });
});

describe('completion', () => {
  it('comes when every service is healthy', () => {
    expect(look([[web]], healthy(web))).toMatchObject({ state: 'completed', statuses: { web: 'completed' } });
    const both = { objects: [...healthy(web).objects, ...healthy(db).objects], pods: healthy(web).pods };
    expect(look([[web], [db]], both)).toMatchObject({
      state: 'waiting',
      statuses: { web: 'completed', db: 'running' },
    });
  });

  it('wants as many pods as replicas', () => {
    const two = { ...web, spec: { ...web.spec, replicas: 2 } } as Workload;
    const cluster = {
      objects: [live(two, { updatedReplicas: 2 })],
      pods: [podOf(two, { conditions: [{ type: 'Ready', status: 'True' }] })],
    };
    expect(look([[two]], cluster).state).toBe('waiting');
  });

  it('of a service that runs once is its end, not its start', () => {
    expect(look([[migrate]], { objects: [live(migrate, { active: 1 })] }).state).toBe('waiting');
    expect(look([[migrate]], { objects: [live(migrate, jobEnded('Complete'))] }).state).toBe('completed');
  });
});

describe('a service that runs once', () => {
  it('is replaced when it changed: the old job goes, the new one comes after', () => {
    const old = live(workload('migrate', 'Job', 'x:0'), jobEnded('Complete'));
    const first = look([[migrate]], { objects: [old] });
    expect(first).toMatchObject({
      state: 'waiting',
      removed: ['Job migrate'],
      statuses: { migrate: 'running' },
    });
    expect(first.applied).not.toContain('Job migrate');
    expect(look([[migrate]]).applied).toContain('Job migrate');
  });

  it('that fails, fails the deployment', () =>
    expect(look([[migrate]], { objects: [live(migrate, jobEnded('Failed'))] })).toMatchObject({
      state: 'failed',
      failure: { reason: 'RolloutFailed', message: 'migrate failed: it was to run once and complete' },
      statuses: { migrate: 'failed' },
    }));

  it('that failed in an earlier deployment is run again', () =>
    expect(look([[migrate]], { objects: [live(migrate, jobEnded('Failed', 11))] })).toMatchObject({
      state: 'waiting',
      removed: ['Job migrate'],
    }));
});

describe('failure', () => {
  const crashing = (finished: number) =>
    podOf(
      web,
      container({
        restartCount: 5,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1, finishedAt: minutesAgo(finished) as unknown as Date } },
      }),
    );

  it('of a pod is that of its service, and points at the log', () =>
    expect(look([[web]], { objects: [live(web)], pods: [crashing(1)] })).toMatchObject({
      state: 'failed',
      failure: {
        reason: 'RolloutFailed',
        message: 'web does not start: it keeps exiting with code 1',
        logs: { pod: 'web-pod', previous: true },
      },
      statuses: { web: 'failed' },
    }));

  it('is not what a pod did before this deployment', () =>
    expect(look([[web]], { objects: [live(web)], pods: [crashing(11)] }).state).toBe('waiting'));

  it('is not what a pod of another version does', () => {
    const old = { ...crashing(1), metadata: { ...crashing(1).metadata, labels: {} } };
    expect(look([[web]], { objects: [live(web)], pods: [old] }).state).toBe('waiting');
  });

  it('is not what a pod does that is being removed', () => {
    const leaving = {
      ...crashing(1),
      metadata: { ...crashing(1).metadata, deletionTimestamp: minutesAgo(0) },
    };
    expect(look([[web]], { objects: [live(web)], pods: [leaving] }).state).toBe('waiting');
  });

  it.each([
    [9, 'waiting', 'running'],
    [11, 'failed', 'failed'],
  ])('comes of itself when a service is not healthy in time: %i minutes', (minutes, state, status) => {
    const since = deployment({
      status: { steps: [step('Deploying', 'web', { startedAt: minutesAgo(minutes) })] },
    });
    const result = look([[web]], { objects: [live(web)], deployment: since });
    expect(result).toMatchObject({ state, statuses: { web: status } });
    if (state === 'failed')
      expect(result.failure?.message).toBe('web did not become healthy within 10 minutes');
  });
});
