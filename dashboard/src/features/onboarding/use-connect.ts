import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Repository } from '#contract/entities.ts';
import { ApiError, call } from '../../api/client.ts';
import { repositoriesKey } from '../../api/queries/repositories.ts';
import { notify } from '../../ui/notify.ts';
import type { Exposures } from './exposures.ts';

interface Connection {
  repository: Repository;
  path: string;
  exposures: Exposures;
}

/** Saves the form, piece by piece in an order that can be repeated after a failure, and goes to the repositories. */
export function useConnect() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: connect,
    onSuccess: async (_, { repository }) => {
      notify(`${repository.full_name} is connected`);
      await navigate({ to: '/repositories' });
    },
    onSettled: () => client.invalidateQueries({ queryKey: repositoriesKey }),
  });
}

async function connect({ repository: { id, owner, name }, path, exposures }: Connection): Promise<void> {
  await call('setComposePath', { params: { id }, body: { path } });
  for (const [serviceName, exposure] of Object.entries(exposures)) {
    await call('updateService', {
      params: { id, serviceName },
      body: { isPublic: exposure !== 'Internal', isPrimary: exposure === 'Primary' },
    });
  }
  try {
    await call('setupWebhook', { body: { owner: owner.login, repo: name } });
  } catch (error) {
    // A webhook from an earlier attempt serves as well.
    if (!(error instanceof ApiError && error.message.includes('Hook already exists'))) throw error;
  }
}
