import { describe, expect, it } from 'vitest';
import type { Deployment, DeploymentEvent, Environment } from '#contract/entities.ts';
import {
  laterDeployment,
  withActiveEnvironment,
  withDeployment,
  withEnvironment,
  withEvent,
} from './merge.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const environment = (id: string, second: number, status: Environment['status'] = 'running') =>
  ({ id, status, last_updated_at: at(second) }) as Environment;
const event = (id: string, second: number) => ({ id, timestamp: at(second) }) as DeploymentEvent;

/** A deployment whose web service was being built, then was built. */
const building = {
  id: 'd',
  status: 'building',
  created_at: at(0),
  steps: [{ started_at: at(1), completed_at: null }],
} as Deployment;
const built = { ...building, steps: [{ started_at: at(1), completed_at: at(9) }] } as Deployment;

describe('environments', () => {
  it('are the same after a duplicate, and keep the later of two versions', () => {
    const list = [environment('a', 5)];
    expect(withEnvironment(list, environment('a', 4))).toBe(list);
    const once = withEnvironment(list, environment('b', 1));
    expect(withEnvironment(once, environment('b', 1))).toEqual(once);
    expect(once.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('leave the active list when they stop', () => {
    const list = [environment('a', 5)];
    expect(withActiveEnvironment(list, environment('a', 6, 'stopped'))).toEqual([]);
    expect(withActiveEnvironment(list, environment('b', 6, 'stopped'))).toEqual(list);
  });
});

describe('deployments', () => {
  it('end the same whatever order their versions arrive in', () => {
    expect(laterDeployment(building, built)).toBe(built);
    expect(laterDeployment(built, building)).toBe(built);
  });

  it('replace themselves on a page, which stays itself when nothing changed', () => {
    const page = { data: [built], pagination: { page: 1, total: 1, total_pages: 1 } };
    expect(withDeployment(building)(page)).toBe(page);
    const canceled = { ...built, status: 'canceled', ended_at: at(10) } as Deployment;
    expect(withDeployment(canceled)(page).data).toEqual([canceled]);
  });
});

describe('events', () => {
  it('appear once, in order of time', () => {
    const list = withEvent([event('b', 2)], event('a', 1));
    expect(list.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(withEvent(list, event('a', 1))).toBe(list);
  });
});
