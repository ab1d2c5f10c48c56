import type { LiveMessage } from '#contract/entities.ts';
import { ROUTES } from '#contract/routes.ts';
import { ApiError, failure, headers } from '../client.ts';
import { backoffMs } from './backoff.ts';
import { createEventReader } from './sse.ts';

/** The server sends a heartbeat every 15 s; a stream silent for longer than this is dead, even if nobody closed it. */
const SILENCE_MS = 40_000;

export interface LiveListener {
  onMessage: (message: LiveMessage) => void;
  /** The stream is open; changes before this moment may have been missed. */
  onOpen: () => void;
  onLost: () => void;
}

/** Keeps a stream of changes open until the signal aborts or the session ends. */
export async function keepLive(listener: LiveListener, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      await readOnce(
        () => {
          listener.onOpen();
          attempt = 0;
        },
        listener.onMessage,
        signal,
      );
    } catch (error) {
      // The session has ended, or this user may not listen: trying again would not help.
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return;
    }
    if (signal.aborted) return;
    listener.onLost();
    await pause(backoffMs(attempt, Math.random()), signal);
  }
}

async function readOnce(onOpen: () => void, onMessage: (message: LiveMessage) => void, signal: AbortSignal) {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await fetch(ROUTES.live.path, {
      headers: { ...headers(), accept: 'text/event-stream' },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || !response.body) throw await failure(response);
    onOpen();
    const read = createEventReader();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const data of read(chunk.value)) {
        const message = parse(data);
        if (message) onMessage(message);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** The server's answers are trusted to keep the contract; only a kind that this page does not know yet is refused. */
const KINDS: Record<LiveMessage['kind'], true> = {
  environment: true,
  deployment: true,
  'deployment-event': true,
};

function parse(data: string): LiveMessage | null {
  const message = JSON.parse(data) as LiveMessage;
  return Object.hasOwn(KINDS, message.kind) ? message : null;
}

/** Waits, but not beyond the browser saying that it is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
