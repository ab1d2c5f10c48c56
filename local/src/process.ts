import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot } from './paths.ts';

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  input?: string;
  /** Name of a log file in the cache that keeps the whole output. */
  log?: string;
  /** Milliseconds after which the command is ended. */
  timeout?: number;
}

/** A command that failed: its message carries the last lines of what it wrote. */
export class CommandError extends Error {
  readonly code: number | null;
  constructor(message: string, code: number | null) {
    super(message);
    this.name = 'CommandError';
    this.code = code;
  }
}

const lastLines = (text: string, count: number): string =>
  text.trimEnd().split('\n').slice(-count).join('\n');

/**
 * Runs a command without a shell and returns its standard output.
 * @throws CommandError when it cannot start, ends with another code than 0, or takes longer than `timeout`.
 */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const logPath = options.log && join(cacheRoot(), 'logs', `${options.log}.log`);
  if (logPath) mkdirSync(join(cacheRoot(), 'logs'), { recursive: true });
  const log = logPath ? createWriteStream(logPath) : undefined;
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(options.timeout ? { timeout: options.timeout } : {}),
  });
  let stdout = '';
  let tail = '';
  const keep = (chunk: string) => {
    tail = (tail + chunk).slice(-8000);
    log?.write(chunk);
  };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    keep(chunk);
  });
  child.stderr?.setEncoding('utf8').on('data', keep);
  child.stdin?.on('error', () => {}).end(options.input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', error =>
      reject(new CommandError(`${command} could not be started: ${error.message}`, null)),
    );
    child.on('close', resolve);
  }).finally(() => log?.end());
  if (code === 0) return stdout;
  const where = logPath ? `\nAll of its output: ${logPath}` : '';
  const how = code === null ? `was ended (time-out ${options.timeout ?? '-'} ms)` : `ended with code ${code}`;
  throw new CommandError(
    `${[command, ...args].join(' ').slice(0, 300)} ${how}:\n${lastLines(tail, 15)}${where}`,
    code,
  );
}

/** Whether a command ends with code 0 within the time-out (10 s unless told). */
export const succeeds = (command: string, args: readonly string[], timeout = 10_000): Promise<boolean> =>
  run(command, args, { timeout }).then(
    () => true,
    () => false,
  );
