import { Button, SimpleGrid, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { activeEnvironmentsQuery } from '../../api/queries/environments.ts';
import { repositoriesQuery } from '../../api/queries/repositories.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { ActiveEnvironments } from './active-environments.tsx';
import { Repositories } from './repositories.tsx';

export function OverviewScreen() {
  const repositories = useQuery(repositoriesQuery);
  const environments = useQuery(activeEnvironmentsQuery);
  const refresh = () => Promise.all([repositories.refetch(), environments.refetch()]);
  const failed = [repositories, environments].find(query => query.isError && query.data === undefined);
  return (
    <>
      <PageHeader
        title="Overview"
        tab="Overview"
        hint="Manage your repositories and environments."
        actions={
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={repositories.isRefetching || environments.isRefetching}
            onClick={refresh}
          >
            Refresh
          </Button>
        }
      />
      {failed ? (
        <ErrorState
          title="Failed to load overview data. Please try again."
          error={failed.error}
          onRetry={refresh}
        />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
          <section aria-labelledby="repositories">
            <Title order={2} size="h4" mb="sm" id="repositories">
              Repositories
            </Title>
            <Repositories repositories={repositories.data} />
          </section>
          <section aria-labelledby="environments">
            <Title order={2} size="h4" mb="sm" id="environments">
              Active environments
            </Title>
            <ActiveEnvironments environments={environments.data} />
          </section>
        </SimpleGrid>
      )}
    </>
  );
}
