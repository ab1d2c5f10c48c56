import { useCallback, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for every ticking text of the page; none while nothing ticks. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const none = () => () => {};

/** The time in ms, rounded down to `everySeconds`; renders again when that changes. Null stands still. */
export function useNow(everySeconds: number | null): number {
  const step = (everySeconds ?? 1) * 1000;
  const snapshot = useCallback(() => Math.floor(Date.now() / step) * step, [step]);
  return useSyncExternalStore(everySeconds === null ? none : subscribe, snapshot);
}
