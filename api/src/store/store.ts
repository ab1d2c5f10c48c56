import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import type { Logger } from 'pino';
import { deliveries } from './deliveries.ts';
import { pullRequests } from './pull-requests.ts';
import { repositories } from './repositories.ts';
import { sessions, users } from './users.ts';
import { deploymentEvents, deployments, environments, poison } from './views.ts';

/** The database: one model per collection, and whether it can be used. */
export interface Store extends Models {
  isReady(): boolean;
  /** Resolves once connected and indexed; only tests and start-up logs need to wait for it. */
  ready: Promise<void>;
  close(): Promise<void>;
}

type Models = ReturnType<typeof models>;

const models = (connection: mongoose.Connection) => ({
  users: users(connection),
  sessions: sessions(connection),
  repositories: repositories(connection),
  deliveries: deliveries(connection),
  pullRequests: pullRequests(connection),
  environments: environments(connection),
  deployments: deployments(connection),
  deploymentEvents: deploymentEvents(connection),
  poison: poison(connection),
});

/** Opens the database without waiting for it: while it is away every operation fails and the process stays up. */
export function openStore(uri: string, log: Logger): Store {
  const connection = mongoose.createConnection();
  const all = models(connection);
  let closed = false;
  let indexed = false;
  connection.on('error', error => log.warn({ err: error }, 'MongoDB'));

  async function connect(): Promise<void> {
    for (let delay = 250; !closed; delay = Math.min(delay * 2, 5000)) {
      try {
        await connection.openUri(uri, {
          serverSelectionTimeoutMS: 3000,
          autoIndex: false,
          autoCreate: false,
        });
        for (const model of Object.values(all)) await model.createIndexes();
        indexed = true;
        return;
      } catch (error) {
        log.warn({ err: error }, 'MongoDB cannot be reached; trying again');
        await connection.close().catch(() => {});
        await sleep(delay);
      }
    }
  }

  return {
    ...all,
    ready: connect(),
    isReady: () => indexed && connection.readyState === mongoose.ConnectionStates.connected,
    async close() {
      closed = true;
      await connection.close();
    },
  };
}
