import type { Context } from '../context.ts';
import { requestComment } from '../github/feedback.ts';
import { toDeployment, toDeploymentEvent, toEnvironments } from '../views.ts';
import type { Projected } from './project.ts';

/** Tells who should know of a change that is committed: open streams of all replicas, and the pull request's comment. */
export async function announce(context: Context, projected: Projected): Promise<void> {
  const { store } = context;
  const isEnvironment = projected.kind === 'environment';
  const repositoryId = isEnvironment
    ? projected.environment.repository_id
    : projected.deployment.repository_id;
  if (!repositoryId) return;
  const environment = isEnvironment
    ? projected.environment
    : await store.environments.findById(projected.deployment.environment_id).lean();

  if (!isEnvironment) {
    const { deployment, event } = projected;
    context.live.publish(repositoryId, { kind: 'deployment', deployment: toDeployment(deployment) });
    context.live.publish(repositoryId, {
      kind: 'deployment-event',
      deployment_id: deployment._id,
      event: toDeploymentEvent(event),
    });
  }
  // A step does not show on the environment nor in the comment.
  if (!isEnvironment && projected.event.type === 'deployment.step-changed') return;
  if (!environment) return;
  const [view] = await toEnvironments(store, [environment]);
  if (view) context.live.publish(repositoryId, { kind: 'environment', environment: view });
  if (environment.pull_request) await requestComment(context, repositoryId, environment.pull_request.number);
}
