import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stateRoot } from '../paths.ts';
import { run, succeeds } from '../process.ts';
import type { Progress } from '../progress.ts';
import { systemPath } from './packages.ts';

const pidFile = () => join(stateRoot(), 'dockerd.pid');

/** Whether a Docker engine answers. */
export const dockerAnswers = (): Promise<boolean> =>
  succeeds('docker', ['version', '--format', '{{.Server.Version}}']);

/** Starts a Docker engine unless one answers; the one we start outlives this process and is remembered for `stopDocker`. */
export async function ensureDocker(progress: Progress): Promise<void> {
  if (await dockerAnswers()) return;
  await progress.step('starting a Docker engine, as none answers (stopped again by `npm stop`)', async () => {
    mkdirSync(stateRoot(), { recursive: true });
    const logPath = join(stateRoot(), 'dockerd.log');
    const log = openSync(logPath, 'a');
    const engine = spawn('dockerd', [], {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, PATH: systemPath },
    });
    engine.on('error', () => {});
    engine.unref();
    if (engine.pid === undefined) throw new Error('dockerd is not installed: apt-get install docker.io');
    await writeFile(pidFile(), String(engine.pid));
    for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200)) {
      if (await dockerAnswers()) return;
      if (engine.exitCode !== null) break;
    }
    await rm(pidFile(), { force: true });
    const tail = readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-10).join('\n');
    throw new Error(`The Docker engine did not start (${logPath}):\n${tail}`);
  });
}

const isDockerd = (pid: number): boolean =>
  existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('dockerd');

/** Stops the Docker engine that `ensureDocker` started, unless a container of any instance still runs. */
export async function stopDocker(): Promise<void> {
  if (!existsSync(pidFile())) return;
  const running = await run('docker', ['ps', '-q']).catch(() => '');
  if (running.trim() !== '') return;
  const pid = Number(readFileSync(pidFile(), 'utf8'));
  // The number may belong to another process by now.
  if (isDockerd(pid)) {
    process.kill(pid, 'SIGTERM');
    for (const end = Date.now() + 30_000; isDockerd(pid) && Date.now() < end; ) await sleep(100);
  }
  await rm(pidFile(), { force: true });
}
