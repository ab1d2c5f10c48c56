import { describe, expect, it } from 'vitest';
import { LABELS } from '#crds/vocabulary.ts';
import { deployment, minutesAgo, snapshot, step } from '#tests/fixtures/operator-objects.ts';
import type { KubeObject } from '../kube/resources.ts';
import { booting, routesArePublished } from './booting.ts';
import type { Snapshot } from './phase.ts';

const ingress: KubeObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web', namespace: 'env-shop', labels: { [LABELS.route]: 'true' } },
};
const service: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'env-shop' },
};
const route = { service: 'web', primary: true, host: 'shop.example', url: 'https://shop.example', port: 80 };
const plan = { routes: [{ ...route, service: 'api', primary: false }, route], objects: [service, ingress] };

const CHECK = 'External health check';
const checkedSince = (minutes: number) =>
  deployment({
    status: {
      steps: [
        step('Booting', 'Publish routes', { status: 'completed' }),
        step('Booting', CHECK, { startedAt: minutesAgo(minutes) }),
      ],
    },
  });
const look = (changes: Omit<Partial<Snapshot>, 'plan' | 'objects'>) =>
  booting(snapshot({ plan, ...changes }));
const statuses = ({ steps }: ReturnType<typeof look>) =>
  steps.map(({ name, status }) => `${name}: ${status}`);

describe('booting', () => {
  it('publishes the routes, which no phase before did, and then checks the URL', () => {
    const result = look({});
    expect(result).toMatchObject({ state: 'waiting', apply: [ingress] });
    expect(statuses(result)).toEqual(['Publish routes: completed', `${CHECK}: running`]);
    expect(result.recheckMs).toBeGreaterThan(0);
  });

  it('is complete when the URL answers', () => {
    const result = look({ health: { healthy: true, detail: 'HTTP 200' } });
    expect(result).toMatchObject({ state: 'completed', apply: [ingress] });
    expect(result.steps.at(-1)).toMatchObject({
      status: 'completed',
      message: 'https://shop.example: HTTP 200',
    });
  });

  it('waits while it does not, without making a fact of every try', () => {
    const tries = ['HTTP 502', 'HTTP 503'].map(detail =>
      look({ deployment: checkedSince(1), health: { healthy: false, detail } }),
    );
    expect(tries[0]).toMatchObject({ state: 'waiting' });
    expect(tries[0]?.steps).toEqual(tries[1]?.steps);
  });

  it('gives up in the end, and says what to look at', () => {
    const result = look({ deployment: checkedSince(2.1), health: { healthy: false, detail: 'HTTP 502' } });
    expect(result).toMatchObject({ state: 'failed', failure: { reason: 'HealthCheckFailed' } });
    expect(result.failure?.message).toBe(
      'https://shop.example does not answer: HTTP 502. Does web listen on port 80, on all addresses?',
    );
    expect(result.steps.at(-1)).toMatchObject({ name: CHECK, status: 'failed' });
  });

  it('takes an answer that comes at the last moment', () =>
    expect(look({ deployment: checkedSince(3), health: { healthy: true, detail: 'HTTP 200' } }).state).toBe(
      'completed',
    ));

  it('has nothing to check where nothing is public', () => {
    const result = booting(snapshot({ plan: { objects: [service] } }));
    expect(result).toMatchObject({ state: 'completed', apply: [] });
    expect(statuses(result)).toEqual(['Publish routes: completed', `${CHECK}: completed`]);
  });

  it('lets nobody check before the routes are there', () => {
    expect(routesArePublished(snapshot({ plan }))).toBe(false);
    expect(routesArePublished(snapshot({ plan, deployment: checkedSince(1) }))).toBe(true);
  });
});
