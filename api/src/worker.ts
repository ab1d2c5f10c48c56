import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A loop in the background that does one piece of work after another. */
export interface Worker {
  /** There may be work: look now instead of at the next turn. */
  wake(): void;
  /** Resolves when the piece of work at hand is done. */
  stop(): Promise<void>;
}

/**
 * Calls `work` until it says that there is nothing to do, then sleeps until woken or `idleMs` later. An error is logged
 * and backed off from, up to 10 s; the loop never ends by itself.
 */
export function startWorker(name: string, log: Logger, idleMs: number, work: () => Promise<boolean>): Worker {
  let alarm = new AbortController();
  let stopped = false;
  let failures = 0;

  const rest = async (ms: number) => {
    await sleep(ms, undefined, { signal: alarm.signal }).catch(() => {});
    if (alarm.signal.aborted && !stopped) alarm = new AbortController();
  };
  async function run(): Promise<void> {
    while (!stopped) {
      try {
        const worked = await work();
        failures = 0;
        if (!worked && !stopped) await rest(idleMs);
      } catch (error) {
        failures++;
        log.warn({ err: error }, `${name} failed; trying again`);
        if (!stopped) await rest(Math.min(250 * 2 ** failures, 10_000));
      }
    }
  }
  const running = run();
  return {
    wake: () => alarm.abort(),
    stop() {
      stopped = true;
      alarm.abort();
      return running;
    },
  };
}
