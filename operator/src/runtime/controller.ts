import type { Logger } from 'pino';
import { isConflict } from '../kube/client.ts';
import { WorkQueue } from './queue.ts';

/** What a reconcile asks for: to be called again after a time, or only upon the next change. */
export interface Result {
  requeueAfterMs?: number;
}

/** `key` is `namespace/name`. Throwing means: try again with backoff. */
export type Reconcile = (namespace: string, name: string) => Promise<Result>;

/** Runs the reconcile of one kind for every name in its queue, with a bounded number of workers. */
export class Controller {
  readonly queue = new WorkQueue();
  readonly #reconcile: Reconcile;
  readonly #log: Logger;
  #workers: Promise<void>[] = [];

  constructor(name: string, reconcile: Reconcile, log: Logger) {
    this.#reconcile = reconcile;
    this.#log = log.child({ controller: name });
  }

  enqueue(namespace: string, name: string): void {
    this.queue.add(`${namespace}/${name}`);
  }

  start(workers: number): void {
    this.#workers = Array.from({ length: workers }, () => this.#work());
  }

  /** Resolves when the reconciles under way have ended. */
  async stop(): Promise<void> {
    this.queue.stop();
    await Promise.all(this.#workers);
  }

  async #work(): Promise<void> {
    for (let key = await this.queue.next(); key !== undefined; key = await this.queue.next()) {
      const [namespace = '', name = ''] = key.split('/');
      try {
        const { requeueAfterMs } = await this.#reconcile(namespace, name);
        this.queue.succeeded(key);
        if (requeueAfterMs !== undefined) this.queue.addAfter(key, requeueAfterMs);
      } catch (error) {
        const retryInMs = this.queue.retry(key);
        // A conflict only says that the local copy was old; the watch will bring the new one.
        const level = isConflict(error) ? 'debug' : 'warn';
        this.#log[level]({ key, err: error, retryInMs }, 'reconcile failed');
      }
      this.queue.done(key);
    }
  }
}
