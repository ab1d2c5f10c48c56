import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { closeReader } from '#compose/read.ts';
import { buildApp } from './app.ts';
import { openBus } from './bus.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { openGitHub } from './github/clients.ts';
import { startFeedbackWorker } from './github/feedback.ts';
import { startInboxWorker } from './github/inbox-worker.ts';
import { openCluster } from './kube/cluster.ts';
import { openLive } from './live.ts';
import { startProjector } from './projections/consumer.ts';
import { openStore } from './store/store.ts';

export interface Server {
  app: FastifyInstance;
  context: Context;
  /** Base address that it listens on. */
  address: string;
  /** Answers what is under way, finishes the work at hand, and lets go of everything. */
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Name of the event stream's durable reader; servers of one installation share it. */
  durable?: string;
}

/** Starts the API: its HTTP server at once, its workers as soon as MongoDB and NATS can be reached. */
export async function startServer(config: Config, log: Logger, options: ServerOptions = {}): Promise<Server> {
  const store = openStore(config.MONGODB_URI, log);
  const bus = openBus(
    { url: config.NATS_URL, ...(config.NATS_TOKEN !== undefined && { token: config.NATS_TOKEN }) },
    log,
  );
  const live = openLive(bus);
  const context: Context = {
    config,
    log,
    store,
    bus,
    live,
    github: openGitHub(config),
    cluster: openCluster(config.KUBECONFIG),
    trust: new Map(),
    wakeInbox: () => inbox.wake(),
  };
  const app = await buildApp(context);
  const inbox = startInboxWorker(context);
  const feedback = startFeedbackWorker(context);
  const projector = startProjector(context, options.durable);
  const address = await app.listen({ host: config.HOST, port: config.PORT });
  return {
    app,
    context,
    address,
    async close() {
      await app.close();
      await Promise.all([inbox.stop(), feedback.stop(), projector.stop()]);
      await closeReader();
      await bus.close();
      await store.close();
    },
  };
}
