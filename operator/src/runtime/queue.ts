const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 60_000;

/**
 * A work queue of names. A name is worked on by one worker at a time; names added meanwhile are done once more
 * afterwards; failures come back later, each time after twice as long.
 */
export class WorkQueue {
  readonly #ready: string[] = [];
  readonly #queued = new Set<string>();
  readonly #busy = new Set<string>();
  readonly #dirty = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { timer: NodeJS.Timeout; at: number }>();
  #waiting: ((key: string | undefined) => void)[] = [];
  #stopped = false;

  add(key: string): void {
    if (this.#stopped || this.#queued.has(key)) return;
    if (this.#busy.has(key)) {
      this.#dirty.add(key);
      return;
    }
    this.#queued.add(key);
    const worker = this.#waiting.shift();
    if (worker) worker(key);
    else this.#ready.push(key);
  }

  /** Adds the name when the time has passed, unless it is due earlier already. */
  addAfter(key: string, ms: number): void {
    const at = Date.now() + ms;
    const planned = this.#timers.get(key);
    if (this.#stopped || (planned && planned.at <= at)) return;
    clearTimeout(planned?.timer);
    const fire = () => {
      this.#timers.delete(key);
      this.add(key);
    };
    this.#timers.set(key, { at, timer: setTimeout(fire, Math.min(ms, 2 ** 31 - 1)) });
  }

  /** Comes back after a failure with exponential backoff; returns the delay in ms. */
  retry(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const delay = Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_BACKOFF_MS);
    this.addAfter(key, delay);
    return delay;
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  /** The next name to work on; undefined once the queue is stopped. Call `done` with it afterwards. */
  async next(): Promise<string | undefined> {
    if (this.#stopped) return undefined;
    const key =
      this.#ready.shift() ?? (await new Promise<string | undefined>(give => this.#waiting.push(give)));
    if (key === undefined) return undefined;
    this.#queued.delete(key);
    this.#busy.add(key);
    return key;
  }

  done(key: string): void {
    this.#busy.delete(key);
    if (this.#dirty.delete(key)) this.add(key);
  }

  stop(): void {
    this.#stopped = true;
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    for (const give of this.#waiting) give(undefined);
    this.#waiting = [];
  }
}
