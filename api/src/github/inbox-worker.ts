import type { Context } from '../context.ts';
import { isDuplicateKey } from '../http/errors.ts';
import type { DeliveryDoc } from '../store/deliveries.ts';
import { startWorker, type Worker } from '../worker.ts';
import { pullRequestPayload } from './deliveries.ts';
import { handlePullRequest, type Outcome } from './pull-request.ts';

const LEASE_MS = 2 * 60_000;
const ATTEMPTS = 12;

/** Works through stored deliveries, those of one pull request in the order in which they came. Survives restarts. */
export function startInboxWorker(context: Context): Worker {
  return startWorker('the webhook inbox', context.log, 1000, async () => {
    const delivery = await claim(context);
    if (!delivery) return false;
    await process(context, delivery);
    return true;
  });
}

/** Takes the oldest unfinished delivery of some pull request, if it is due; later ones of the same wait behind it. */
async function claim({ store }: Context): Promise<DeliveryDoc | undefined> {
  const now = new Date();
  const heads = await store.deliveries.aggregate<{
    first: Pick<DeliveryDoc, '_id' | 'status' | 'due_at' | 'lease_until'>;
  }>([
    { $match: { status: { $in: ['pending', 'processing'] } } },
    { $sort: { received_at: 1 } },
    { $project: { key: 1, status: 1, due_at: 1, lease_until: 1 } },
    { $group: { _id: '$key', first: { $first: '$$ROOT' } } },
  ]);
  for (const { first } of heads) {
    const free = first.status === 'pending' ? first.due_at <= now : first.lease_until <= now;
    if (!free) continue;
    try {
      const claimed = await store.deliveries
        .findOneAndUpdate(
          { _id: first._id, status: first.status, lease_until: first.lease_until },
          {
            $set: { status: 'processing', lease_until: new Date(now.getTime() + LEASE_MS) },
            $inc: { attempts: 1 },
          },
          { returnDocument: 'after' },
        )
        .lean<DeliveryDoc>();
      if (claimed) return claimed;
    } catch (error) {
      // Another replica took a delivery of the same pull request in between.
      if (!isDuplicateKey(error)) throw error;
    }
  }
  return undefined;
}

async function process(context: Context, delivery: DeliveryDoc): Promise<void> {
  const log = context.log.child({ delivery: delivery._id, event: delivery.event, action: delivery.action });
  const finish = (change: Partial<DeliveryDoc>) =>
    context.store.deliveries.updateOne({ _id: delivery._id, status: 'processing' }, { $set: change });
  try {
    const outcome = await handle(context, delivery);
    log.info({ outcome: outcome.status, key: delivery.key }, outcome.reason);
    await finish(outcome);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const over = delivery.attempts >= ATTEMPTS;
    log.warn({ err: error, attempt: delivery.attempts }, over ? 'given up' : 'will be tried again');
    await finish(
      over ? { status: 'failed', reason } : { status: 'pending', reason, due_at: after(delivery.attempts) },
    );
  }
}

async function handle(context: Context, delivery: DeliveryDoc): Promise<Outcome> {
  if (delivery.event !== 'pull_request') {
    return { status: 'ignored', reason: `nothing to do for ${delivery.event}` };
  }
  const payload = pullRequestPayload.safeParse(JSON.parse(delivery.payload));
  if (!payload.success)
    return { status: 'ignored', reason: `not as GitHub documents it: ${payload.error.message}` };
  return handlePullRequest(context, payload.data);
}

/** 1 s, 2 s, 4 s … at most 10 minutes. */
const after = (attempts: number) => new Date(Date.now() + Math.min(1000 * 2 ** (attempts - 1), 600_000));
