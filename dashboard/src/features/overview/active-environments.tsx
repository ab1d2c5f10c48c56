import { Group, Text } from '@mantine/core';
import type { Environment } from '#contract/entities.ts';
import type { EnvironmentStatus } from '#crds/vocabulary.ts';
import { ttl } from '../../time/ttl.ts';
import { useNow } from '../../time/use-now.ts';
import { DataTable, TableSkeleton } from '../../ui/data-table.tsx';
import { EnvironmentChip } from '../../ui/environment-chip.tsx';
import { RowLink } from '../../ui/row-link.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/status-chip.tsx';

/** Whether the overview shows an environment in that status. */
const SHOWN: Record<EnvironmentStatus, boolean> = {
  running: true,
  building: true,
  failed: true,
  stopped: false,
};

export function ActiveEnvironments({ environments }: { environments: Environment[] | undefined }) {
  if (!environments) return <TableSkeleton rows={3} />;
  const shown = environments.filter(({ status }) => SHOWN[status]);
  if (shown.length === 0) return <EmptyState title="No active environments found." />;
  return (
    <DataTable
      caption="Active environments"
      rows={shown}
      rowKey={({ id }) => id}
      highlight={({ status }) => (status === 'failed' ? 'danger' : undefined)}
      columns={[
        {
          header: 'Repository',
          cell: ({ repository_id, repository_full_name }) => (
            <RowLink to="/repository/$id" params={{ id: repository_id }}>
              {repository_full_name}
            </RowLink>
          ),
        },
        {
          header: 'Environment',
          cell: environment => (
            <Group gap="xs">
              <StatusDot status={environment.status} />
              <EnvironmentChip environment={environment} />
              <span>{environment.branch_name}</span>
            </Group>
          ),
        },
        { header: 'TTL', cell: ({ expires_at }) => <TimeToLive expiresAt={expires_at} /> },
      ]}
    />
  );
}

function TimeToLive({ expiresAt }: { expiresAt: string | null }) {
  const { text, urgent } = ttl(expiresAt ? Date.parse(expiresAt) : null, useNow(15));
  const style = { whiteSpace: 'nowrap' } as const;
  if (!urgent) return <span style={style}>{text}</span>;
  return (
    <Text span fw={700} c="var(--gr-danger)" style={style}>
      {text}
    </Text>
  );
}
