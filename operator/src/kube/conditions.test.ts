import { describe, expect, it } from 'vitest';
import { minutesAgo, NOW } from '#tests/fixtures/operator-objects.ts';
import { setCondition, summarize } from './conditions.ts';

const ready = (status: boolean, message = 'm') =>
  ({ type: 'Ready', status, reason: 'Succeeded', message, generation: 2 }) as const;
const earlier = setCondition([], ready(true), new Date(minutesAgo(5)));

describe('a condition', () => {
  it('is added with all that kubectl wants', () =>
    expect(setCondition([], ready(true), NOW)).toEqual([
      {
        type: 'Ready',
        status: 'True',
        reason: 'Succeeded',
        message: 'm',
        lastTransitionTime: NOW.toISOString(),
        observedGeneration: 2,
      },
    ]));

  it('keeps its transition time while only its message changes', () =>
    expect(setCondition(earlier, ready(true, 'other'), NOW)).toEqual([
      expect.objectContaining({ message: 'other', lastTransitionTime: minutesAgo(5) }),
    ]));

  it('has a new transition time when its status turns', () =>
    expect(setCondition(earlier, ready(false), NOW)).toEqual([
      expect.objectContaining({ status: 'False', lastTransitionTime: NOW.toISOString() }),
    ]));

  it('leaves others alone, in their order', () => {
    const foreign = {
      type: 'Foreign',
      status: 'True',
      reason: 'r',
      message: '',
      lastTransitionTime: '',
    } as const;
    expect(setCondition([foreign, ...earlier], ready(false), NOW).map(({ type }) => type)).toEqual([
      'Foreign',
      'Ready',
    ]);
  });
});

it('a summary is all three conditions, with one reason', () => {
  const state = {
    ready: false,
    reconciling: true,
    stalled: false,
    reason: 'Progressing',
    message: 'm',
    generation: 1,
  } as const;
  expect(summarize([], state, NOW).map(({ type, status, reason }) => [type, status, reason])).toEqual([
    ['Ready', 'False', 'Progressing'],
    ['Reconciling', 'True', 'Progressing'],
    ['Stalled', 'False', 'Progressing'],
  ]);
});
