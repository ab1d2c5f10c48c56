import { Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { composeFilesQuery } from '../../api/queries/repositories.ts';
import { EmptyState, Loaded } from '../../ui/states.tsx';

interface Props {
  repositoryId: string;
  value: string | null;
  onChange: (path: string) => void;
}

/** The compose files that were found. The only one is chosen by itself. */
export function ComposeFileField({ repositoryId, value, onChange }: Props) {
  const query = useQuery(composeFilesQuery(repositoryId));
  const files = query.data?.composeFiles;
  const only = files?.length === 1 ? files[0]?.path : undefined;
  useEffect(() => {
    if (only && value === null) onChange(only);
  }, [only, value, onChange]);
  return (
    <Loaded
      query={query}
      skeleton={<Skeleton height={60} />}
      failure="Failed to fetch compose files from repository"
    >
      {({ composeFiles }) =>
        composeFiles.length === 0 ? (
          <EmptyState title="No compose file was found on the default branch of this repository. Add one, then choose it again." />
        ) : (
          <Select
            label="Compose file"
            placeholder="Select a compose file"
            data={composeFiles.map(({ path }) => path)}
            value={value}
            onChange={path => path && onChange(path)}
            allowDeselect={false}
          />
        )
      }
    </Loaded>
  );
}
