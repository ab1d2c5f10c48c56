import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { withLock } from './lock.ts';
import { cacheRoot } from './paths.ts';

/** A thing that is built once: its key changes with its version and with the recipe that makes it. */
export interface Entry {
  name: string;
  version: string;
  /** Everything else that changes the result; hashed into the key. */
  recipe: unknown;
}

/** Ten hexadecimal digits that stand for a value; the order of an object's own keys counts. */
export const shortHash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 10);

/** Folder name of an entry: `name-version-hash`. */
export const entryKey = (e: Entry): string => `${e.name}-${e.version}-${shortHash(e.recipe)}`;

/** Where an entry is, built or not. */
export const entryPath = (e: Entry): string => join(cacheRoot(), entryKey(e));

/** Whether an entry is complete. */
export const isCached = (e: Entry): boolean => existsSync(entryPath(e));

/**
 * The folder of an entry, filled by `build` if it is not there yet. `build` writes to a folder beside it that is renamed
 * at the end, so a crash leaves nothing half-built, and a lock lets only one process build it.
 */
export async function cached(e: Entry, build: (dir: string) => Promise<void>): Promise<string> {
  const path = entryPath(e);
  if (existsSync(path)) return path;
  await mkdir(dirname(path), { recursive: true });
  return withLock(`${path}.lock`, async () => {
    if (existsSync(path)) return path;
    const temporary = await mkdtemp(join(dirname(path), `.${basename(path)}.`));
    try {
      await build(temporary);
      await rename(temporary, path);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
    return path;
  });
}
