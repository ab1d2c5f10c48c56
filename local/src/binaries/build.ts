import { join } from 'node:path';
import { cached, entryPath, isCached } from '../cache.ts';
import type { Limiter } from '../limiter.ts';
import type { Progress } from '../progress.ts';
import { buildCargo } from './cargo.ts';
import { buildGo } from './go.ts';
import { type BinaryName, binaryEntry, commandsOf, type Recipe, recipes } from './recipes.ts';

const duration = (seconds: number) => (seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} min`);

const summary = (recipe: Recipe): string => {
  const source = recipe.kind === 'go' ? 'Go modules' : `the crate ${recipe.crate}`;
  return `building ${recipe.name} ${recipe.version} (${commandsOf(recipe).join(', ')} from ${source}; about ${duration(recipe.seconds)} on two cores, cached afterwards)`;
};

/** The folder with a recipe's commands, built if they are not in the cache. */
export async function binaries(name: BinaryName, limiter: Limiter, progress: Progress): Promise<string> {
  const recipe: Recipe = recipes[name];
  const entry = binaryEntry(recipe);
  if (isCached(entry)) return entryPath(entry);
  return limiter.run(recipe.seconds, () =>
    progress.step(summary(recipe), () =>
      cached(entry, dir => (recipe.kind === 'go' ? buildGo(recipe, dir) : buildCargo(recipe, dir))),
    ),
  );
}

/** Path of one command in the cache; it is there once `binaries` has built its recipe. */
export const toolPath = (name: BinaryName, command: string): string =>
  join(entryPath(binaryEntry(recipes[name])), command);
