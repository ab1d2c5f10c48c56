import type { FastifyReply } from 'fastify';
import type { LiveMessage } from '#contract/entities.ts';
import type { Bus } from './bus.ts';

const SUBJECT = 'greenroom.projected';
/** Says whose repositories changed, by user id. */
const ACCESS_SUBJECT = 'greenroom.access';
const HEARTBEAT_MS = 15_000;
/** A client that reads so slowly that this many bytes wait for it is disconnected; it refetches when it comes back. */
const BUFFER_BYTES = 256 * 1024;

/** Changes of views, from the replica that committed them to the browsers that may see them. */
export interface Live {
  publish(repositoryId: string, message: LiveMessage): void;
  /** A user connected or forgot a repository: open streams are to show it, or no longer, at once. */
  accessChanged(userId: string): void;
  /**
   * Turns the reply into a user's event stream. `visible` tells which repositories the client may see, null when it may no
   * longer see any because its session ended; it is asked again at every heartbeat.
   */
  serve(reply: FastifyReply, userId: string, visible: () => Promise<Set<string> | null>): Promise<void>;
  stop(): void;
}

interface Client {
  userId: string;
  visible: Set<string>;
  /** Asks again what the client may see. */
  refresh(): Promise<void>;
  write(text: string): void;
  close(): void;
}

export function openLive(bus: Bus): Live {
  const clients = new Set<Client>();

  async function listen(): Promise<void> {
    const connection = await bus.connection;
    for await (const message of connection.subscribe(`${SUBJECT}.*`)) {
      const repositoryId = message.subject.slice(SUBJECT.length + 1);
      const text = `data: ${new TextDecoder().decode(message.data)}\n\n`;
      for (const client of clients) if (client.visible.has(repositoryId)) client.write(text);
    }
  }

  async function listenForAccess(): Promise<void> {
    const connection = await bus.connection;
    for await (const message of connection.subscribe(ACCESS_SUBJECT)) {
      const userId = message.json();
      for (const client of clients) if (client.userId === userId) void client.refresh();
    }
  }
  // Both end with the bus; before it is connected there is nothing to hear.
  listen().catch(() => {});
  listenForAccess().catch(() => {});

  return {
    publish: (repositoryId, message) => bus.publish(`${SUBJECT}.${repositoryId}`, message),
    accessChanged: userId => bus.publish(ACCESS_SUBJECT, userId),
    async serve(reply, userId, visible) {
      const first = await visible();
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        ...reply.getHeaders(),
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        // Proxies must pass each event on at once.
        'x-accel-buffering': 'no',
      } as Record<string, string>);
      const client: Client = {
        userId,
        visible: first ?? new Set(),
        async refresh() {
          // While the database is away the client keeps what it may see.
          const now = await visible().catch(() => client.visible);
          if (now) client.visible = now;
          else client.close();
        },
        write(text) {
          raw.write(text);
          if (raw.writableLength > BUFFER_BYTES) raw.destroy();
        },
        close: () => raw.end(),
      };
      client.write('retry: 2000\n\n');
      clients.add(client);
      const heartbeat = setInterval(async () => {
        await client.refresh();
        if (!raw.writableEnded) client.write(': heartbeat\n\n');
      }, HEARTBEAT_MS);
      raw.on('close', () => {
        clearInterval(heartbeat);
        clients.delete(client);
      });
    },
    stop() {
      for (const client of clients) client.close();
    },
  };
}
