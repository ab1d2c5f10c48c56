import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  type NatsConnection,
  NatsError,
} from 'nats';
import { decode, type Event } from '#events/envelope.ts';
import { ensureStream } from '#events/stream.ts';
import { STREAM } from '#events/subjects.ts';
import type { Context } from '../context.ts';
import { isDatabaseAway, isDuplicateKey } from '../http/errors.ts';
import { announce } from './announce.ts';
import { project } from './project.ts';

const CONSUMER_NOT_FOUND = 10014;
const DURABLE = 'greenroom-api';
/** After a lost connection the message in flight comes again this much later, and the others wait for it. */
const ACK_WAIT_NS = 5e9;
const HEARTBEAT_MS = 2000;
/** Deliveries of one message after which an error is no longer taken for a passing one. */
const ATTEMPTS = 10;

export interface Projector {
  stop(): Promise<void>;
}

/** Reads the event stream from where the last reader left off, and keeps doing so until stopped. */
export function startProjector(context: Context, durable = DURABLE): Projector {
  const { log } = context;
  let messages: ConsumerMessages | undefined;
  let stopped = false;

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        messages = await subscribe(await context.bus.connection, durable);
        if (stopped) await messages.close();
        for await (const message of messages) await handle(context, message);
      } catch (error) {
        if (!stopped) log.warn({ err: error }, 'the event stream cannot be read; trying again');
      }
      if (!stopped) await sleep(1000);
    }
  }
  const running = run();
  return {
    async stop() {
      stopped = true;
      await messages?.close();
      // Without a connection there is nothing to wait for.
      if (messages) await running;
    },
  };
}

async function subscribe(connection: NatsConnection, durable: string): Promise<ConsumerMessages> {
  const manager = await connection.jetstreamManager();
  await ensureStream(manager);
  // One message in flight, whatever the number of replicas: an object's events are applied in their order.
  const changeable = { ack_wait: ACK_WAIT_NS, max_ack_pending: 1 };
  const exists = await manager.consumers.info(STREAM, durable).then(
    () => true,
    error => {
      if (error instanceof NatsError && error.api_error?.err_code === CONSUMER_NOT_FOUND) return false;
      throw error;
    },
  );
  if (exists) await manager.consumers.update(STREAM, durable, changeable);
  else {
    const fixed = { ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All };
    await manager.consumers.add(STREAM, { durable_name: durable, ...fixed, ...changeable });
  }
  const consumer = await connection.jetstream().consumers.get(STREAM, durable);
  return consumer.consume({ max_messages: 50, idle_heartbeat: HEARTBEAT_MS });
}

async function handle(context: Context, message: JsMsg): Promise<void> {
  const log = context.log.child({ stream_seq: message.seq, subject: message.subject });
  let event: Event;
  try {
    event = decode(message.data);
  } catch (error) {
    return setAside(context, message, error);
  }
  try {
    await announce(context, await project(context.store, event));
    message.ack();
  } catch (error) {
    const attempt = message.info.redeliveryCount;
    const passing = isDatabaseAway(error) || isDuplicateKey(error) || attempt < ATTEMPTS;
    if (!passing) return setAside(context, message, error);
    log.warn({ err: error, attempt }, 'projection failed; will be tried again');
    message.nak(Math.min(250 * 2 ** Math.min(attempt, 6), 10_000));
  }
}

/** A message that cannot be projected is kept for people to look at, and the stream goes on. */
async function setAside(context: Context, message: JsMsg, cause: unknown): Promise<void> {
  const error = cause instanceof Error ? cause.message : String(cause);
  try {
    await context.store.poison.updateOne(
      { _id: String(message.seq) },
      {
        $set: {
          subject: message.subject,
          body: new TextDecoder().decode(message.data),
          error,
          at: new Date(),
        },
      },
      { upsert: true },
    );
    context.log.error({ stream_seq: message.seq, subject: message.subject, error }, 'event set aside');
    message.ack();
  } catch {
    message.nak(2000);
  }
}
