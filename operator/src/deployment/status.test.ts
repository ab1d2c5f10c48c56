import { describe, expect, it } from 'vitest';
import type { Deployment } from '#crds/kinds.ts';
import { IN_FLIGHT_STATUSES } from '#crds/vocabulary.ts';
import { deployment, minutesAgo, NOW, step } from '#tests/fixtures/operator-objects.ts';
import { STATUS_OF_PHASE, type Verdict, withVerdict } from './status.ts';

const judge = (
  verdict: Partial<Verdict>,
  before: Deployment['status'] = {},
  ...more: Parameters<typeof withVerdict>[4][]
) =>
  withVerdict(
    deployment({ metadata: { generation: 4 }, status: before }),
    { status: 'building', reason: 'Progressing', message: 'Building: web', ...verdict },
    [],
    NOW,
    ...more,
  );
const flags = (status: ReturnType<typeof judge>) =>
  ['Ready', 'Reconciling', 'Stalled'].map(
    type => status.conditions?.find(each => each.type === type)?.status,
  );

describe('status after a verdict', () => {
  it.each<[Verdict['status'], string[]]>([
    ['pending', ['False', 'True', 'False']],
    ['building', ['False', 'True', 'False']],
    ['deploying', ['False', 'True', 'False']],
    ['running', ['True', 'False', 'False']],
    ['failed', ['False', 'False', 'True']],
    ['canceled', ['False', 'False', 'False']],
    ['completed', ['False', 'False', 'False']],
  ])('%s: Ready, Reconciling, Stalled', (status, expected) =>
    expect(flags(judge({ status }))).toEqual(expected),
  );

  it('keeps what it knew', () =>
    expect(judge({}, { images: [{ service: 'web', image: 'x' }], eventSeq: 3 })).toMatchObject({
      images: [{ service: 'web', image: 'x' }],
      eventSeq: 3,
    }));

  it('says which generation it is about', () => {
    const { observedGeneration, conditions } = judge({});
    expect([observedGeneration, ...(conditions ?? []).map(each => each.observedGeneration)]).toEqual([
      4, 4, 4, 4,
    ]);
  });

  it('sets each time once', () => {
    const times = ({ startedAt, readyAt, endedAt }: ReturnType<typeof judge>) => [
      startedAt,
      readyAt,
      endedAt,
    ];
    expect(times(judge({ status: 'pending' }))).toEqual([undefined, undefined, undefined]);
    expect(times(judge({ status: 'building' }))).toEqual([NOW.toISOString(), undefined, undefined]);
    const running = judge({ status: 'running' }, { startedAt: minutesAgo(3) });
    expect(times(running)).toEqual([minutesAgo(3), NOW.toISOString(), undefined]);
    const before = { startedAt: minutesAgo(3), readyAt: minutesAgo(2) };
    expect(times(judge({ status: 'completed' }, before))).toEqual([
      minutesAgo(3),
      minutesAgo(2),
      NOW.toISOString(),
    ]);
    expect(times(judge({ status: 'failed' }, { ...before, endedAt: minutesAgo(1) }))).toEqual([
      minutesAgo(3),
      minutesAgo(2),
      minutesAgo(1),
    ]);
  });

  it('has a failure reason only when it failed', () => {
    expect(judge({ status: 'failed', message: 'no Dockerfile' }).failureReason).toBe('no Dockerfile');
    expect(judge({ status: 'canceled' })).not.toHaveProperty('failureReason');
  });

  it('cuts a condition that is too long for the cluster, not the reason itself', () => {
    const status = judge({ status: 'failed', message: 'x'.repeat(40_000) });
    expect(status.conditions?.every(({ message }) => message.length <= 32_768)).toBe(true);
    expect(status.failureReason).toHaveLength(40_000);
  });

  it.each(['failed', 'canceled'] as const)('%s: nothing goes on', status => {
    const steps = [
      { phase: 'Building' as const, name: 'api', status: 'running' as const, startedAt: NOW.toISOString() },
      { phase: 'Building' as const, name: 'web', status: 'completed' as const },
    ];
    const after = judge({ status, reason: 'Superseded' }, { steps });
    expect(after.steps).toMatchObject([
      { name: 'api', status: 'failed', reason: 'Superseded', failedAt: NOW.toISOString() },
      { name: 'web', status: 'completed' },
    ]);
  });

  it('takes the steps along', () => {
    const one = deployment({ status: { steps: [step('Setup', 'Read compose file')] } });
    const verdict: Verdict = { status: 'building', reason: 'Progressing', message: '' };
    const status = withVerdict(one, verdict, [{ phase: 'Building', name: 'web', status: 'running' }], NOW);
    expect(status.steps?.map(({ name }) => name)).toEqual(['Read compose file', 'web']);
  });
});

it('every phase has a status in which the deployment is still in flight', () => {
  for (const status of Object.values(STATUS_OF_PHASE)) expect(IN_FLIGHT_STATUSES).toContain(status);
});
