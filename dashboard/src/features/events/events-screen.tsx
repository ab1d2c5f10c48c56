import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { DeploymentEvent } from '#contract/entities.ts';
import { deploymentEventsQuery, deploymentQuery } from '../../api/queries/deployments.ts';
import { environmentQuery } from '../../api/queries/environments.ts';
import { repositoryQuery } from '../../api/queries/repositories.ts';
import { DataTable, TableSkeleton } from '../../ui/data-table.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { DeploymentCrumbs } from '../deployment/deployment-crumbs.tsx';

const route = getRouteApi(
  '/guarded/repository/$id/environment/$environmentId/deployment/$deploymentId/events',
);

export function EventsScreen() {
  const { id, environmentId, deploymentId } = route.useParams();
  const { data: repository } = useQuery(repositoryQuery(id));
  const { data: environment } = useQuery(environmentQuery(environmentId));
  const { data: deployment } = useQuery(deploymentQuery(deploymentId));
  const events = useQuery(deploymentEventsQuery(deploymentId));
  const title = deployment ? `Events of ${deployment.commit_sha.slice(0, 8)}` : 'Events';
  return (
    <>
      <PageHeader
        title={title}
        tab={title}
        breadcrumbs={
          <DeploymentCrumbs
            repository={repository}
            environment={environment}
            ids={{ id, environmentId }}
            here="Events"
          />
        }
        actions={
          <ButtonLink
            variant="default"
            to="/repository/$id/environment/$environmentId/deployment/$deploymentId"
            params={{ id, environmentId, deploymentId }}
          >
            View Deployment
          </ButtonLink>
        }
      />
      <Loaded query={events} skeleton={<TableSkeleton rows={6} />} failure="Failed to load deployment events">
        {list => <EventTable events={list} />}
      </Loaded>
    </>
  );
}

function EventTable({ events }: { events: DeploymentEvent[] }) {
  if (events.length === 0) return <EmptyState title="No events found for this deployment" />;
  return (
    <DataTable
      caption="Events of this deployment"
      rows={events}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Type', cell: ({ type }) => <Code>{type}</Code> },
        { header: 'Message', cell: ({ message }) => message },
        { header: 'Data', cell: ({ data }) => <Data data={data} /> },
        { header: 'Time', cell: ({ timestamp }) => <RelativeTime at={timestamp} /> },
      ]}
    />
  );
}

function Data({ data }: { data: DeploymentEvent['data'] }) {
  if (Object.keys(data).length === 0) return null;
  return (
    <details>
      <Text component="summary" size="sm" c="var(--gr-link)" style={{ cursor: 'pointer' }}>
        Show
      </Text>
      <Code block>{JSON.stringify(data, null, 2)}</Code>
    </details>
  );
}
