import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IN_FLIGHT_STATUSES } from '#crds/vocabulary.ts';
import { useCancelDeployment } from '../../api/mutations/cancel-deployment.ts';
import { deploymentQuery } from '../../api/queries/deployments.ts';
import { environmentQuery } from '../../api/queries/environments.ts';
import { repositoryQuery } from '../../api/queries/repositories.ts';
import { isWebAddress } from '../../api/web-address.ts';
import { TableSkeleton } from '../../ui/data-table.tsx';
import { EnvironmentChip, environmentTitle } from '../../ui/environment-chip.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Loaded } from '../../ui/states.tsx';
import { StatusChip } from '../../ui/status-chip.tsx';
import { VisitButton } from '../../ui/visit-button.tsx';
import { DeploymentCrumbs } from './deployment-crumbs.tsx';
import { FailureSummary } from './failure-summary.tsx';
import { PhaseTable } from './phase-table.tsx';
import { shownPhases } from './phases.ts';

const route = getRouteApi('/guarded/repository/$id/environment/$environmentId/deployment/$deploymentId');

export function DeploymentScreen() {
  const { id, environmentId, deploymentId } = route.useParams();
  const { data: repository } = useQuery(repositoryQuery(id));
  const { data: environment } = useQuery(environmentQuery(environmentId));
  const query = useQuery(deploymentQuery(deploymentId));
  const cancel = useCancelDeployment();
  const deployment = query.data;
  const title = deployment ? `Deployment ${deployment.commit_sha.slice(0, 8)}` : 'Deployment';
  return (
    <>
      <PageHeader
        title={
          <Group gap="sm" component="span">
            {title}
            {deployment && <StatusChip status={deployment.status} />}
          </Group>
        }
        tab={title}
        hint={
          <Group gap="xs" mih={28}>
            {environment && <EnvironmentChip environment={environment} />}
            {environment && environmentTitle(environment)}
          </Group>
        }
        breadcrumbs={
          <DeploymentCrumbs
            repository={repository}
            environment={environment}
            ids={{ id, environmentId }}
            here={title}
          />
        }
        actions={
          <>
            {deployment?.status === 'running' && isWebAddress(deployment.external_url) && (
              <VisitButton url={deployment.external_url} enabled label="View Environment" size="sm" />
            )}
            {deployment && IN_FLIGHT_STATUSES.includes(deployment.status) && (
              <Button
                variant="outline"
                color="danger"
                loading={cancel.isPending}
                onClick={() => cancel.mutate(environmentId)}
              >
                Cancel Deployment
              </Button>
            )}
            <ButtonLink
              variant="default"
              to="/repository/$id/environment/$environmentId/deployment/$deploymentId/events"
              params={{ id, environmentId, deploymentId }}
            >
              View Events
            </ButtonLink>
          </>
        }
      />
      <Loaded query={query} skeleton={<TableSkeleton rows={5} />} failure="Failed to load deployment info">
        {loaded => {
          const phases = shownPhases(loaded);
          return (
            <>
              <FailureSummary deployment={loaded} phases={phases} />
              <PhaseTable key={loaded.id} createdAt={loaded.created_at} phases={phases} />
            </>
          );
        }}
      </Loaded>
    </>
  );
}
