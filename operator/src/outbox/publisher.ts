import { connect, type NatsConnection, NatsError } from 'nats';
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
  readonly #connection: Promise<NatsConnection>;
  readonly #log: Logger;
  readonly #published = new Map<string, number>();
  readonly #pending = new Map<string, Source>();
  #streamReady = false;
  #draining = false;
  #stopped = false;

  /** Connects in the background, for as long as it takes; so does every lost connection. */
  constructor(options: { servers: string; token?: string }, log: Logger) {
    this.#log = log.child({ component: 'publisher' });
    this.#connection = connect({
      servers: options.servers,
      ...(options.token && { token: options.token }),
      name: 'greenroom-operator',
      maxReconnectAttempts: -1,
      waitOnFirstConnect: true,
    });
    this.#connection.catch(error => this.#log.error({ err: error }, 'NATS refuses the connection'));
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
    // One that was never made need not be closed.
    const connection = await Promise.race([this.#connection, undefined]);
    await connection?.close();
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (!this.#stopped) {
      const [next] = this.#pending.values();
      if (!next) break;
      try {
        if (!this.#streamReady) await ensureStream(await (await this.#connection).jetstreamManager());
        this.#streamReady = true;
        await this.#publishAll(next);
        if (this.#pending.get(next.metadata.uid) === next) this.#pending.delete(next.metadata.uid);
      } catch (error) {
        this.#log.warn({ err: error, waiting: this.#pending.size }, 'events wait for NATS');
        this.#streamReady = false;
        await new Promise(done => setTimeout(done, RETRY_MS));
      }
    }
    this.#draining = false;
  }

  async #publishAll({ kind, metadata, status }: Source): Promise<void> {
    const jetstream = (await this.#connection).jetstream({ timeout: 5_000 });
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
