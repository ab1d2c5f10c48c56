import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, cp, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaries } from '../binaries/build.ts';
import { type BinaryName, binaryEntry, recipes } from '../binaries/recipes.ts';
import { cached, entryKey, shortHash } from '../cache.ts';
import type { Limiter } from '../limiter.ts';
import { localDir } from '../paths.ts';
import { run } from '../process.ts';
import type { Progress } from '../progress.ts';
import { systemPath } from '../requirements/packages.ts';
import { withTemporaryFolder } from '../temporary.ts';
import { type ImageRecipe, imageRecipe } from './catalogue.ts';

const bundle = '/etc/ssl/certs/ca-certificates.crt';
const rootfsEntry = {
  name: 'debian-rootfs',
  version: 'bookworm',
  recipe: { variant: 'minbase', arch: process.arch },
};

const fileHashes = async (dir: string): Promise<[string, string][]> => {
  const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter(f => f.isFile());
  const hashes = files.map(async (f): Promise<[string, string]> => {
    const path = join(f.parentPath, f.name);
    return [
      path.slice(dir.length),
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ];
  });
  return (await Promise.all(hashes)).sort(([a], [b]) => (a < b ? -1 : 1));
};

/** Stands for all that goes into an image: its files, what it is made from, and so on down to its base. */
export async function recipeHash(recipe: ImageRecipe): Promise<string> {
  const { name: _n, tags: _t, repository: _r, mirror: _m, seconds: _s, ...rest } = recipe;
  const parents = [...(recipe.base ? [recipe.base] : []), ...Object.keys(recipe.images ?? {})];
  const keys = Object.keys(recipe.binaries ?? {}) as BinaryName[];
  return shortHash([
    rest,
    await fileHashes(join(localDir, 'images', recipe.folder)),
    keys.map(k => entryKey(binaryEntry(recipes[k]))),
    await Promise.all(parents.map(p => recipeHash(imageRecipe(p)))),
    recipe.made?.includes('certificates') && existsSync(bundle)
      ? shortHash(readFileSync(bundle, 'utf8'))
      : '',
  ]);
}

/** A Debian root file system as a tar file in the cache. */
const rootfs = (limiter: Limiter, progress: Progress): Promise<string> =>
  limiter.run(90, () =>
    cached(rootfsEntry, dir =>
      progress.step('making a Debian 12 root file system (debootstrap; about 90 s, cached afterwards)', () =>
        withTemporaryFolder(dir, async root => {
          const env = { PATH: systemPath };
          await run('debootstrap', ['--variant=minbase', 'bookworm', root], { env, log: 'debootstrap' });
          // What the official images leave out too: lists and archives that an image never needs.
          const leaveOut = [
            './var/lib/apt/lists/*',
            './var/cache/apt/*',
            './dev/*',
            './usr/share/man/*',
            './var/log/*',
          ];
          const args = [
            '--numeric-owner',
            ...leaveOut.map(p => `--exclude=${p}`),
            '-C',
            root,
            '-cf',
            join(dir, 'rootfs.tar'),
            '.',
          ];
          await run('tar', args, { log: 'debootstrap' });
        }),
      ),
    ),
  );

async function unpackNpm(name: string, specification: string, context: string): Promise<void> {
  await withTemporaryFolder(context, async work => {
    const file = (
      await run('npm', ['pack', '--silent', specification], { cwd: work, log: `npm-pack-${name}` })
    ).trim();
    await run('tar', ['-xzf', file.split('\n').at(-1) ?? '', '-C', work], { cwd: work });
    const folder = (await readdir(work, { withFileTypes: true })).find(e => e.isDirectory());
    if (!folder) throw new Error(`The npm package ${specification} unpacked to nothing`);
    await mkdir(join(context, 'packages'), { recursive: true });
    await rename(join(work, folder.name), join(context, 'packages', name));
  });
}

/**
 * Fills a build context with the files of a recipe.
 * @param imageTag local tag of another image of the catalogue, built if need be
 */
export async function prepareContext(
  recipe: ImageRecipe,
  context: string,
  tools: { limiter: Limiter; progress: Progress; imageTag: (name: string) => Promise<string> },
): Promise<void> {
  await cp(join(localDir, 'images', recipe.folder), context, { recursive: true });
  const wanted = Object.entries(recipe.binaries ?? {}) as [BinaryName, readonly string[]][];
  const work: Promise<unknown>[] = wanted.map(async ([name, files]) => {
    const dir = await binaries(name, tools.limiter, tools.progress);
    await Promise.all(files.map(f => copyFile(join(dir, f), join(context, f))));
  });
  for (const [name, specification] of Object.entries(recipe.npm ?? {}))
    work.push(unpackNpm(name, specification, context));
  for (const [name, reference] of Object.entries(recipe.images ?? {})) {
    work.push(
      tools.imageTag(name).then(async tag => {
        await run('docker', ['tag', tag, reference]);
        await run('docker', ['save', '-o', join(context, `${name}.image.tar`), reference]);
      }),
    );
  }
  for (const made of recipe.made ?? []) {
    if (made === 'certificates') work.push(copyFile(bundle, join(context, 'ca-certificates.crt')));
    if (made === 'pause') {
      work.push(
        run('cc', ['-Os', '-static', '-s', '-o', join(context, 'pause'), join(context, 'pause.c')], {
          cwd: tmpdir(),
        }),
      );
    }
    if (made === 'rootfs') {
      work.push(
        rootfs(tools.limiter, tools.progress).then(dir =>
          copyFile(join(dir, 'rootfs.tar'), join(context, 'rootfs.tar')),
        ),
      );
    }
  }
  await Promise.all(work);
}
