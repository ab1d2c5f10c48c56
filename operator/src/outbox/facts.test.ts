import { describe, expect, it } from 'vitest';
import type { Deployment, PreviewEnvironment } from '#crds/kinds.ts';
import { CATALOG } from '#events/catalog.ts';
import { COMMIT, deployment, environment, minutesAgo, NOW, step } from '#tests/fixtures/operator-objects.ts';
import { summarize } from '../kube/conditions.ts';
import { deploymentFacts, environmentFacts, type Fact } from './facts.ts';

const conditions = (message: string, ready = false) =>
  summarize(
    [],
    { ready, reconciling: !ready, stalled: false, reason: 'Progressing', message, generation: 1 },
    NOW,
  );
const types = (facts: Fact[]) => facts.map(({ type }) => type);

describe('facts of an environment', () => {
  const building: PreviewEnvironment['status'] = {
    status: 'building',
    namespace: 'env-shop-123456',
    observedGeneration: 1,
    conditions: conditions('waiting to start'),
  };
  const seen = { ...building, eventSeq: 2 };
  const between = (before: PreviewEnvironment['status'], after: PreviewEnvironment['status']) =>
    environmentFacts(environment(before && { status: before }), environment(after && { status: after }));

  it('begin with its creation, with what people know it by', () => {
    const env = environment({
      spec: { repository: 'demo/shop', pullRequest: { number: 3, title: 'New', author: 'demo', url: 'u' } },
    });
    const [created, changed] = environmentFacts(env, { ...env, status: building });
    expect(created).toEqual({
      type: 'environment.created',
      data: {
        repository: 'demo/shop',
        branch: 'main',
        maxDurationMinutes: 480,
        pullRequest: { number: 3, title: 'New', author: 'demo', url: 'u' },
      },
    });
    expect(changed?.type).toBe('environment.status-changed');
  });

  it('are none where nothing changed', () => expect(between(seen, seen)).toEqual([]));

  it('are none where only a transition time moved', () => {
    const moved = seen.conditions?.map(each => ({ ...each, lastTransitionTime: minutesAgo(0) }));
    expect(between(seen, { ...seen, ...(moved && { conditions: moved }) })).toEqual([]);
  });

  it('tell of a change of the spec once it is acted on', () =>
    expect(types(between(seen, { ...seen, observedGeneration: 2 }))).toEqual(['environment.updated']));

  it.each<[string, PreviewEnvironment['status']]>([
    ['status', { ...seen, status: 'running' }],
    ['message', { ...seen, conditions: conditions('Building: web') }],
    ['URL', { ...seen, url: 'https://shop.example' }],
    ['commit', { ...seen, commit: COMMIT }],
    ['end of its lifetime', { ...seen, expiresAt: NOW.toISOString() }],
  ])('tell of a change of %s', (_what, after) =>
    expect(types(between(seen, after))).toEqual(['environment.status-changed']),
  );

  it('are also shown by kubectl describe, a failure as a warning', () => {
    const [failed] = between(seen, { ...seen, status: 'failed', conditions: conditions('no Dockerfile') });
    expect(failed?.describe).toEqual({ type: 'Warning', reason: 'Progressing', message: 'no Dockerfile' });
    const [running] = between(seen, { ...seen, status: 'running', conditions: conditions('Serving', true) });
    expect(running?.describe).toMatchObject({ type: 'Normal', message: 'Serving' });
  });

  it('are not shown twice where status and message stayed', () => {
    const [fact] = between(seen, { ...seen, expiresAt: NOW.toISOString() });
    expect(fact).not.toHaveProperty('describe');
  });
});

describe('facts of a deployment', () => {
  const status: Deployment['status'] = {
    status: 'building',
    eventSeq: 1,
    steps: [step('Setup', 'Read compose file', { status: 'completed' }), step('Building', 'web')],
    conditions: conditions('Building: web'),
  };
  const between = (before: Deployment['status'], after: Deployment['status']) =>
    deploymentFacts(
      deployment(before && { status: before }),
      deployment(after && { status: after }),
      'uid-of-shop',
    );

  it('begin with its creation, then its steps, then its status', () => {
    const facts = between(undefined, status);
    expect(types(facts)).toEqual([
      'deployment.created',
      'deployment.step-changed',
      'deployment.step-changed',
      'deployment.status-changed',
    ]);
    expect(facts[0]?.data).toEqual({
      environment: 'shop',
      environmentUid: 'uid-of-shop',
      repository: '',
      commit: COMMIT,
    });
  });

  it('are none where nothing changed', () => expect(between(status, status)).toEqual([]));

  it('are only of the step that changed', () => {
    const [setup, web] = status.steps ?? [];
    const done = { ...web, status: 'completed', completedAt: NOW.toISOString() } as NonNullable<typeof web>;
    expect(between(status, { ...status, steps: [setup, done].filter(each => each !== undefined) })).toEqual([
      { type: 'deployment.step-changed', data: done },
    ]);
  });

  it('tell what begins before what ends', () => {
    const step = (name: string, is: 'running' | 'completed') => ({
      phase: 'Booting' as const,
      name,
      status: is,
    });
    const facts = between(
      { ...status, steps: [step('Publish routes', 'running')] },
      { ...status, steps: [step('Publish routes', 'completed'), step('External health check', 'running')] },
    );
    expect(facts.map(({ data }) => data)).toMatchObject([
      { name: 'External health check' },
      { name: 'Publish routes' },
    ]);
  });

  it('give the reason of a failure to events and to kubectl describe', () => {
    const [fact] = between(status, { ...status, status: 'failed', failureReason: 'no Dockerfile' });
    expect(fact).toMatchObject({
      data: { status: 'failed', failureReason: 'no Dockerfile' },
      describe: { type: 'Warning', message: 'no Dockerfile' },
    });
  });
});

it('every fact is one of the catalogue', () => {
  const env = environment({ spec: { pullRequest: { number: 3, title: '', author: '', url: '' } } });
  const statusOf: PreviewEnvironment['status'] = {
    status: 'running',
    namespace: 'n',
    url: 'https://x',
    expiresAt: NOW.toISOString(),
    conditions: conditions('Serving', true),
  };
  const one = deployment();
  const steps = [
    step('Building', 'web', { status: 'failed', failedAt: NOW.toISOString(), reason: 'BuildFailed' }),
  ];
  const facts = [
    ...environmentFacts(env, { ...env, status: statusOf }),
    ...deploymentFacts(
      one,
      { ...one, status: { status: 'failed', steps, conditions: conditions('x') } },
      'u',
    ),
  ];
  expect(facts).toHaveLength(5);
  for (const { type, data } of facts) expect(CATALOG[type].parse(data)).toEqual(data);
});
