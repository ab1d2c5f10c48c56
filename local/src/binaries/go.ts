import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../process.ts';
import { withTemporaryFolder } from '../temporary.ts';
import type { GoRecipe } from './recipes.ts';

/** What `go mod edit -json` says of a go.mod file, as far as it is used here. */
export interface GoMod {
  Go?: string;
  Replace?:
    | readonly { Old: { Path: string; Version?: string }; New: { Path: string; Version?: string } }[]
    | null;
  Exclude?: readonly { Path: string; Version: string }[] | null;
}

/**
 * go.mod of a module of our own that builds commands of another one. `replace` and `exclude` lines count only in the
 * main module, so they are repeated. Kubernetes replaces its staging modules by folders that only its repository has;
 * the proxy serves the same ones under v0.
 */
export function wrapperModule(recipe: Pick<GoRecipe, 'module' | 'version'>, upstream: GoMod): string {
  const replaces = (upstream.Replace ?? []).map(({ Old, New }) => {
    const target = New.Path.startsWith('.')
      ? `${Old.Path} ${recipe.version.replace(/^v\d+/, 'v0')}`
      : `${New.Path} ${New.Version}`;
    return `replace ${Old.Path}${Old.Version ? ` ${Old.Version}` : ''} => ${target}`;
  });
  const excludes = (upstream.Exclude ?? []).map(e => `exclude ${e.Path} ${e.Version}`);
  const lines = ['module greenroom.local/build', `go ${upstream.Go ?? '1.25'}`];
  return `${[...lines, `require ${recipe.module} ${recipe.version}`, ...replaces, ...excludes].join('\n')}\n`;
}

/** Builds the commands of a recipe into `dir`. Static, so that they run in any image. */
export async function buildGo(recipe: GoRecipe, dir: string): Promise<void> {
  const log = `build-${recipe.name}`;
  await withTemporaryFolder(tmpdir(), async work => {
    const env = { CGO_ENABLED: '0', GOFLAGS: '-mod=mod -trimpath -buildvcs=false', GOWORK: 'off' };
    const target = `${recipe.module}@${recipe.version}`;
    const downloaded = JSON.parse(
      await run('go', ['mod', 'download', '-json', target], { cwd: work, env, log }),
    ) as { GoMod: string };
    const upstream = JSON.parse(
      await run('go', ['mod', 'edit', '-json', downloaded.GoMod], { cwd: work, env }),
    ) as GoMod;
    await writeFile(join(work, 'go.mod'), wrapperModule(recipe, upstream));
    const variables = Object.entries(recipe.variables ?? {}).map(([name, value]) => `-X ${name}=${value}`);
    const packages = recipe.packages.map(p => (p === '.' ? recipe.module : `${recipe.module}/${p}`));
    const args = ['build', '-ldflags', ['-s', '-w', ...variables].join(' '), '-o', `${dir}/`, ...packages];
    await run('go', args, { cwd: work, env, log }).catch(async error => {
      throw new Error(`${error.message}\nwith go.mod:\n${await readFile(join(work, 'go.mod'), 'utf8')}`);
    });
  });
}
