import { isAlive } from '../auth/sessions.ts';
import type { Handlers } from '../http/handler.ts';

export const live: Pick<Handlers, 'live'> = {
  async live({ context, reply, user, sessionId }) {
    await context.live.serve(reply, user._id, async () => {
      if (!(await isAlive(context.store, sessionId))) return null;
      const mine = await context.store.repositories.find({ user_ids: user._id }, { _id: 1 }).lean();
      return new Set(mine.map(each => each._id));
    });
    return reply;
  },
};
