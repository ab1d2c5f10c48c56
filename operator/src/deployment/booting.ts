import { isRoute } from './deploying.ts';
import { type Outcome, outcome, type Snapshot } from './phase.ts';

const ROUTE = { phase: 'Booting', name: 'Publish routes' } as const;
const CHECK = { phase: 'Booting', name: 'External health check' } as const;
const CHECK_TIMEOUT_MS = 2 * 60_000;
const CHECK_EVERY_MS = 500;

/** Booting: the routes are published, and the primary URL is asked from outside until it answers. */
export function booting(snapshot: Snapshot): Outcome {
  const { plan, health, deployment, now } = snapshot;
  const apply = plan.objects.filter(isRoute);
  const primary = plan.routes.find(route => route.primary);
  if (!primary) {
    const message = 'No service is public: nothing to check';
    return outcome('completed', {
      apply,
      steps: [
        { ...ROUTE, status: 'completed' },
        { ...CHECK, status: 'completed', message },
      ],
    });
  }
  if (health?.healthy) {
    return outcome('completed', {
      apply,
      steps: [
        { ...ROUTE, status: 'completed' },
        { ...CHECK, status: 'completed', message: `${primary.url}: ${health.detail}` },
      ],
    });
  }
  const since = deployment.status?.steps?.find(
    ({ phase, name }) => phase === CHECK.phase && name === CHECK.name,
  )?.startedAt;
  if (since && now.getTime() - Date.parse(since) > CHECK_TIMEOUT_MS) {
    const message = `${primary.url} does not answer: ${health?.detail ?? 'not checked yet'}. Does ${primary.service} listen on port ${primary.port}, on all addresses?`;
    const failure = { reason: 'HealthCheckFailed', message } as const;
    return outcome('failed', {
      apply,
      failure,
      steps: [
        { ...ROUTE, status: 'completed' },
        { ...CHECK, status: 'failed', reason: failure.reason, message },
      ],
    });
  }
  // No message about the answer so far: it would make a fact of every try.
  return outcome('waiting', {
    apply,
    recheckMs: CHECK_EVERY_MS,
    steps: [
      { ...ROUTE, status: 'completed' },
      { ...CHECK, status: 'running' },
    ],
  });
}

/** Whether the routes are published, so that a check of the URL says something. */
export function routesArePublished(snapshot: Snapshot): boolean {
  return (
    snapshot.deployment.status?.steps?.some(
      ({ phase, name, status }) => phase === ROUTE.phase && name === ROUTE.name && status === 'completed',
    ) ?? false
  );
}
