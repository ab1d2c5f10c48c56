import { Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Repository, RepositoryOption } from '#contract/entities.ts';
import { call } from '../../api/client.ts';
import { ownerRepositoriesQuery, ownersQuery } from '../../api/queries/owners.ts';
import { ErrorState } from '../../ui/states.tsx';

/** Owner, then repository. The chosen one is registered at once: its files can only be read through its id. */
export function RepositoryFields({ onChosen }: { onChosen: (repository: Repository | null) => void }) {
  const [owner, setOwner] = useState<string | null>(null);
  const [name, setName] = useState<string | null>(null);
  const owners = useQuery(ownersQuery);
  const options = useQuery({ ...ownerRepositoriesQuery(owner ?? ''), enabled: owner !== null });
  const register = useRegister(onChosen);

  const choose = (next: string | null) => {
    setName(next);
    onChosen(null);
    const option = options.data?.find(each => each.name === next);
    if (option) register.mutate(option);
  };
  return (
    <Stack>
      {owners.isError && (
        <ErrorState
          title="Failed to load repositories"
          error={owners.error}
          onRetry={() => owners.refetch()}
        />
      )}
      <Select
        label="Owner"
        placeholder={owners.isPending ? 'Loading...' : 'Select an owner'}
        disabled={!owners.data || register.isPending}
        data={owners.data?.map(({ login }) => login) ?? []}
        value={owner}
        onChange={value => {
          setOwner(value);
          choose(null);
        }}
        searchable
        allowDeselect={false}
      />
      {options.isError && (
        <ErrorState
          title="Failed to load repositories"
          error={options.error}
          onRetry={() => options.refetch()}
        />
      )}
      <Select
        label="Repository"
        placeholder={options.isFetching ? 'Loading repositories...' : 'Select a repository'}
        disabled={!options.data || register.isPending}
        data={options.data?.map(option => option.name) ?? []}
        value={name}
        onChange={choose}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No repositories found."
        renderOption={({ option }) => (
          <Option option={options.data?.find(({ name }) => name === option.value)} />
        )}
      />
      {register.isError && (
        <ErrorState
          title="Failed to load repository details"
          error={register.error}
          onRetry={() => choose(name)}
        />
      )}
    </Stack>
  );
}

function Option({ option }: { option: RepositoryOption | undefined }) {
  return (
    <Group justify="space-between" w="100%" gap="xs">
      <span>{option?.name}</span>
      <Text size="sm" c="dimmed" span>
        {option?.private ? 'Private' : 'Public'}
        {option?.connected_id && ' · connected'}
      </Text>
    </Group>
  );
}

/** Registers the chosen repository, and forgets the one chosen before it if this form had added that one. */
function useRegister(onChosen: (repository: Repository) => void) {
  const [added, setAdded] = useState<string | null>(null);
  return useMutation({
    mutationFn: async ({ owner, name }: RepositoryOption) => {
      if (added) await call('forgetRepository', { params: { id: added } });
      setAdded(null);
      return call('connectRepository', { body: { owner, repo: name } });
    },
    onSuccess: (repository, option) => {
      setAdded(option.connected_id ? null : repository.id);
      onChosen(repository);
    },
  });
}
