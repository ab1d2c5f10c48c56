import { setTimeout as sleep } from 'node:timers/promises';
import { Watch } from '@kubernetes/client-node';
import type { Logger } from 'pino';
import type { KubeClient } from './client.ts';
import { type KindRef, type KubeObject, resourcePath } from './resources.ts';

const RELIST_AFTER_MS = 10 * 60_000;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 30_000;
/** The server sends a bookmark about once a minute: longer silence means a dead connection. */
const SILENCE_MS = 150_000;
const SHORTEST_WATCH_MS = 1_000;
const GONE = 410;

export interface InformerOptions {
  kind: KindRef;
  namespace?: string;
  labelSelector?: string;
  onChange: (object: KubeObject) => void;
}

/**
 * A local copy of all objects of one kind, kept by a watch that resumes where it broke off, with backoff. It relists when
 * the server has forgotten that place, and now and then anyway, so that a lost event cannot stay lost.
 */
export class Informer<T extends KubeObject> {
  readonly #client: KubeClient;
  readonly #options: InformerOptions;
  readonly #log: Logger;
  readonly #objects = new Map<string, Map<string, T>>();
  readonly #watch: Watch;
  #resourceVersion = '';
  #listedAt = 0;
  #backoff = FIRST_BACKOFF_MS;
  #stopped = false;
  #request: AbortController | undefined;
  #synced = Promise.withResolvers<void>();

  constructor(client: KubeClient, options: InformerOptions, log: Logger) {
    this.#client = client;
    this.#options = options;
    this.#log = log.child({ informer: options.kind.kind });
    // The library's time-out of 30 s is its only setting, and private.
    this.#watch = Object.assign(new Watch(client.config), { requestTimeoutMs: SILENCE_MS });
  }

  /** Begins to watch; resolves when the first list is in. Keeps trying while the API server is away. */
  start(): Promise<void> {
    void this.#run();
    return this.#synced.promise;
  }

  stop(): void {
    this.#stopped = true;
    this.#request?.abort();
    this.#synced.resolve();
  }

  get(namespace: string | undefined, name: string): T | undefined {
    return this.#objects.get(namespace ?? '')?.get(name);
  }

  /** The objects of a namespace, or of all. */
  list(namespace?: string): T[] {
    if (namespace !== undefined) return [...(this.#objects.get(namespace)?.values() ?? [])];
    return [...this.#objects.values()].flatMap(objects => [...objects.values()]);
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      let begun = Date.now();
      try {
        if (!this.#resourceVersion || Date.now() - this.#listedAt > RELIST_AFTER_MS) await this.#relist();
        this.#synced.resolve();
        begun = Date.now();
        await this.#watchOnce();
      } catch (error) {
        const { statusCode, name } = error as { statusCode?: number; name?: string };
        if (statusCode === GONE) this.#resourceVersion = '';
        else if (name !== 'TimeoutError' && !this.#stopped) {
          this.#log.warn({ err: error, retryInMs: this.#backoff }, 'watch failed');
          begun = Date.now();
        }
      }
      // A server that fails, or ends watches as soon as they begin, has trouble enough without being asked at once.
      if (Date.now() - begun < SHORTEST_WATCH_MS && !this.#stopped) await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    await sleep(this.#backoff, undefined, { ref: false });
    this.#backoff = Math.min(this.#backoff * 2, LONGEST_BACKOFF_MS);
  }

  async #relist(): Promise<void> {
    const { items, resourceVersion } = await this.#client.list<T>(this.#options.kind, this.#options);
    const listed = new Set(items.map(item => item.metadata.uid));
    for (const known of this.list()) if (!listed.has(known.metadata.uid)) this.#remove(known);
    for (const item of items) this.#store(item);
    this.#resourceVersion = resourceVersion;
    this.#listedAt = Date.now();
    this.#backoff = FIRST_BACKOFF_MS;
  }

  async #watchOnce(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#request = await this.#watch.watch(
      resourcePath(this.#options.kind, this.#options.namespace),
      {
        resourceVersion: this.#resourceVersion,
        allowWatchBookmarks: true,
        ...(this.#options.labelSelector && { labelSelector: this.#options.labelSelector }),
      },
      (phase: string, object: T & { code?: number }) => {
        if (phase === 'ERROR') return reject({ statusCode: object.code });
        if (phase === 'DELETED') this.#remove(object);
        else if (phase !== 'BOOKMARK') this.#store(object);
        this.#resourceVersion = object.metadata.resourceVersion ?? '';
        this.#backoff = FIRST_BACKOFF_MS;
      },
      error => (error ? reject(error) : resolve()),
    );
    await promise.finally(() => this.#request?.abort());
  }

  #store(object: T): void {
    const { namespace = '', name, resourceVersion } = object.metadata;
    const objects = this.#objects.get(namespace) ?? new Map<string, T>();
    this.#objects.set(namespace, objects);
    if (objects.get(name)?.metadata.resourceVersion === resourceVersion) return;
    objects.set(name, object);
    this.#options.onChange(object);
  }

  #remove(object: T): void {
    const { namespace = '', name } = object.metadata;
    this.#objects.get(namespace)?.delete(name);
    if (this.#objects.get(namespace)?.size === 0) this.#objects.delete(namespace);
    this.#options.onChange(object);
  }
}
