import { isDeepStrictEqual } from 'node:util';
import type { Deployment, PreviewEnvironment } from '#crds/kinds.ts';
import type { KubeClient } from '../kube/client.ts';
import type { EventRecorder } from '../kube/recorder.ts';
import type { Fact } from './facts.ts';

const OUTBOX_BOUND = 100;

export interface CommitTools {
  client: KubeClient;
  recorder: EventRecorder;
  /** Sequence number up to which an object's events are published; everything, where no event is published at all. */
  publishedUpTo(uid: string): number;
}

/**
 * Writes the new status, the facts that it states and their sequence numbers in one write, so that none can be there
 * without the others. Writes nothing when nothing changed. Refused with a conflict when the object is not as it was seen.
 * @returns the object as it is now
 */
export async function commit<T extends PreviewEnvironment | Deployment>(
  { client, recorder, publishedUpTo }: CommitTools,
  before: T,
  after: T,
  facts: Fact[],
  now: Date,
): Promise<T> {
  if (facts.length === 0 && isDeepStrictEqual(before.status, after.status)) return before;
  const published = publishedUpTo(before.metadata.uid);
  const waiting = (before.status?.outbox ?? []).filter(({ seq }) => seq > published);
  let eventSeq = before.status?.eventSeq ?? 0;
  const entries = facts.map(({ type, data }) => ({ seq: ++eventSeq, type, at: now.toISOString(), data }));
  const outbox = [...waiting, ...entries.filter(({ seq }) => seq > published)];
  if (outbox.length > OUTBOX_BOUND) {
    throw new Error(
      `${outbox.length} events wait for NATS, more than the outbox holds: no progress until it is back`,
    );
  }
  const written = await client.replaceStatus({
    ...after,
    status: { ...after.status, eventSeq, outbox },
  } as T);
  for (const { describe } of facts) if (describe) recorder.record(written, describe);
  return written;
}

/** Whether everything that an object has to tell is published, so that it may go. */
export function hasPublishedAll(
  { publishedUpTo }: CommitTools,
  { metadata, status }: PreviewEnvironment | Deployment,
): boolean {
  return (status?.outbox ?? []).every(({ seq }) => seq <= publishedUpTo(metadata.uid));
}
