import { verify } from '@octokit/webhooks-methods';
import type { Context } from '../context.ts';
import { HttpError, isDuplicateKey } from '../http/errors.ts';
import type { DeliveryDoc } from '../store/deliveries.ts';
import { fileDelivery } from './deliveries.ts';

export interface IncomingDelivery {
  id: string | undefined;
  event: string | undefined;
  signature: string | undefined;
  body: Buffer;
}

/**
 * Checks a delivery's signature and stores it; nothing is acted on here. False when it was received before. Throws 401 on
 * a wrong signature, 400 on a body that is no delivery.
 */
export async function receive(context: Context, incoming: IncomingDelivery): Promise<boolean> {
  const body = incoming.body.toString('utf8');
  const secret = context.config.GITHUB_WEBHOOK_SECRET;
  // verify() compares in constant time.
  if (!incoming.signature || !body || !(await verify(secret, body, incoming.signature).catch(() => false))) {
    throw new HttpError(401, 'The signature does not match', 'invalid_signature');
  }
  if (!incoming.id || incoming.id.length > 100 || !incoming.event) {
    throw new HttpError(400, 'X-GitHub-Delivery and X-GitHub-Event are needed');
  }
  const now = new Date();
  const delivery: DeliveryDoc = {
    _id: incoming.id,
    event: incoming.event,
    ...filed(body),
    payload: body,
    status: 'pending',
    reason: '',
    attempts: 0,
    received_at: now,
    due_at: now,
    lease_until: new Date(0),
  };
  try {
    await context.store.deliveries.create(delivery);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  // A person asked GitHub to deliver again what failed here.
  const again = await context.store.deliveries.updateOne(
    { _id: incoming.id, status: 'failed' },
    { $set: { status: 'pending', attempts: 0, due_at: now } },
  );
  return again.modifiedCount > 0;
}

function filed(body: string) {
  try {
    const { action, repositoryId, key } = fileDelivery(body);
    return { action, repository_id: repositoryId, key };
  } catch (error) {
    throw new HttpError(400, `Not a delivery of GitHub: ${(error as Error).message}`);
  }
}
