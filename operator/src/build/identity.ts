import { createHash } from 'node:crypto';
import type { Build } from '#compose/translation.ts';

/** Raised when builds must not be shared with those of older versions. */
const BUILDER_VERSION = '1';

/**
 * What a built image is made of, as a tag: the same exactly when the context's content, the Dockerfile, the arguments and
 * the target are. An image that carries it needs no second build, on whatever branch or commit.
 * @param treeHash hash of the build context's git tree
 */
export function buildIdentity(build: Build, treeHash: string): string {
  const args = Object.entries(build.args).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = [
    BUILDER_VERSION,
    treeHash,
    build.dockerfile,
    build.dockerfileInline ?? '',
    build.target ?? '',
    args,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

/** The repository in the registry for images of a service: path of the git URL, then the service. */
export function imageRepository(registry: string, sourceUrl: string, service: string): string {
  const path = new URL(sourceUrl).pathname
    .toLowerCase()
    .replace(/\.git$/, '')
    .split('/')
    .map(sanitize)
    .filter(Boolean);
  return [registry, ...path, sanitize(service.toLowerCase())].join('/');
}

/** The Dockerfile's path as seen from the build context. */
export function dockerfileInContext({ context, dockerfile }: Build): string {
  const folder = context.replace(/^\.(\/|$)/, '').replace(/\/+$/, '');
  return folder && dockerfile.startsWith(`${folder}/`) ? dockerfile.slice(folder.length + 1) : dockerfile;
}

/** The characters that a path component of an image name may have. */
function sanitize(component: string): string {
  return component.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
}
