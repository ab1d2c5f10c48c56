import type { Repository } from '#contract/entities.ts';
import { DataTable, TableSkeleton } from '../../ui/data-table.tsx';
import { ButtonLink, MenuLink } from '../../ui/links.tsx';
import { RowLink } from '../../ui/row-link.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { RelativeTime } from '../../ui/times.tsx';

export function Repositories({ repositories }: { repositories: Repository[] | undefined }) {
  if (!repositories) return <TableSkeleton rows={3} />;
  if (repositories.length === 0) {
    return (
      <EmptyState title="No repositories found.">
        <ButtonLink to="/onboarding">Connect Repository</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <DataTable
      caption="Connected repositories"
      rows={repositories}
      rowKey={({ id }) => id}
      columns={[
        {
          header: 'Repository',
          cell: ({ id, full_name }) => (
            <RowLink to="/repository/$id" params={{ id }}>
              {full_name}
            </RowLink>
          ),
        },
        { header: 'Last Updated', cell: ({ lastUpdated }) => <RelativeTime at={lastUpdated} by="day" /> },
        {
          header: 'Actions',
          quiet: true,
          cell: ({ id, full_name }) => (
            <RowMenu label={`Actions for ${full_name}`}>
              <MenuLink to="/repository/$id" params={{ id }}>
                View Details
              </MenuLink>
            </RowMenu>
          ),
        },
      ]}
    />
  );
}
