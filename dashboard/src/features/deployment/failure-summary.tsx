import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Deployment } from '#contract/entities.ts';
import { failedStep, type ShownPhase } from './phases.ts';

/** Why a deployment did not succeed, above everything else. */
export function FailureSummary({ deployment, phases }: { deployment: Deployment; phases: ShownPhase[] }) {
  if (deployment.status === 'canceled') {
    return (
      <Alert color="neutral" mb="lg" title="Canceled">
        {deployment.message || 'This deployment was canceled before it was ready.'}
      </Alert>
    );
  }
  if (deployment.status !== 'failed') return null;
  const failed = failedStep(phases);
  return (
    <Alert
      color="danger"
      mb="lg"
      icon={<IconAlertTriangle />}
      title={failed ? `Failed in ${failed.phase}: ${failed.step.name}` : 'Failed'}
    >
      <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
        {deployment.failure_reason ?? 'Deployment failed for unknown reason'}
      </Text>
    </Alert>
  );
}
