import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cached, type Entry, entryKey, entryPath, isCached } from '../cache.ts';
import { cacheRoot } from '../paths.ts';
import { run } from '../process.ts';
import { publishedName } from './publish.ts';

/**
 * A registry's files with just these images. Pushing them compresses every layer again, for minutes; copying takes
 * seconds, so a new cluster's registry begins with a copy.
 */
export const seedEntry = async (names: readonly string[]): Promise<Entry> => ({
  name: 'registry-images',
  version: '1',
  recipe: await Promise.all(names.map(publishedName)),
});

/** Folder with the files for a new registry, if an earlier one was kept. */
export const seedFor = (entry: Entry): string | undefined => (isCached(entry) ? entryPath(entry) : undefined);

/** Keeps the files of a registry that holds just the images of the entry; copies of older recipes go. */
export async function keepSeed(entry: Entry, container: string, path: string): Promise<void> {
  if (isCached(entry)) return;
  await cached(entry, async dir => {
    await run('docker', ['cp', `${container}:${path}/.`, dir]);
  });
  const old = (await readdir(cacheRoot())).filter(
    n => n.startsWith(`${entry.name}-`) && n !== entryKey(entry),
  );
  await Promise.all(old.map(n => rm(join(cacheRoot(), n), { recursive: true, force: true })));
}
