import { Menu, Text, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Repository } from '#contract/entities.ts';
import { repositoriesQuery } from '../../api/queries/repositories.ts';
import { DataTable, TableSkeleton } from '../../ui/data-table.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AboveRowLink, RowLink } from '../../ui/row-link.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/times.tsx';
import { ForgetDialog } from './forget-dialog.tsx';
import { missing } from './missing.ts';

export function RepositoriesScreen() {
  const repositories = useQuery(repositoriesQuery);
  return (
    <>
      <PageHeader
        title="Repositories"
        tab="Repositories"
        actions={
          <ButtonLink to="/onboarding" leftSection={<IconPlus size={16} />}>
            Add Repository
          </ButtonLink>
        }
      />
      <Loaded
        query={repositories}
        skeleton={<TableSkeleton rows={4} />}
        failure="Failed to load repositories"
      >
        {list => <RepositoryTable repositories={list} />}
      </Loaded>
    </>
  );
}

function RepositoryTable({ repositories }: { repositories: Repository[] }) {
  const [forgetting, setForgetting] = useState<Repository | null>(null);
  if (repositories.length === 0) {
    return (
      <EmptyState title="No repositories connected">
        <ButtonLink to="/onboarding">Connect Repository</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <>
      <DataTable
        caption="Connected repositories"
        rows={[...repositories].sort((a, b) => a.full_name.localeCompare(b.full_name))}
        rowKey={({ id }) => id}
        highlight={repository => (missing(repository) ? 'warning' : undefined)}
        columns={[
          { header: 'Repository', cell: repository => <Name repository={repository} /> },
          { header: 'Last Updated', cell: ({ lastUpdated }) => <RelativeTime at={lastUpdated} by="day" /> },
          {
            header: 'Environments',
            cell: ({ activeEnvironmentsCount }) => <Count count={activeEnvironmentsCount} />,
          },
          {
            header: 'Actions',
            quiet: true,
            cell: repository => (
              <RowMenu label={`Actions for ${repository.full_name}`}>
                <Menu.Item color="danger" onClick={() => setForgetting(repository)}>
                  Forget
                </Menu.Item>
              </RowMenu>
            ),
          },
        ]}
      />
      <ForgetDialog repository={forgetting} onClose={() => setForgetting(null)} />
    </>
  );
}

/** Leads to the repository, or to the form that completes it. */
function Name({ repository: { id, full_name, ...repository } }: { repository: Repository }) {
  const lacking = missing(repository);
  if (!lacking) {
    return (
      <RowLink to="/repository/$id" params={{ id }}>
        {full_name}
      </RowLink>
    );
  }
  return (
    <div>
      <RowLink to="/onboarding" search={{ repository: id }}>
        {full_name}
      </RowLink>
      <Text size="sm" c="var(--gr-warning)">
        {lacking}
      </Text>
    </div>
  );
}

function Count({ count }: { count: number }) {
  return (
    <AboveRowLink>
      <Tooltip
        label="Environments that are running, being built or failed; stopped ones do not count"
        multiline
        maw={260}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip must be reachable with the keyboard */}
        <span tabIndex={0}>{count}</span>
      </Tooltip>
    </AboveRowLink>
  );
}
