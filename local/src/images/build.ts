import { tmpdir } from 'node:os';
import type { Limiter } from '../limiter.ts';
import { run, succeeds } from '../process.ts';
import type { Progress } from '../progress.ts';
import { withTemporaryFolder } from '../temporary.ts';
import { imageRecipe } from './catalogue.ts';
import { prepareContext, recipeHash } from './ingredients.ts';

/** Added to the weight of the platform's own images: much waits for them, and they take seconds. */
const platformFirst = 1000;

export interface DockerBuild {
  /** Tag for the local Docker engine. */
  tag: string;
  /** Folder with the Dockerfile and its files. */
  context: string;
  buildArgs?: Readonly<Record<string, string>>;
  /** Name of the log file. */
  log: string;
}

/** Builds an image with the local Docker engine. */
export async function dockerBuild(build: DockerBuild): Promise<void> {
  const args = Object.entries(build.buildArgs ?? {}).flatMap(([k, v]) => ['--build-arg', `${k}=${v}`]);
  await run('docker', ['build', '--tag', build.tag, ...args, build.context], { log: build.log });
}

/** Makes images of the catalogue in the local Docker engine, each once. */
export interface ImageBuilder {
  /** The local tag of an image, built unless the engine has it with the same recipe. */
  image(name: string): Promise<string>;
}

/** An image builder that shares `limiter` with all other heavy work. */
export function createImageBuilder(limiter: Limiter, progress: Progress): ImageBuilder {
  const made = new Map<string, Promise<string>>();
  const build = async (name: string): Promise<string> => {
    const recipe = imageRecipe(name);
    const tag = `greenroom.local/${name}:${await recipeHash(recipe)}`;
    if (await succeeds('docker', ['image', 'inspect', tag])) return tag;
    await withTemporaryFolder(tmpdir(), async context => {
      const [base] = await Promise.all([
        recipe.base ? builder.image(recipe.base) : undefined,
        prepareContext(recipe, context, { limiter, progress, imageTag: builder.image }),
      ]);
      const buildArgs = { ...(base ? { BASE: base } : {}), ...recipe.buildArgs };
      await limiter.run(recipe.mirror ? recipe.seconds : recipe.seconds + platformFirst, () =>
        progress.step(`image ${name}`, () => dockerBuild({ tag, context, buildArgs, log: `image-${name}` })),
      );
    });
    return tag;
  };
  const builder: ImageBuilder = {
    image(name) {
      const known = made.get(name);
      if (known) return known;
      const promise = build(name);
      made.set(name, promise);
      return promise;
    },
  };
  return builder;
}
