import type { Handlers } from '../http/handler.ts';

export const health: Pick<Handlers, 'health' | 'readiness'> = {
  health: async () => ({ status: 'ok' }),

  async readiness({ context, reply }) {
    const missing = [
      ...(context.store.isReady() ? [] : ['MongoDB']),
      ...(context.bus.isReady() ? [] : ['NATS']),
    ];
    if (missing.length === 0) return { status: 'ready' };
    return reply.code(503).send({ error: `Not ready: ${missing.join(' and ')} cannot be reached`, missing });
  },
};
