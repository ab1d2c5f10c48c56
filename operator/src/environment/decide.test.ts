import { describe, expect, it } from 'vitest';
import type { Deployment, PreviewEnvironment } from '#crds/kinds.ts';
import { COMMIT, deployment, environment, minutesAgo, NOW, step } from '#tests/fixtures/operator-objects.ts';
import { decide, INPUTS_ANNOTATION, newDeployment, newestFirst, sourceProblem } from './decide.ts';

/** The environment's Deployment as its controller makes it, with a status. */
function deployed(of: PreviewEnvironment, changes: Parameters<typeof deployment>[0] = {}): Deployment {
  const made = newDeployment(of, COMMIT, inputsOf(of));
  return deployment({
    ...changes,
    metadata: { name: made.metadata.name, annotations: made.metadata.annotations, ...changes.metadata },
  });
}

/** A Deployment that a person made: without the annotation. */
const byHand = (changes: Parameters<typeof deployment>[0] = {}) =>
  deployment({
    ...changes,
    metadata: { name: 'by-hand', creationTimestamp: minutesAgo(1), ...changes.metadata },
  });

function inputsOf(of: PreviewEnvironment): string {
  const decision = decide({ environment: of, deployments: [], now: NOW });
  if (decision.action !== 'deploy') throw new Error('an environment without Deployments is to be deployed');
  return decision.inputs;
}

const act = (of: PreviewEnvironment, deployments: Deployment[] = []) =>
  decide({ environment: of, deployments, now: NOW });

function report(of: PreviewEnvironment, deployments: Deployment[]) {
  const decision = act(of, deployments);
  if (decision.action !== 'report') throw new Error(`expected a report, got ${decision.action}`);
  const condition = (type: string) => decision.status.conditions?.find(each => each.type === type);
  return {
    ...decision,
    ready: condition('Ready')?.status,
    reconciling: condition('Reconciling')?.status,
    stalled: condition('Stalled')?.status,
    message: condition('Ready')?.message,
    reason: condition('Ready')?.reason,
  };
}

const running = { status: 'running', url: 'https://shop.example' } as const;
const failed = { status: 'failed', failureReason: 'The build of web failed' } as const;

describe('when a new Deployment is due', () => {
  const before = environment();
  const secondGeneration = { metadata: { generation: 2 } };
  const changed = (spec: Partial<PreviewEnvironment['spec']>) => environment({ ...secondGeneration, spec });

  it('is for an environment without one', () => expect(act(before).action).toBe('deploy'));

  it('is not while nothing changed', () => expect(act(before, [deployed(before)]).action).toBe('report'));

  it.each<[string, Partial<PreviewEnvironment['spec']>]>([
    ['commit', { source: { ...before.spec.source, commit: COMMIT } }],
    ['ref', { source: { ...before.spec.source, ref: 'next' } }],
    ['repository', { source: { ...before.spec.source, url: 'https://git.example/demo/other.git' } }],
    ['compose file', { composeFile: 'deploy/compose.yaml' }],
    ['services', { services: [{ name: 'web', exposure: 'Primary', disabled: false }] }],
    ['service limits', { serviceLimits: { cpu: '1', memory: '1Gi' } }],
    ['build limits', { buildLimits: { cpu: '1', memory: '2Gi' } }],
  ])('is after a change of %s', (_what, spec) =>
    expect(act(changed(spec), [deployed(before)]).action).toBe('deploy'),
  );

  it.each<[string, Partial<PreviewEnvironment['spec']>]>([
    ['title', { pullRequest: { number: 1, title: 'New title', author: '', url: '' } }],
    ['lifetime', { maxDurationMinutes: 60 }],
    ['branch for display', { branch: 'feature' }],
    ['Secret with the token', { source: { ...before.spec.source, secretRef: { name: 'token' } } }],
  ])('is not after a change of %s', (_what, spec) =>
    expect(act(changed(spec), [deployed(before)]).action).toBe('report'),
  );

  it('looks at the newest Deployment, not at one that had the same inputs before', () => {
    const back = environment({ metadata: { generation: 3 } });
    const first = deployed(before, { metadata: { creationTimestamp: minutesAgo(9) } });
    const second = deployed(changed({ composeFile: 'other.yaml' }), {
      metadata: { creationTimestamp: minutesAgo(5) },
    });
    expect(act(back, [first, second]).action).toBe('deploy');
  });

  describe('with a Deployment that a person made', () => {
    const seen = environment({ status: { observedGeneration: 1 } });

    it('is not: the person decides', () =>
      expect(act(seen, [deployed(seen), byHand()]).action).toBe('report'));

    it('is once the environment is changed after it', () =>
      expect(act(environment({ ...seen, ...secondGeneration }), [byHand()]).action).toBe('deploy'));
  });
});

describe('what is reported', () => {
  const env = environment();
  const old = deployed(env, {
    metadata: { name: 'shop-0', creationTimestamp: minutesAgo(20) },
    status: running,
  });
  const newest = (status: Deployment['status']) => deployed(env, { ...(status && { status }) });

  it.each<[string, Deployment[], string, [string, string, string]]>([
    // Deployments, status of the environment, [Ready, Reconciling, Stalled]
    ['waiting to start', [newest(undefined)], 'building', ['False', 'True', 'False']],
    ['in flight', [newest({ status: 'building' })], 'building', ['False', 'True', 'False']],
    [
      'in flight, an older one serves',
      [newest({ status: 'deploying' }), old],
      'building',
      ['False', 'True', 'False'],
    ],
    ['running', [newest(running)], 'running', ['True', 'False', 'False']],
    ['failed', [newest(failed)], 'failed', ['False', 'False', 'True']],
    ['failed, an older one serves', [newest(failed), old], 'running', ['True', 'False', 'True']],
    ['canceled', [newest({ status: 'canceled' })], 'stopped', ['False', 'False', 'True']],
  ])('%s', (_what, deployments, status, conditions) => {
    const told = report(env, deployments);
    expect(told.status.status).toBe(status);
    expect([told.ready, told.reconciling, told.stalled]).toEqual(conditions);
  });

  it('names the step that is being worked on, and what is served meanwhile', () => {
    const steps = [step('Setup', 'Read compose file', { status: 'completed' }), step('Building', 'web')];
    const other = deployed(env, { ...old, spec: { source: { url: '', commit: 'b'.repeat(40) } } });
    const { message, reason } = report(env, [
      newest({ status: 'building', steps }),
      { ...other, status: running },
    ]);
    expect(message).toBe('Deploying aaaaaaaa, Building: web; bbbbbbbb is still served');
    expect(reason).toBe('Progressing');
  });

  it('gives the reason of a failure, and what is served in spite of it', () => {
    expect(report(env, [newest(failed)]).message).toBe('The build of web failed');
    expect(report(env, [newest(failed), old]).message).toBe(
      'The build of web failed. aaaaaaaa is still served',
    );
  });

  it('has the URL and commit of what serves, and the name of the newest', () => {
    const serving = { ...old, spec: { ...old.spec, source: { url: '', commit: 'b'.repeat(40) } } };
    expect(report(env, [newest(failed), serving]).status).toMatchObject({
      url: running.url,
      commit: 'b'.repeat(40),
      deployment: 'shop-1',
      observedGeneration: 1,
    });
  });

  it('drops the URL when nothing serves any more', () => {
    const had = environment({ status: { url: 'https://old.example' } });
    expect(report(had, [newest(failed)]).status).not.toHaveProperty('url');
  });

  it('is the same, transition times included, when looked at again later', () => {
    const first = report(env, [newest(running)]);
    const again = decide({
      environment: { ...env, status: first.status },
      deployments: [newest(running)],
      now: new Date(NOW.getTime() + 60_000),
    });
    expect(again).toMatchObject({ action: 'report', status: first.status });
  });
});

describe('lifetime', () => {
  const env = environment({ spec: { maxDurationMinutes: 60 } });
  const at = (age: number, status: Deployment['status'] = running) =>
    act(env, [deployed(env, { metadata: { creationTimestamp: minutesAgo(age) }, status })]);

  it('counts from the newest Deployment, and asks to be called at its end', () => {
    expect(at(10)).toMatchObject({
      action: 'report',
      requeueAfterMs: 50 * 60_000,
      status: { expiresAt: minutesAgo(-50) },
    });
  });

  it.each([
    ['before its end', 59, 'report'],
    ['at its end', 60, 'expire'],
    ['after its end', 600, 'expire'],
  ])('%s', (_what, age, action) => expect(at(age).action).toBe(action));

  it('ends for what failed or is in flight as well', () => {
    expect(at(61, failed).action).toBe('expire');
    expect(at(61, { status: 'building' }).action).toBe('expire');
  });

  it('leaves a record that is stopped, without URL', () => {
    const decision = at(61);
    expect(decision).toMatchObject({ status: { status: 'stopped', deployment: 'shop-1' } });
    expect(decision).not.toHaveProperty('status.url');
  });

  it('that was extended after its end starts the environment again, once', () => {
    const stopped = at(61, { status: 'completed', endedAt: minutesAgo(1) });
    const status = 'status' in stopped ? stopped.status : {};
    const extended = { ...environment({ spec: { maxDurationMinutes: 600 } }), status };
    const old = deployed(extended, {
      metadata: { creationTimestamp: minutesAgo(61) },
      status: { status: 'completed', endedAt: minutesAgo(1) },
    });
    expect(act(extended, [old]).action).toBe('deploy');
    const again = deployed(extended, { metadata: { name: 'shop-2', creationTimestamp: minutesAgo(0) } });
    expect(act(extended, [old, again]).action).toBe('report');
  });

  it('is not what starts a new commit off: that deploys, however late', () => {
    const late = environment({ spec: { ...env.spec, composeFile: 'new.yaml' } });
    const old = deployed(env, { metadata: { creationTimestamp: minutesAgo(600) } });
    expect(act(late, [old]).action).toBe('deploy');
  });
});

describe('the Deployment that is made', () => {
  const env = environment({
    metadata: { generation: 7 },
    spec: {
      repository: 'demo/shop',
      composeFile: 'c.yaml',
      services: [{ name: 'web', exposure: 'Primary', disabled: false }],
    },
  });
  const made = newDeployment(env, COMMIT, 'inputs');

  it('is named after the generation, so that a second one of it cannot be', () =>
    expect(made.metadata.name).toBe('shop-7'));

  it('copies what to deploy, fixed to one commit', () =>
    expect(made.spec).toMatchObject({
      environment: 'shop',
      source: { ...env.spec.source, commit: COMMIT },
      repository: 'demo/shop',
      composeFile: 'c.yaml',
      services: env.spec.services,
      serviceLimits: env.spec.serviceLimits,
      buildLimits: env.spec.buildLimits,
    }));

  it('goes with its environment, after its own teardown', () => {
    expect(made.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'PreviewEnvironment', name: 'shop', uid: env.metadata.uid }),
    ]);
    expect(made.metadata.finalizers).toHaveLength(1);
  });

  it('remembers its inputs', () =>
    expect(made.metadata.annotations).toEqual({ [INPUTS_ANNOTATION]: 'inputs' }));
});

describe('order of Deployments', () => {
  const named = (name: string, age: number) =>
    deployment({ metadata: { name, creationTimestamp: minutesAgo(age) } });
  const names = (...deployments: Deployment[]) =>
    newestFirst(deployments).map(({ metadata }) => metadata.name);

  it('is by creation', () =>
    expect(names(named('shop-9', 5), named('shop-1', 1))).toEqual(['shop-1', 'shop-9']));
  it('is by number, not by letter, within the same second', () =>
    expect(names(named('shop-9', 1), named('shop-10', 1))).toEqual(['shop-10', 'shop-9']));
});

describe('a source that cannot be read', () => {
  const reasonOf = (final: boolean) => {
    const status = sourceProblem(environment(), 'no branch main', final, NOW);
    const stalled = status.conditions?.find(({ type }) => type === 'Stalled');
    return [status.status, stalled?.reason, stalled?.status, stalled?.message];
  };

  it('is final when what was asked for is not there', () =>
    expect(reasonOf(true)).toEqual(['failed', 'CommitNotFound', 'True', 'no branch main']));
  it('is tried again when the repository does not answer', () =>
    expect(reasonOf(false)).toEqual(['building', 'SourceUnavailable', 'False', 'no branch main']));
});
