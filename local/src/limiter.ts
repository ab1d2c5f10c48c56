/** Runs pieces of work, at most `limit` at once; of those waiting the heaviest goes first. */
export interface Limiter {
  run<T>(weight: number, work: () => Promise<T>): Promise<T>;
}

/** Heaviest first shortens the whole: the longest build is never the one that starts last. */
export function createLimiter(limit: number): Limiter {
  const waiting: { weight: number; start: () => void }[] = [];
  let running = 0;
  let scheduled = false;
  const next = () => {
    scheduled = false;
    waiting.sort((a, b) => b.weight - a.weight);
    while (running < limit) {
      const first = waiting.shift();
      if (!first) return;
      running++;
      first.start();
    }
  };
  // Asked for in one go, all must be known before the first is chosen: hence not at once.
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(next);
  };
  return {
    async run(weight, work) {
      await new Promise<void>(start => {
        waiting.push({ weight, start });
        schedule();
      });
      try {
        return await work();
      } finally {
        running--;
        schedule();
      }
    },
  };
}
