import { receive } from '../github/inbox.ts';
import type { Handlers } from '../http/handler.ts';

export const webhooks: Pick<Handlers, 'receiveWebhook'> = {
  async receiveWebhook({ context, request, reply }) {
    const header = (name: string) => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : undefined;
    };
    const isNew = await receive(context, {
      id: header('x-github-delivery'),
      event: header('x-github-event'),
      signature: header('x-hub-signature-256'),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    });
    if (isNew) context.wakeInbox();
    return reply.code(202).send({ message: isNew ? 'Accepted' : 'Received before' });
  },
};
