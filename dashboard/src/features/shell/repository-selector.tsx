import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { repositoriesQuery } from '../../api/queries/repositories.ts';
import { stored } from '../../session/storage.ts';

const BLANK = 'blank';
const ADD = 'add';

interface Props extends Pick<SelectProps, 'visibleFrom'> {
  onChosen?: () => void;
}

/** Goes to the repository that is chosen. Hidden from users without any. */
export function RepositorySelector({ visibleFrom, onChosen }: Props) {
  const { data, isPending } = useQuery(repositoriesQuery);
  const { id } = useParams({ strict: false });
  const navigate = useNavigate();
  useRemember(
    id,
    data?.map(repository => repository.id),
  );
  if (data?.length === 0 || (!isPending && !data)) return null;

  const choose = (value: string | null) => {
    onChosen?.();
    if (value === ADD) return navigate({ to: '/onboarding' });
    if (value === null || value === BLANK) return navigate({ to: '/repositories' });
    return navigate({ to: '/repository/$id', params: { id: value } });
  };
  return (
    <Select
      {...(visibleFrom && { visibleFrom })}
      aria-label="Repository"
      w={{ base: '100%', sm: 240 }}
      disabled={isPending}
      placeholder="Loading repositories..."
      allowDeselect={false}
      value={isPending ? null : (data?.find(repository => repository.id === id)?.id ?? BLANK)}
      data={[
        { value: BLANK, label: 'Select a Repository' },
        ...(data ?? []).map(repository => ({ value: repository.id, label: repository.full_name })),
        { value: ADD, label: '+ Add New Repository' },
      ]}
      onChange={choose}
    />
  );
}

/** Keeps the selected and the default repository; the first one is the default while none is set. */
function useRemember(selected: string | undefined, ids: string[] | undefined): void {
  useEffect(() => {
    if (selected) stored.selectedRepository.set(selected);
  }, [selected]);
  const first = ids?.[0];
  useEffect(() => {
    if (first && !stored.defaultRepository.get()) stored.defaultRepository.set(first);
  }, [first]);
}
