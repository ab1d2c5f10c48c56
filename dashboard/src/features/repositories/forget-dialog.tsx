import { Button, Group, Modal, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Repository } from '#contract/entities.ts';
import { call } from '../../api/client.ts';
import { repositoriesKey } from '../../api/queries/repositories.ts';
import { notify, notifyError } from '../../ui/notify.ts';

interface Props {
  /** The repository in question; null closes the dialog. */
  repository: Pick<Repository, 'id' | 'full_name'> | null;
  onClose: () => void;
  onForgotten?: () => void;
}

export function ForgetDialog({ repository, onClose, onForgotten }: Props) {
  const client = useQueryClient();
  const forget = useMutation({
    mutationFn: (id: string) => call('forgetRepository', { params: { id } }),
    onSuccess: () => {
      notify('Repository forgotten successfully');
      onClose();
      onForgotten?.();
      return client.invalidateQueries({
        queryKey: repositoriesKey,
        refetchType: onForgotten ? 'none' : 'active',
      });
    },
    onError: error => notifyError(`Failed to forget repository: ${error.message}`),
  });
  return (
    <Modal opened={repository !== null} onClose={onClose} title="Forget repository" centered>
      <Text>
        <strong>{repository?.full_name}</strong> will be marked as deleted in Greenroom. It is not deleted on
        GitHub. Adding the repository again undoes this.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color="danger"
          loading={forget.isPending}
          onClick={() => repository && forget.mutate(repository.id)}
        >
          Forget
        </Button>
      </Group>
    </Modal>
  );
}
