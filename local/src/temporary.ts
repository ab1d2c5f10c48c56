import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Runs `work` with a new folder inside `parent` that is removed afterwards. */
export async function withTemporaryFolder<T>(parent: string, work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(parent, 'greenroom-'));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
