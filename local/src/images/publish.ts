import type { ImageBuilder } from './build.ts';
import { imageRecipe } from './catalogue.ts';
import { recipeHash } from './ingredients.ts';
import { addTags, hasTag, push } from './registry.ts';

/** Tag that names a recipe: what it marks need not be built or pushed again. */
const recipeTag = (hash: string) => `recipe-${hash}`;

/** Repository and tag under which an image of the catalogue is found; changes with its recipe, so nodes never keep an old one. */
export async function publishedName(name: string): Promise<string> {
  const recipe = imageRecipe(name);
  if (!recipe.repository) throw new Error(`The image ${name} is not published`);
  return `${recipe.repository}:${recipeTag(await recipeHash(recipe))}`;
}

/** Brings an image into the registry at `host:port` with all of its tags, unless this recipe's is there already. */
export async function publish(name: string, registry: string, builder: ImageBuilder): Promise<void> {
  const recipe = imageRecipe(name);
  if (!recipe.repository) throw new Error(`The image ${name} is not published`);
  const tag = recipeTag(await recipeHash(recipe));
  if (await hasTag(registry, recipe.repository, tag)) return;
  const localTag = await builder.image(name);
  await push(registry, localTag, recipe.repository, tag);
  await addTags(registry, recipe.repository, tag, recipe.tags);
}
