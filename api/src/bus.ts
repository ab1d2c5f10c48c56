import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type NatsConnection } from 'nats';
import type { Logger } from 'pino';

/** The connection to NATS, or what there is of it. */
export interface Bus {
  isReady(): boolean;
  /** Resolves once connected; rejects only when the bus is closed before. */
  connection: Promise<NatsConnection>;
  /** Sends on core NATS: to whoever listens now. Dropped while NATS is away. */
  publish(subject: string, payload: unknown): void;
  close(): Promise<void>;
}

/** Connects to NATS without waiting for it, and again whenever it comes back. */
export function openBus(options: { url: string; token?: string }, log: Logger): Bus {
  let current: NatsConnection | undefined;
  let closed = false;
  let connected = false;

  async function open(): Promise<NatsConnection> {
    while (!closed) {
      try {
        current = await connect({
          servers: options.url.split(','),
          ...(options.token && { token: options.token }),
          name: 'greenroom-api',
          maxReconnectAttempts: -1,
          reconnectTimeWait: 500,
          timeout: 3000,
        });
        connected = true;
        watch(current);
        return current;
      } catch (error) {
        log.warn({ err: error }, 'NATS cannot be reached; trying again');
        await sleep(1000);
      }
    }
    throw new Error('closed before NATS could be reached');
  }

  async function watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') connected = false;
      if (status.type === 'reconnect') connected = true;
      if (status.type === 'disconnect' || status.type === 'reconnect') log.warn(`NATS: ${status.type}`);
    }
  }

  const connection = open();
  // Whoever awaits it sees the error; nobody awaiting it is no crash.
  connection.catch(() => {});
  return {
    connection,
    isReady: () => connected && !current?.isClosed(),
    publish(subject, payload) {
      if (connected && current && !current.isClosed()) current.publish(subject, JSON.stringify(payload));
    },
    async close() {
      closed = true;
      await current?.drain().catch(() => current?.close());
    },
  };
}
