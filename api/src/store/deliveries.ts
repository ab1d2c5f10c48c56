import type { Connection } from 'mongoose';
import { collection, type Keyed } from './collection.ts';

type DeliveryStatus = 'pending' | 'processing' | 'done' | 'ignored' | 'failed';

/** A webhook delivery. `_id` is GitHub's delivery id. */
export interface DeliveryDoc extends Keyed {
  event: string;
  action: string;
  /** What must be worked through in order: repository id and pull request number. */
  key: string;
  repository_id: string;
  /** The body as it was signed. */
  payload: string;
  status: DeliveryStatus;
  /** Why it was ignored, or the latest error. */
  reason: string;
  attempts: number;
  received_at: Date;
  due_at: Date;
  /** While it is processed: when another replica may take over. */
  lease_until: Date;
}

const THIRTY_DAYS = 30 * 24 * 3600;

export const deliveries = (connection: Connection) =>
  collection<DeliveryDoc>(
    connection,
    'webhookdeliveries',
    {
      event: String,
      action: String,
      key: String,
      repository_id: String,
      payload: String,
      status: String,
      reason: String,
      attempts: Number,
      received_at: Date,
      due_at: Date,
      lease_until: Date,
    },
    [
      [{ status: 1, received_at: 1 }],
      // At most one delivery of a pull request is worked on at a time, whatever the number of replicas.
      [
        { key: 1 },
        { unique: true, partialFilterExpression: { status: 'processing' }, name: 'one_at_a_time' },
      ],
      [{ repository_id: 1, received_at: -1 }],
      [{ received_at: 1 }, { expireAfterSeconds: THIRTY_DAYS, name: 'expire' }],
    ],
  );
