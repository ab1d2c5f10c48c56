import { Progress, Text } from '@mantine/core';
import type { Deployment } from '#contract/entities.ts';
import { IN_FLIGHT_STATUSES } from '#crds/vocabulary.ts';
import { useNow } from '../../time/use-now.ts';
import { Duration } from '../../ui/times.tsx';
import { progressPercent } from './progress.ts';

/** How long a deployment took to be ready or to end; while it is under way also an estimate and what it is doing. */
export function DeploymentProgress({ deployment, averageMs }: { deployment: Deployment; averageMs: number }) {
  const inFlight = IN_FLIGHT_STATUSES.includes(deployment.status);
  const now = useNow(inFlight ? 1 : null);
  const duration = (
    <Duration
      from={deployment.created_at}
      to={inFlight ? null : (deployment.ready_at ?? deployment.ended_at)}
    />
  );
  if (!inFlight) return duration;
  const percent = progressPercent(Date.parse(deployment.created_at), averageMs, now);
  return (
    <div style={{ minWidth: '8rem' }}>
      {duration}
      <Progress.Root size="sm" my={4}>
        <Progress.Section value={percent} color="var(--gr-primary)" aria-label="Estimated progress" />
      </Progress.Root>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {deployment.message}
      </Text>
    </div>
  );
}
