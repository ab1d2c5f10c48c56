import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openRepository, type RepositoryParams } from './access.ts';
import { authenticate } from './auth.ts';
import type { GitHub } from './context.ts';
import type { Target } from './deliveries.ts';
import { badCredentials, notFound } from './errors.ts';
import { appTarget, hookTarget } from './events.ts';
import { findHook } from './hooks.ts';
import { paginate } from './paginate.ts';
import type { Delivery } from './state.ts';

type Params = RepositoryParams & { id: string; delivery: string };

/** What was sent to a hook, and sending it again; for repositories' hooks and for the app's own. */
export function deliveryRoutes(app: FastifyInstance, github: GitHub): void {
  const routes: [string, (request: FastifyRequest, level: 'read' | 'write') => Target][] = [
    [
      '/repos/:owner/:repo/hooks/:id/deliveries',
      (request, level) => {
        const { repository } = openRepository(github, request, 'repository_hooks', level);
        return hookTarget(findHook(github, repository, (request.params as Params).id));
      },
    ],
    ['/app/hook/deliveries', request => ownTarget(github, request)],
  ];
  for (const [path, open] of routes) {
    app.get(path, (request, reply) => list(github, open(request, 'read'), request, reply));
    app.get(`${path}/:delivery`, async request => {
      const delivery = find(github, open(request, 'read'), request);
      return { ...summary(delivery), ...(await github.sender.read(delivery)) };
    });
    app.post(`${path}/:delivery/attempts`, async (request, reply) => {
      const target = open(request, 'write');
      await github.sender.resend(target, find(github, target, request));
      reply.code(202);
      return {};
    });
  }
}

function ownTarget(github: GitHub, request: FastifyRequest): Target {
  if (authenticate(github, request).kind !== 'app') throw badCredentials();
  const target = appTarget(github);
  if (!target) throw notFound();
  return target;
}

const deliveriesTo = (github: GitHub, target: Target) =>
  github.store.state.deliveries.filter(each => each.hookId === target.hookId);

function list(github: GitHub, target: Target, request: FastifyRequest, reply: FastifyReply) {
  return paginate(request, reply, deliveriesTo(github, target).toReversed()).map(summary);
}

function find(github: GitHub, target: Target, request: FastifyRequest): Delivery {
  const { delivery: id } = request.params as Params;
  const delivery = deliveriesTo(github, target).find(each => String(each.id) === id);
  if (!delivery) throw notFound();
  return delivery;
}

const summary = (delivery: Delivery) => ({
  id: delivery.id,
  guid: delivery.guid,
  delivered_at: delivery.deliveredAt,
  redelivery: delivery.redelivery,
  duration: delivery.duration,
  status: delivery.status,
  status_code: delivery.statusCode,
  event: delivery.event,
  action: delivery.action,
  installation_id: delivery.installationId,
  repository_id: delivery.repositoryId,
  throttled_at: null,
});
