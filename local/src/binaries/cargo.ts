import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../process.ts';
import { withTemporaryFolder } from '../temporary.ts';
import type { CargoRecipe } from './recipes.ts';

/** Builds the commands of a crate into `dir`. */
export async function buildCargo(recipe: CargoRecipe, dir: string): Promise<void> {
  await withTemporaryFolder(tmpdir(), async root => {
    const args = [
      'install',
      recipe.crate,
      '--version',
      recipe.version,
      '--locked',
      '--ignore-rust-version',
      '--root',
      root,
    ];
    await run('cargo', args, { log: `build-${recipe.name}` });
    await Promise.all(recipe.binaries.map(b => copyFile(join(root, 'bin', b), join(dir, b))));
  });
}
