import { fetch } from 'undici';

const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** The registry that builds push to, as far as the operator talks to it itself. */
export class Registry {
  readonly #baseUrl: string;

  /** @param baseUrl such as `http://registry:5000` */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** The digest of an image (`host/name:tag`) that the registry holds; undefined when it does not. */
  async digest(image: string): Promise<string | undefined> {
    const response = await this.#manifest('HEAD', image);
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`registry: HTTP ${response.status} for ${image}`);
    return response.headers.get('docker-content-digest') ?? undefined;
  }

  /** Removes an image's reference. Its layers go with the registry's own garbage collection. Absent is fine. */
  async remove(image: string): Promise<void> {
    const digest = await this.digest(image);
    if (!digest) return;
    const response = await this.#manifest('DELETE', image.replace(/:[^:/]+$/, `@${digest}`));
    if (!response.ok && response.status !== 404)
      throw new Error(`registry: HTTP ${response.status} removing ${image}`);
  }

  #manifest(method: string, image: string) {
    const [, name, reference] = /^[^/]+\/(.+?)(?:@|:(?=[^/]+$))(.+)$/.exec(image) ?? [];
    if (!name || !reference) throw new Error(`not an image with a tag: ${image}`);
    return fetch(`${this.#baseUrl}/v2/${name}/manifests/${reference}`, {
      method,
      headers: { accept: MANIFEST_TYPES },
      signal: AbortSignal.timeout(10_000),
    });
  }
}
