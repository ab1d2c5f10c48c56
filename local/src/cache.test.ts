import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cached, entryKey, isCached } from './cache.ts';

const entry = { name: 'tool', version: 'v1.2.3', recipe: { packages: ['a'] } };
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cache-test-'));
  process.env.GREENROOM_CACHE = root;
});

afterEach(async () => {
  delete process.env.GREENROOM_CACHE;
  await rm(root, { recursive: true });
});

test('the key names the entry and changes with its recipe', () => {
  expect(entryKey(entry)).toMatch(/^tool-v1\.2\.3-[0-9a-f]{10}$/);
  expect(entryKey({ ...entry, recipe: { packages: ['b'] } })).not.toBe(entryKey(entry));
});

test('an entry is built once, even if asked for twice at once', async () => {
  let builds = 0;
  const build = async (dir: string) => {
    builds++;
    await writeFile(join(dir, 'file'), 'content');
  };
  const [path] = await Promise.all([cached(entry, build), cached(entry, build)]);
  expect(builds).toBe(1);
  expect(await readFile(join(path, 'file'), 'utf8')).toBe('content');
});

test('a build that fails leaves nothing behind', async () => {
  await expect(cached(entry, () => Promise.reject(new Error('no compiler')))).rejects.toThrow('no compiler');
  expect(isCached(entry)).toBe(false);
  expect(await readdir(root)).toEqual([]);
});

test('the lock of a process that has ended is taken over', async () => {
  await writeFile(join(root, `${entryKey(entry)}.lock`), '999999999');
  await cached(entry, async () => {});
  expect(isCached(entry)).toBe(true);
});
