import { useMutation } from '@tanstack/react-query';
import { notify, notifyError } from '../../ui/notify.ts';
import { call } from '../client.ts';

/** Cancels what an environment is deploying, by the environment's id. The live stream brings the result. */
export function useCancelDeployment() {
  return useMutation({
    mutationFn: (environmentId: string) => call('cancelDeployment', { params: { id: environmentId } }),
    onSuccess: () => notify('Deployment Cancelled'),
    onError: () => notifyError('Failed to cancel deployment. Please try again.'),
  });
}
