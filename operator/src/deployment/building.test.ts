import { describe, expect, it } from 'vitest';
import {
  buildJobObject,
  COMMIT,
  deployment,
  minutesAgo,
  snapshot,
  step,
} from '#tests/fixtures/operator-objects.ts';
import type { KubeObject } from '../kube/resources.ts';
import { building } from './building.ts';
import type { Pod, Snapshot } from './phase.ts';

const build = (service: string) => ({
  service,
  context: service,
  dockerfile: `${service}/Dockerfile`,
  args: {},
  image: `registry/demo/${service}:1`,
});
const plan = { builds: [build('web'), build('api')] };
const web = build('web').image;
const api = build('api').image;

const condition = (type: string, more: object = {}) => ({
  conditions: [{ type, status: 'True', lastTransitionTime: minutesAgo(1), ...more }],
});
const complete = buildJobObject('build-web', condition('Complete'));
const failed = buildJobObject('build-web', condition('Failed', { reason: 'BackoffLimitExceeded' }));

const look = (changes: Omit<Partial<Snapshot>, 'plan' | 'objects'>) =>
  building(snapshot({ plan, ...changes }));
const statuses = ({ steps }: ReturnType<typeof look>) =>
  Object.fromEntries(steps.map(each => [each.name, each.status]));
const started = ({ build }: ReturnType<typeof look>) => build.map(({ image }) => image);

describe('building', () => {
  it('has nothing to do where nothing is built', () => expect(building(snapshot()).state).toBe('completed'));

  it('starts every build at once, within the limit', () => {
    const result = look({});
    expect(result.state).toBe('waiting');
    expect(started(result)).toEqual([web, api]);
    expect(statuses(result)).toEqual({ web: 'running', api: 'running' });
  });

  it('is complete when the registry holds every image', () => {
    const result = look({ presentImages: new Set([web, api]) });
    expect(result).toMatchObject({ state: 'completed', build: [] });
  });

  it('builds only what the registry lacks, and says that the rest is cached', () => {
    const result = look({ presentImages: new Set([web]) });
    expect(started(result)).toEqual([api]);
    expect(result.steps[0]).toMatchObject({ name: 'web', status: 'completed', reason: 'Cached' });
  });

  it('does not say cached of what this deployment built', () => {
    const one = deployment({ status: { steps: [step('Building', 'web')] } });
    const result = look({ deployment: one, presentImages: new Set([web, api]) });
    expect(result.steps[0]).not.toHaveProperty('reason');
  });

  it('does not start a build that is under way', () => {
    const result = look({ buildJobs: new Map([[web, buildJobObject('build-web', { active: 1 })]]) });
    expect(started(result)).toEqual([api]);
    expect(statuses(result)).toMatchObject({ web: 'running' });
  });

  it.each([
    ['one place is free', 3, [web], { web: 'running', api: 'pending' }],
    ['none is free', 4, [], { web: 'pending', api: 'pending' }],
    ['more than allowed are under way', 9, [], { web: 'pending', api: 'pending' }],
  ])('waits for its turn when %s', (_what, buildsUnderWay, images, expected) => {
    const result = look({ buildsUnderWay });
    expect(started(result)).toEqual(images);
    expect(statuses(result)).toEqual(expected);
    expect(result.recheckMs).toBeGreaterThan(0);
  });

  it('builds again what its job pushed and somebody removed from the registry', () => {
    const gone = look({ buildJobs: new Map([[web, complete]]) });
    expect(gone.remove).toEqual([complete]);
    expect(started(gone)).toEqual([api]);
    expect(started(look({}))).toContain(web);
  });
});

describe('what a build is asked for', () => {
  const asked = (changes: Parameters<typeof deployment>[0]) =>
    look({ deployment: deployment(changes) }).build[0];

  it('is the commit, with the limits of builds, without a token', () =>
    expect(asked({})).toMatchObject({
      source: { url: 'https://git.example/demo/shop.git', commit: COMMIT },
      limits: { cpu: '0.5', memory: '1Gi' },
      private: false,
    }));

  it("has the service's own limits where it has some", () =>
    expect(
      asked({
        spec: { services: [{ name: 'web', exposure: 'Internal', disabled: false, buildMemory: '4Gi' }] },
      }),
    ).toMatchObject({ limits: { cpu: '0.5', memory: '4Gi' } }));

  it('uses a token where the source names one', () =>
    expect(
      asked({ spec: { source: { url: 'https://x/y', commit: COMMIT, secretRef: { name: 's' } } } }),
    ).toMatchObject({
      private: true,
    }));
});

describe('a build that fails', () => {
  const pod = (terminated: object): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'build-web-x', namespace: 'builds', labels: { 'job-name': 'build-web' } },
    spec: { containers: [{ name: 'build', resources: { limits: { memory: '1Gi' } } }] },
    status: {
      containerStatuses: [
        {
          name: 'build',
          image: '',
          imageID: '',
          ready: false,
          restartCount: 0,
          state: { terminated: terminated as { exitCode: number } },
        },
      ],
    },
  });
  const fail = (job: typeof failed, buildPods: Pod[] = []) =>
    look({ buildJobs: new Map([[web, job]]), buildPods });

  it.each<[string, typeof failed, Pod[], string, string]>([
    [
      'with an exit code',
      failed,
      [pod({ exitCode: 2 })],
      'BuildFailed',
      'The build of web failed with exit code 2',
    ],
    ['and whose pod is gone', failed, [], 'BuildFailed', 'The build of web failed'],
    [
      'for lack of memory',
      failed,
      [pod({ exitCode: 137, reason: 'OOMKilled' })],
      'BuildFailed',
      'The build of web ran out of memory (limit 1Gi): raise its build memory',
    ],
    [
      'by taking too long',
      buildJobObject('build-web', condition('Failed', { reason: 'DeadlineExceeded' })),
      [],
      'BuildTimedOut',
      'The build of web took longer than 10 minutes',
    ],
  ])('%s', (_what, job, pods, reason, message) => {
    const result = fail(job, pods);
    expect(result).toMatchObject({ state: 'failed', failure: { reason, message } });
    expect(result.steps.at(-1)).toMatchObject({ name: 'web', status: 'failed', reason, message });
  });

  it('points at the log of its own pod, not of another', () => {
    const other = {
      ...pod({ exitCode: 1 }),
      metadata: { name: 'other', labels: { 'job-name': 'build-api' } },
    };
    expect(fail(failed, [other, pod({ exitCode: 1 })]).failure?.logs).toEqual({
      namespace: 'builds',
      pod: 'build-web-x',
      previous: false,
    });
  });

  it('does not fail a deployment that came after it: that builds anew', () => {
    const earlier = buildJobObject('build-web', condition('Failed', { lastTransitionTime: minutesAgo(11) }));
    const result = fail(earlier);
    expect(result.state).toBe('waiting');
    expect(result.remove).toEqual<KubeObject[]>([earlier]);
    expect(started(result)).toEqual([api]);
  });
});
