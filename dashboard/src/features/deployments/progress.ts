import type { Deployment } from '#contract/entities.ts';

const DEFAULT_READY_MS = 10 * 60_000;

/** Average time in ms from creation to a URL that answers, of the deployments that got there; 10 minutes without any. */
export function averageReadyMs(deployments: Deployment[]): number {
  const times = deployments.flatMap(({ created_at, ready_at }) =>
    ready_at ? [Date.parse(ready_at) - Date.parse(created_at)] : [],
  );
  if (times.length === 0) return DEFAULT_READY_MS;
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

/** Estimated progress in percent, at most 100. Times in ms. */
export function progressPercent(createdAt: number, averageMs: number, now: number): number {
  return Math.min(100, Math.max(0, ((now - createdAt) / Math.max(averageMs, 1)) * 100));
}
