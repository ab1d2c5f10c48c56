import { connect, type JetStreamClient, type NatsConnection, NatsError } from 'nats';
import type { Logger } from 'pino';
import type { ObjectMeta } from '#crds/kinds.ts';
import type { OutboxEntry } from '#crds/shared.ts';
import { SCHEMA_VERSION } from '#events/catalog.ts';
import { type Event, encode } from '#events/envelope.ts';
import { ensureStream } from '#events/stream.ts';
import { eventSubject } from '#events/subjects.ts';

const RETRY_MS = 2_000;
/** JetStream's answer when the subject holds a message already: this very fact, published before. */
const WRONG_LAST_SEQUENCE = 10071;

interface Source {
  kind: 'PreviewEnvironment' | 'Deployment';
  metadata: ObjectMeta;
  status?: { outbox?: OutboxEntry[] };
}

/**
 * Publishes the outboxes of objects to JetStream: each object's events in order, each once. While NATS is away it waits,
 * and nothing else does.
 */
export class Publisher {
  readonly #options: { servers: string; token?: string };
  readonly #log: Logger;
  #connection: NatsConnection | undefined;
  readonly #published = new Map<string, number>();
  readonly #pending = new Map<string, Source>();
  #streamReady = false;
  #draining = false;
  #stopped = false;

  /** Connects when there is something to publish, and tries for as long as it takes; nobody has to wait for it. */
  constructor(options: { servers: string; token?: string }, log: Logger) {
    this.#options = options;
    this.#log = log.child({ component: 'publisher' });
  }

  /** Sequence number up to which an object's events are known to be in the stream. */
  publishedUpTo(uid: string): number {
    return this.#published.get(uid) ?? 0;
  }

  /** Takes note of an object whose outbox may hold something new. */
  offer(object: Source): void {
    const last = object.status?.outbox?.at(-1)?.seq ?? 0;
    if (this.#stopped || last <= this.publishedUpTo(object.metadata.uid)) return;
    this.#pending.set(object.metadata.uid, object);
    if (!this.#draining) void this.#drain();
  }

  forget(uid: string): void {
    this.#published.delete(uid);
    this.#pending.delete(uid);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#connection?.close();
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (!this.#stopped) {
      const [next] = this.#pending.values();
      if (!next) break;
      try {
        this.#connection ??= await connect({
          ...this.#options,
          name: 'greenroom-operator',
          maxReconnectAttempts: -1,
        });
        if (this.#stopped) return await this.#connection.close();
        if (!this.#streamReady) await ensureStream(await this.#connection.jetstreamManager());
        this.#streamReady = true;
        await this.#publishAll(next, this.#connection.jetstream({ timeout: 5_000 }));
        if (this.#pending.get(next.metadata.uid) === next) this.#pending.delete(next.metadata.uid);
      } catch (error) {
        this.#log.warn({ err: error, waiting: this.#pending.size }, 'events wait for NATS');
        this.#streamReady = false;
        if (this.#connection?.isClosed()) this.#connection = undefined;
        // Another one's turn: what cannot be published because of itself must not hold up the others.
        const newest = this.#pending.get(next.metadata.uid) ?? next;
        this.#pending.delete(next.metadata.uid);
        this.#pending.set(next.metadata.uid, newest);
        await new Promise(done => setTimeout(done, RETRY_MS));
      }
    }
    this.#draining = false;
  }

  async #publishAll({ kind, metadata, status }: Source, jetstream: JetStreamClient): Promise<void> {
    const { uid, name, namespace, generation } = metadata;
    for (const { seq, type, at, data } of status?.outbox ?? []) {
      if (seq <= this.publishedUpTo(uid)) continue;
      const head = {
        id: `${uid}.${seq}`,
        schema: SCHEMA_VERSION,
        kind,
        uid,
        namespace,
        name,
        seq,
        generation,
        at,
      };
      const event = { ...head, type, data } as Event;
      await jetstream
        .publish(eventSubject(event), encode(event), { expect: { lastSubjectSequence: 0 } })
        .catch((error: unknown) => {
          if (!(error instanceof NatsError) || error.api_error?.err_code !== WRONG_LAST_SEQUENCE) throw error;
        });
      this.#published.set(uid, seq);
    }
  }
}
