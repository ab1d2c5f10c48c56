import { expect, it } from 'vitest';
import type { Deployment } from '#contract/entities.ts';
import { averageReadyMs, progressPercent } from './progress.ts';

const took = (seconds: number | null) =>
  ({
    created_at: '2026-01-01T00:00:00.000Z',
    ready_at: seconds === null ? null : new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString(),
  }) as Deployment;

it('averages the deployments that became ready, and assumes 10 minutes without any', () => {
  expect(averageReadyMs([took(60), took(null), took(120)])).toBe(90_000);
  expect(averageReadyMs([took(null)])).toBe(600_000);
});

it('estimates between 0 and 100 percent', () => {
  expect(progressPercent(0, 100, 25)).toBe(25);
  expect(progressPercent(0, 100, 500)).toBe(100);
  expect(progressPercent(50, 100, 0)).toBe(0);
});
