import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../cluster/provider.ts';
import { createImageBuilder, dockerBuild } from '../images/build.ts';
import { hasTag, push } from '../images/registry.ts';
import type { Limiter } from '../limiter.ts';
import { succeeds } from '../process.ts';
import type { Progress } from '../progress.ts';
import { withTemporaryFolder } from '../temporary.ts';
import { buildAssets, layOut, PARTS, type Part } from './bundle.ts';

/**
 * Builds the images of Greenroom's own parts from this checkout and brings them into the cluster's registry. An image is
 * tagged with a hash of its content: unchanged parts are neither built nor pushed again.
 * @returns image reference for the cluster by part
 */
export async function publishParts(
  cluster: Cluster,
  limiter: Limiter,
  progress: Progress,
): Promise<Record<Part, string>> {
  const builder = createImageBuilder(limiter, progress);
  // A node image that can pull its images knows node's; elsewhere it is made here.
  const base = cluster.registry.mirror ? await builder.image('node-24') : 'node:24-bookworm-slim';
  const references = {} as Record<Part, string>;
  for (const part of PARTS) {
    await withTemporaryFolder(tmpdir(), async context => {
      await layOut(part, context);
      const tag = await contentHash(context, base);
      const repository = `greenroom/${part}`;
      references[part] = `${cluster.registry.cluster}/${repository}:${tag}`;
      if (await hasTag(cluster.registry.host, repository, tag)) return;
      await progress.step(`image of the ${part}`, async () => {
        const localTag = `greenroom.local/${part}:${tag}`;
        if (!(await succeeds('docker', ['image', 'inspect', localTag]))) {
          await dockerBuild({ tag: localTag, context, buildArgs: { BASE: base }, log: `image-${part}` });
        }
        await push(cluster.registry.host, localTag, repository, tag);
      });
    });
  }
  return references;
}

async function contentHash(folder: string, base: string): Promise<string> {
  const hash = createHash('sha256').update(base);
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(file =>
    file.isFile(),
  );
  for (const path of files.map(file => join(file.parentPath, file.name)).sort()) {
    hash.update(path.slice(folder.length)).update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 16);
}
