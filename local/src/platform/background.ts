import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { instanceDir } from '../paths.ts';

const STOP_WITHIN_MS = 10_000;

const pidFile = (instance: string, name: string) => join(instanceDir(instance), `${name}.pid`);

/** The process that was started under this name, if it still runs. The kernel may have given its number to another. */
function runningPid(instance: string, name: string, marker: string): number | undefined {
  const file = pidFile(instance, name);
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8'));
  const commandLine = `/proc/${pid}/cmdline`;
  return existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes(marker) ? pid : undefined;
}

/**
 * Starts a Node program that outlives this process; its output goes to `<name>.log` in the instance's folder.
 * @param script path of the program, by which it is recognised later
 */
export async function startBackground(
  instance: string,
  name: string,
  script: string,
  args: string[],
): Promise<void> {
  if (runningPid(instance, name, script)) return;
  await mkdir(instanceDir(instance), { recursive: true });
  const log = openSync(join(instanceDir(instance), `${name}.log`), 'a', 0o600);
  const child = spawn(process.execPath, [script, ...args], { detached: true, stdio: ['ignore', log, log] });
  child.unref();
  await writeFile(pidFile(instance, name), String(child.pid));
}

/** Stops it, if it runs. */
export async function stopBackground(instance: string, name: string, script: string): Promise<void> {
  const pid = runningPid(instance, name, script);
  if (pid !== undefined) process.kill(pid, 'SIGTERM');
  for (const end = Date.now() + STOP_WITHIN_MS; runningPid(instance, name, script) && Date.now() < end; )
    await sleep(50);
  await rm(pidFile(instance, name), { force: true });
}
