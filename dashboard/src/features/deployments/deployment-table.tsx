import { ActionIcon, Code, Group, Menu, Popover, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { Deployment } from '#contract/entities.ts';
import { IN_FLIGHT_STATUSES } from '#crds/vocabulary.ts';
import { useCancelDeployment } from '../../api/mutations/cancel-deployment.ts';
import { isWebAddress } from '../../api/web-address.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { MenuLink } from '../../ui/links.tsx';
import { AboveRowLink, RowLink } from '../../ui/row-link.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { StatusChip } from '../../ui/status-chip.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { DeploymentProgress } from './deployment-progress.tsx';
import { averageReadyMs } from './progress.ts';

interface Props {
  deployments: Deployment[];
  repositoryId: string;
  pullRequestUrl: string | null;
}

export function DeploymentTable({ deployments, repositoryId, pullRequestUrl }: Props) {
  const averageMs = averageReadyMs(deployments);
  return (
    <DataTable
      caption="Deployments of this environment, newest first"
      rows={deployments}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Commit',
          cell: ({ id, environment_id, commit_sha }) => (
            <RowLink
              to="/repository/$id/environment/$environmentId/deployment/$deploymentId"
              params={{ id: repositoryId, environmentId: environment_id, deploymentId: id }}
            >
              <Code>{commit_sha.slice(0, 8)}</Code>
            </RowLink>
          ),
        },
        { header: 'Status', cell: deployment => <DeploymentStatus deployment={deployment} /> },
        {
          header: 'Duration',
          cell: deployment => <DeploymentProgress deployment={deployment} averageMs={averageMs} />,
        },
        { header: 'Created', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
        {
          header: 'Actions',
          quiet: true,
          cell: deployment => (
            <Actions deployment={deployment} repositoryId={repositoryId} pullRequestUrl={pullRequestUrl} />
          ),
        },
      ]}
    />
  );
}

/** The status, and for a failed deployment its reason at a click. */
function DeploymentStatus({ deployment: { status, failure_reason } }: { deployment: Deployment }) {
  return (
    <Group gap={4} wrap="nowrap">
      <StatusChip status={status} />
      {status === 'failed' && (
        <AboveRowLink>
          <Popover width={320} position="bottom-start" withArrow>
            <Popover.Target>
              <ActionIcon variant="subtle" color="danger" aria-label="Why it failed">
                <IconInfoCircle size={18} />
              </ActionIcon>
            </Popover.Target>
            <Popover.Dropdown>
              <Text size="sm">{failure_reason ?? 'Deployment failed for unknown reason'}</Text>
            </Popover.Dropdown>
          </Popover>
        </AboveRowLink>
      )}
    </Group>
  );
}

function Actions({
  deployment,
  repositoryId,
  pullRequestUrl,
}: { deployment: Deployment } & Omit<Props, 'deployments'>) {
  const cancel = useCancelDeployment();
  const { id, environment_id, commit_sha, status } = deployment;
  return (
    <RowMenu label={`Actions for deployment of ${commit_sha.slice(0, 8)}`}>
      {isWebAddress(pullRequestUrl) && (
        <Menu.Item component="a" href={pullRequestUrl} target="_blank" rel="noreferrer">
          Pull Request
        </Menu.Item>
      )}
      <MenuLink
        to="/repository/$id/environment/$environmentId/deployment/$deploymentId/events"
        params={{ id: repositoryId, environmentId: environment_id, deploymentId: id }}
      >
        View Events
      </MenuLink>
      {IN_FLIGHT_STATUSES.includes(status) && (
        <Menu.Item color="danger" onClick={() => cancel.mutate(environment_id)}>
          Cancel Deployment
        </Menu.Item>
      )}
    </RowMenu>
  );
}
