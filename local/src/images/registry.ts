import { run } from '../process.ts';

const manifestTypes = [
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.oci.image.index.v1+json',
].join(', ');

const manifestUrl = (registry: string, repository: string, tag: string) =>
  `http://${registry}/v2/${repository}/manifests/${tag}`;

/** Whether a registry (`host:port`, plain HTTP) has a tag. */
export async function hasTag(registry: string, repository: string, tag: string): Promise<boolean> {
  const response = await fetch(manifestUrl(registry, repository, tag), {
    method: 'HEAD',
    headers: { accept: manifestTypes },
  });
  return response.ok;
}

/** Gives an image that is in the registry more tags; no layer is sent. */
export async function addTags(
  registry: string,
  repository: string,
  tag: string,
  more: readonly string[],
): Promise<void> {
  const response = await fetch(manifestUrl(registry, repository, tag), {
    headers: { accept: manifestTypes },
  });
  if (!response.ok) throw new Error(`${registry} has no ${repository}:${tag} (${response.status})`);
  const type = response.headers.get('content-type') ?? '';
  const manifest = await response.text();
  for (const other of more) {
    const put = await fetch(manifestUrl(registry, repository, other), {
      method: 'PUT',
      body: manifest,
      headers: { 'content-type': type },
    });
    if (!put.ok)
      throw new Error(
        `${registry} refused the tag ${repository}:${other}: ${put.status} ${await put.text()}`,
      );
  }
}

/** Pushes an image of the local Docker engine under a repository and tag. */
export async function push(
  registry: string,
  localTag: string,
  repository: string,
  tag: string,
): Promise<void> {
  const reference = `${registry}/${repository}:${tag}`;
  await run('docker', ['tag', localTag, reference]);
  try {
    await run('docker', ['push', '--quiet', reference], { log: `push-${repository.replaceAll('/', '-')}` });
  } finally {
    await run('docker', ['rmi', '--no-prune', reference]).catch(() => '');
  }
}
