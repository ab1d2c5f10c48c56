import { Worker } from 'node:worker_threads';
import type { ReadReply, ReadRequest } from './protocol.ts';

const startTimeout = 30_000;
const readTimeout = 5_000;
const heapMegabytes = 256;
/** Beside this file: as a source, or bundled as the images have it. */
const workerFile = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';

/** The reader did not answer: it took too long, needed too much memory, or failed. */
export class ReaderStopped extends Error {}

let worker: Promise<Worker> | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** Reads in the worker thread, one request after the other. Throws `ReaderStopped` where it had to be ended. */
export function readInThread(request: ReadRequest): Promise<ReadReply> {
  const reply = queue.then(() => ask(request));
  queue = reply.catch(() => undefined);
  return reply;
}

/** Ends the thread once what was asked is answered; the next read starts a new one. */
export async function stopThread(): Promise<void> {
  await queue;
  const running = worker;
  worker = undefined;
  await (await running?.catch(() => undefined))?.terminate();
}

async function ask(request: ReadRequest): Promise<ReadReply> {
  worker ??= start();
  let thread: Worker | undefined;
  try {
    thread = await worker;
    thread.ref();
    thread.postMessage(request);
    const reply = await nextMessage<ReadReply>(thread, readTimeout);
    // An idle reader keeps no process alive.
    thread.unref();
    return reply;
  } catch (error) {
    worker = undefined;
    await thread?.terminate();
    throw error;
  }
}

async function start(): Promise<Worker> {
  const thread = new Worker(new URL(workerFile, import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    env: {},
  });
  // An error that comes while nobody waits, as when the thread is being ended, must not end the process.
  thread.on('error', () => undefined);
  await nextMessage(thread, startTimeout).catch((error: Error) => {
    throw new Error(`The compose reader does not start: ${error.message}`);
  });
  return thread;
}

function nextMessage<T>(thread: Worker, timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      thread.off('message', received).off('error', failed).off('exit', ended);
      act();
    };
    const stop = (reason: string) => settle(() => reject(new ReaderStopped(reason)));
    const received = (message: T) => settle(() => resolve(message));
    const failed = (error: Error) => stop(error.message);
    const ended = () => stop('the reader ended');
    const timer = setTimeout(() => stop(`reading took longer than ${timeout / 1000} s`), timeout);
    thread.on('message', received).on('error', failed).on('exit', ended);
  });
}
