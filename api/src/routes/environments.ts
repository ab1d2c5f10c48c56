import { IN_FLIGHT_STATUSES } from '#crds/vocabulary.ts';
import { HttpError, notFound } from '../http/errors.ts';
import type { Handlers } from '../http/handler.ts';
import type { DeploymentDoc, EnvironmentDoc } from '../store/views.ts';
import { toDeployment, toEnvironments } from '../views.ts';

const PAGE = 200;

export const environments: Pick<
  Handlers,
  | 'listRepositoryEnvironments'
  | 'listEnvironments'
  | 'getEnvironment'
  | 'listDeployments'
  | 'cancelDeployment'
> = {
  async listRepositoryEnvironments({ context, repository }) {
    const found = await context.store.environments
      .find({ repository_id: repository._id })
      .sort({ created_at: -1 })
      .limit(PAGE)
      .lean<EnvironmentDoc[]>();
    return toEnvironments(context.store, found);
  },

  async listEnvironments({ context, user, query }) {
    const mine = await context.store.repositories.find({ user_ids: user._id }, { _id: 1 }).lean();
    const found = await context.store.environments
      .find({
        repository_id: { $in: mine.map(each => each._id) },
        ...(query.active === 'true' && { status: { $ne: 'stopped' } }),
      })
      .sort({ created_at: -1 })
      .limit(PAGE)
      .lean<EnvironmentDoc[]>();
    return { environments: await toEnvironments(context.store, found) };
  },

  async getEnvironment({ context, environment }) {
    const [found] = await toEnvironments(context.store, [environment]);
    if (!found) throw notFound('Environment');
    return found;
  },

  async listDeployments({ context, environment, query }) {
    const filter = { environment_id: environment._id };
    const [found, total] = await Promise.all([
      context.store.deployments
        .find(filter)
        .sort({ created_at: -1 })
        .skip((query.page - 1) * query.limit)
        .limit(query.limit)
        .lean<DeploymentDoc[]>(),
      context.store.deployments.countDocuments(filter),
    ]);
    return {
      data: found.map(toDeployment),
      pagination: { page: query.page, total, total_pages: Math.ceil(total / query.limit) },
    };
  },

  async cancelDeployment({ context, environment }) {
    const deployment = await context.store.deployments
      .findOne({ environment_id: environment._id, status: { $in: IN_FLIGHT_STATUSES } })
      .sort({ created_at: -1 })
      .lean<DeploymentDoc>();
    const canceled =
      deployment && (await context.cluster.cancelDeployment(deployment.resource_namespace, deployment.name));
    if (!canceled) throw new HttpError(409, 'No deployment is in progress', 'nothing_to_cancel');
    return { message: 'Deployment Cancelled' };
  },
};
