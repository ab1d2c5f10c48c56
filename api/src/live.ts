import type { FastifyReply } from 'fastify';
import type { LiveMessage } from '#contract/entities.ts';
import type { Bus } from './bus.ts';

const SUBJECT = 'greenroom.projected';
const HEARTBEAT_MS = 15_000;
/** A client that reads so slowly that this many bytes wait for it is disconnected; it refetches when it comes back. */
const BUFFER_BYTES = 256 * 1024;

/** Changes of views, from the replica that committed them to the browsers that may see them. */
export interface Live {
  publish(repositoryId: string, message: LiveMessage): void;
  /**
   * Turns the reply into an event stream. `visible` tells which repositories the client may see, null when it may no
   * longer see any because its session ended; it is asked again at every heartbeat.
   */
  serve(reply: FastifyReply, visible: () => Promise<Set<string> | null>): Promise<void>;
  stop(): void;
}

interface Client {
  visible: Set<string>;
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
  // Ends with the bus; before it is connected there is nothing to hear.
  listen().catch(() => {});

  return {
    publish: (repositoryId, message) => bus.publish(`${SUBJECT}.${repositoryId}`, message),
    async serve(reply, visible) {
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
        visible: first ?? new Set(),
        write(text) {
          raw.write(text);
          if (raw.writableLength > BUFFER_BYTES) raw.destroy();
        },
        close: () => raw.end(),
      };
      client.write('retry: 2000\n\n');
      clients.add(client);
      const heartbeat = setInterval(async () => {
        // While the database is away the client keeps what it may see.
        const now = await visible().catch(() => client.visible);
        if (!now) return client.close();
        client.visible = now;
        client.write(': heartbeat\n\n');
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
