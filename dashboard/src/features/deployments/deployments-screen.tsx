import { Group, Pagination, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type DeploymentPage, deploymentsQuery, PAGE_SIZE } from '../../api/queries/deployments.ts';
import { environmentQuery } from '../../api/queries/environments.ts';
import { repositoryQuery } from '../../api/queries/repositories.ts';
import { isWebAddress } from '../../api/web-address.ts';
import { Crumbs } from '../../ui/crumbs.tsx';
import { TableSkeleton } from '../../ui/data-table.tsx';
import { EnvironmentChip, environmentTitle } from '../../ui/environment-chip.tsx';
import { TextLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { VisitButton } from '../../ui/visit-button.tsx';
import { DeploymentTable } from './deployment-table.tsx';

const route = getRouteApi('/guarded/repository/$id/environment/$environmentId/deployments');

export function DeploymentsScreen() {
  const { id, environmentId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: repository } = useQuery(repositoryQuery(id));
  const { data: environment } = useQuery(environmentQuery(environmentId));
  const deployments = useQuery(deploymentsQuery(environmentId, page));
  const name = environment ? environmentTitle(environment) : 'Environment';
  return (
    <>
      <PageHeader
        title="Deployments"
        tab={`Deployments of ${name}`}
        hint={
          <Group gap="xs" mih={28}>
            {environment && <EnvironmentChip environment={environment} />}
            {environment && name}
          </Group>
        }
        breadcrumbs={
          <Crumbs
            between={[
              <TextLink key="repository" to="/repository/$id" params={{ id }} size="sm">
                {repository?.full_name ?? 'Repository'}
              </TextLink>,
            ]}
            here={name}
          />
        }
        actions={
          isWebAddress(environment?.preview_url ?? null) && (
            <VisitButton url={environment?.preview_url ?? ''} enabled={environment?.status === 'running'} />
          )
        }
      />
      <Loaded query={deployments} skeleton={<TableSkeleton rows={5} />} failure="Failed to load deployments">
        {answer =>
          answer.pagination.total === 0 ? (
            <EmptyState title="No deployments found for this environment" />
          ) : (
            <>
              <DeploymentTable
                deployments={answer.data}
                repositoryId={id}
                pullRequestUrl={environment?.pull_request_url ?? null}
              />
              <Pages answer={answer} onPage={next => navigate({ search: next > 1 ? { page: next } : {} })} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Pages({ answer, onPage }: { answer: DeploymentPage; onPage: (page: number) => void }) {
  const { page, total, total_pages } = answer.pagination;
  if (total_pages <= 1) return null;
  const first = (page - 1) * PAGE_SIZE + 1;
  const last = Math.min(page * PAGE_SIZE, total);
  return (
    <Group justify="space-between" mt="md">
      <Text size="sm" c="dimmed">
        Showing {first} - {last} of {total} deployments
      </Text>
      <Pagination
        style={{ '--pagination-active-color': 'var(--gr-on-primary)' }}
        total={total_pages}
        value={page}
        onChange={onPage}
        getItemProps={item => ({ 'aria-label': `Page ${item}` })}
        getControlProps={control => ({ 'aria-label': `${control} page` })}
      />
    </Group>
  );
}
