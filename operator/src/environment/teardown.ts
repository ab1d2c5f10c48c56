import type { Logger } from 'pino';
import type { Deployment, PreviewEnvironment } from '#crds/kinds.ts';
import { API_GROUP_VERSION } from '#crds/vocabulary.ts';
import type { Registry } from '../build/registry.ts';
import type { Applier } from '../kube/apply.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Informer } from '../kube/informer.ts';
import type { KubeObject } from '../kube/resources.ts';
import { environmentNamespace } from './names.ts';

/** Removes an environment from the cluster; called until it says that nothing is left. */
export class Teardown {
  readonly #client: KubeClient;
  readonly #applier: Applier;
  readonly #registry: Registry;
  readonly #namespaces: Informer<KubeObject>;
  readonly #deployments: Informer<Deployment>;
  readonly #log: Logger;

  constructor(parts: {
    client: KubeClient;
    applier: Applier;
    registry: Registry;
    namespaces: Informer<KubeObject>;
    deployments: Informer<Deployment>;
    log: Logger;
  }) {
    this.#client = parts.client;
    this.#applier = parts.applier;
    this.#registry = parts.registry;
    this.#namespaces = parts.namespaces;
    this.#deployments = parts.deployments;
    this.#log = parts.log;
  }

  /**
   * The images that no other environment uses, the Deployments (each stops its builds and says so), and the namespace with
   * all that is in it.
   * @returns whether all of it is gone
   */
  async remove(environment: PreviewEnvironment, deployments: Deployment[]): Promise<boolean> {
    const expired = !environment.metadata.deletionTimestamp;
    const inTheWay = expired ? deployments.filter(({ status }) => !status?.endedAt) : deployments;
    if (!expired && deployments.some(({ metadata }) => !metadata.deletionTimestamp))
      await this.#removeImages(deployments);
    for (const deployment of inTheWay) {
      if (expired) {
        if (!deployment.spec.cancel) await this.#cancel(deployment);
      } else if (!deployment.metadata.deletionTimestamp) await this.#client.delete(deployment);
    }
    const namespace = environmentNamespace(environment);
    const live = this.#namespaces.get(undefined, namespace);
    if (live && !live.metadata.deletionTimestamp) await this.#client.delete(live);
    if (inTheWay.length > 0 || live) return false;
    this.#applier.forgetNamespace(namespace);
    return true;
  }

  async #removeImages(deployments: Deployment[]): Promise<void> {
    const mine = new Set(deployments.map(({ metadata }) => metadata.uid));
    const others = this.#deployments.list().filter(({ metadata }) => !mine.has(metadata.uid));
    const used = new Set(others.flatMap(({ status }) => status?.images?.map(({ image }) => image) ?? []));
    const images = new Set(
      deployments.flatMap(({ status }) => status?.images?.map(({ image }) => image) ?? []),
    );
    for (const image of images) {
      // A registry that is away must not keep the environment alive; what stays is only space.
      if (!used.has(image)) {
        await this.#registry
          .remove(image)
          .catch(error => this.#log.warn({ err: error, image }, 'image not removed'));
      }
    }
  }

  #cancel(deployment: Deployment) {
    return this.#client.mergePatch(
      { ...deployment, apiVersion: API_GROUP_VERSION },
      { spec: { cancel: true } },
    );
  }
}
