import { createHash } from 'node:crypto';
import type { KubeClient } from './client.ts';
import { type KubeObject, objectKey } from './resources.ts';

interface Applied {
  hash: string;
  version: string;
}

/**
 * Applies objects, and remembers what it applied: an object that is still wanted as it was, and that nobody changed since
 * (same UID, same version of its content), costs no API call. After a restart each object is applied once.
 */
export class Applier {
  readonly #client: KubeClient;
  readonly #applied = new Map<string, Applied>();

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /**
   * @param observed the object as the informer knows it, if it does
   * @returns whether an API call was made
   */
  async apply(desired: KubeObject, observed: KubeObject | undefined): Promise<boolean> {
    const key = objectKey(desired);
    const hash = createHash('sha256').update(JSON.stringify(desired)).digest('hex');
    const last = this.#applied.get(key);
    if (observed && last?.hash === hash && last.version === versionOf(observed)) return false;
    this.#applied.set(key, { hash, version: versionOf(await this.#client.apply(desired)) });
    return true;
  }

  /** Forgets what was applied in a namespace, once that is gone. */
  forgetNamespace(namespace: string): void {
    for (const key of this.#applied.keys()) {
      if (key.includes(`/${namespace}/`) || key === `v1/Namespace//${namespace}`) this.#applied.delete(key);
    }
  }
}

/** Kinds without a generation (ConfigMap, Service, …) have little or no status that would move their resource version. */
function versionOf({ metadata }: KubeObject): string {
  return `${metadata.uid}/${metadata.generation ?? metadata.resourceVersion}`;
}
