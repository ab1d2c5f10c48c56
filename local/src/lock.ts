import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Runs `work` while this process alone holds the lock file. A lock whose process has ended is taken over. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (holder > 0 && !isRunning(holder)) await rm(path, { force: true });
    else await sleep(200);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}
