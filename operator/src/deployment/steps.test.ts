import { expect, it } from 'vitest';
import { minutesAgo, NOW } from '#tests/fixtures/operator-objects.ts';
import { type StepChange, withSteps } from './steps.ts';

const web = { phase: 'Building', name: 'web' } as const;

/** The steps after changes a minute apart, the first of them five minutes ago. */
const stepsAfter = (...changes: StepChange[]) =>
  changes.reduce<ReturnType<typeof withSteps>>(
    (steps, change, index) => withSteps(steps, [change], new Date(NOW.getTime() - (5 - index) * 60_000)),
    [],
  );

it('adds a step that is new, in order', () =>
  expect(
    withSteps(
      [],
      [
        { ...web, status: 'pending' },
        { ...web, name: 'api', status: 'pending' },
      ],
      NOW,
    ),
  ).toEqual([
    { ...web, status: 'pending' },
    { ...web, name: 'api', status: 'pending' },
  ]));

it('tells steps of the same name apart by phase', () =>
  expect(
    stepsAfter({ ...web, status: 'running' }, { ...web, phase: 'Deploying', status: 'running' }),
  ).toHaveLength(2));

it('gives no start to what is only pending', () =>
  expect(stepsAfter({ ...web, status: 'pending' })).toEqual([{ ...web, status: 'pending' }]));

it('sets each time when its status is first reached, and never moves it', () =>
  expect(
    stepsAfter(
      { ...web, status: 'pending' },
      { ...web, status: 'running' },
      { ...web, status: 'running' },
      { ...web, status: 'completed' },
      { ...web, status: 'completed' },
    ),
  ).toEqual([{ ...web, status: 'completed', startedAt: minutesAgo(4), completedAt: minutesAgo(2) }]));

it('says when it failed, and why', () =>
  expect(
    stepsAfter(
      { ...web, status: 'running' },
      { ...web, status: 'failed', reason: 'BuildFailed', message: 'exit 1' },
    ),
  ).toEqual([
    {
      ...web,
      status: 'failed',
      reason: 'BuildFailed',
      message: 'exit 1',
      startedAt: minutesAgo(5),
      failedAt: minutesAgo(4),
    },
  ]));

it.each(['running', 'completed'] as const)('no longer says what it waited for once it is %s', status => {
  const [step] = stepsAfter(
    { ...web, status: 'pending', reason: 'Progressing', message: 'waits for db' },
    { ...web, status },
  );
  expect(step).not.toHaveProperty('message');
  expect(step).not.toHaveProperty('reason');
});

it('keeps the reason of a trouble that is over out of the result', () => {
  const [step] = stepsAfter(
    { ...web, status: 'running', reason: 'SourceUnavailable', message: 'no answer' },
    { ...web, status: 'completed', message: 'compose.yaml' },
  );
  expect(step).toMatchObject({ status: 'completed', message: 'compose.yaml' });
  expect(step).not.toHaveProperty('reason');
});

it('keeps saying that an image was cached', () =>
  expect(
    stepsAfter(
      { ...web, status: 'completed', reason: 'Cached', message: 'cached' },
      { ...web, status: 'completed' },
    ),
  ).toEqual([expect.objectContaining({ status: 'completed', reason: 'Cached', message: 'cached' })]));
