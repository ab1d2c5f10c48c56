import { Group, Menu, Text } from '@mantine/core';
import type { Environment } from '#contract/entities.ts';
import { useCancelDeployment } from '../../api/mutations/cancel-deployment.ts';
import { isWebAddress } from '../../api/web-address.ts';
import { formatDuration } from '../../time/format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EnvironmentChip, environmentTitle } from '../../ui/environment-chip.tsx';
import { ButtonLink, MenuLink } from '../../ui/links.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/status-chip.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { VisitButton } from '../../ui/visit-button.tsx';

export function EnvironmentTable({ environments }: { environments: Environment[] }) {
  if (environments.length === 0) return <EmptyState title="No pull requests with environment comments" />;
  return (
    <DataTable
      caption="Environments of this repository"
      rows={environments}
      rowKey={({ id }) => id}
      highlight={({ status }) => (status === 'failed' ? 'danger' : undefined)}
      columns={[
        {
          header: 'Name',
          cell: environment => (
            <Group gap="xs" wrap="nowrap">
              <EnvironmentChip environment={environment} />
              <Text span fw={600}>
                {environmentTitle(environment)}
              </Text>
            </Group>
          ),
        },
        { header: 'Environment', cell: environment => <Visit environment={environment} /> },
        { header: 'Deployments', cell: environment => <DeploymentCount environment={environment} /> },
        { header: 'Last Updated', cell: environment => <LastUpdated environment={environment} /> },
        { header: 'Actions', quiet: true, cell: environment => <Actions environment={environment} /> },
      ]}
    />
  );
}

function Visit({ environment: { status, preview_url } }: { environment: Environment }) {
  if (!isWebAddress(preview_url)) return <Text c="dimmed">None</Text>;
  return <VisitButton url={preview_url} enabled={status === 'running'} />;
}

/** An environment whose first deployment is not there yet shows a dash. */
function DeploymentCount({
  environment: { id, repository_id, status, deployment_count },
}: {
  environment: Environment;
}) {
  if (deployment_count === 0 && status === 'building') return <Text c="dimmed">-</Text>;
  return (
    <ButtonLink
      variant="default"
      size="xs"
      to="/repository/$id/environment/$environmentId/deployments"
      params={{ id: repository_id, environmentId: id }}
      leftSection={<StatusDot status={status} />}
      aria-label={`${deployment_count} deployments, environment ${status}`}
    >
      {deployment_count}
    </ButtonLink>
  );
}

function LastUpdated({ environment }: { environment: Environment }) {
  const seconds = environment.last_deployment_duration_seconds;
  return (
    <div>
      <RelativeTime at={environment.last_updated_at} />
      {seconds !== null && (
        <Text size="sm" c="dimmed">
          Deployed in {formatDuration(seconds)}
        </Text>
      )}
    </div>
  );
}

function Actions({ environment }: { environment: Environment }) {
  const cancel = useCancelDeployment();
  const { id, repository_id, status, pull_request_url } = environment;
  return (
    <RowMenu label={`Actions for ${environmentTitle(environment)}`}>
      <MenuLink
        to="/repository/$id/environment/$environmentId/deployments"
        params={{ id: repository_id, environmentId: id }}
      >
        Deployments
      </MenuLink>
      {isWebAddress(pull_request_url) && (
        <Menu.Item component="a" href={pull_request_url} target="_blank" rel="noreferrer">
          Pull Request
        </Menu.Item>
      )}
      {status === 'building' && (
        <Menu.Item color="danger" onClick={() => cancel.mutate(id)}>
          Cancel Deployment
        </Menu.Item>
      )}
    </RowMenu>
  );
}
