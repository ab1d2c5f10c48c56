import { describe, expect, test } from 'vitest';
import { countOf, tiersOf } from './tiers.ts';

test.each([
  [[], ['unit', 'integration', 'e2e']],
  [['tests/e2e/journey.test.ts'], ['e2e']],
  [
    ['./tests/api/webhooks.test.ts', 'events/src/envelope.test.ts'],
    ['unit', 'integration'],
  ],
])('files %j are of tiers %j', (files, tiers) => expect(tiersOf(files)).toEqual(tiers));

describe('counting a run', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [{ status: 'passed', assertionResults: [{}] }],
  };
  test('all passed', () => expect(countOf(report, 0)).toEqual({ passed: 3, failed: 0 }));
  test('no report is a failure', () => expect(countOf(undefined, 0)).toEqual({ passed: 0, failed: 1 }));
  test('a skipped test is a failure', () =>
    expect(countOf({ ...report, numPendingTests: 1 }, 0)).toEqual({ passed: 3, failed: 1 }));
  test('a file that does not load is a failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }];
    expect(countOf({ ...report, testResults }, 1)).toEqual({ passed: 3, failed: 1 });
  });
  test('a run that fails without a failed test is a failure', () =>
    expect(countOf(report, 1)).toEqual({ passed: 3, failed: 1 }));
});
