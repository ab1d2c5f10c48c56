import type { Handlers } from '../http/handler.ts';
import type { DeploymentEventDoc } from '../store/views.ts';
import { toDeployment, toDeploymentEvent } from '../views.ts';

export const deployments: Pick<Handlers, 'getDeployment' | 'listDeploymentEvents'> = {
  getDeployment: async ({ deployment }) => toDeployment(deployment),

  async listDeploymentEvents({ context, deployment }) {
    const found = await context.store.deploymentEvents
      .find({ deployment_id: deployment._id })
      .sort({ seq: 1 })
      .lean<DeploymentEventDoc[]>();
    return found.map(toDeploymentEvent);
  },
};
