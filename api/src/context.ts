import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import type { Config } from './config.ts';
import type { GitHub } from './github/clients.ts';
import type { Cluster } from './kube/cluster.ts';
import type { Live } from './live.ts';
import type { Trust } from './repositories/access.ts';
import type { Store } from './store/store.ts';

/** What handlers and workers work with. */
export interface Context {
  config: Config;
  log: Logger;
  store: Store;
  bus: Bus;
  github: GitHub;
  cluster: Cluster;
  live: Live;
  /** Whose access to which repository GitHub confirmed lately. */
  trust: Trust;
  /** A delivery was stored: the inbox's worker may look at once. */
  wakeInbox(): void;
}
