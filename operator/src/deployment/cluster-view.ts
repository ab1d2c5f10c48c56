import type { V1Job } from '@kubernetes/client-node';
import type { Logger } from 'pino';
import { LABELS } from '#crds/vocabulary.ts';
import type { KubeClient } from '../kube/client.ts';
import { Informer } from '../kube/informer.ts';
import { type KindRef, type KubeObject, objectKey, type Wire } from '../kube/resources.ts';
import type { Pod } from './phase.ts';

/** Kinds that environments are made of. */
const OWNED_KINDS: KindRef[] = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'batch/v1', kind: 'Job' },
  { apiVersion: 'v1', kind: 'Service' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
  { apiVersion: 'v1', kind: 'ResourceQuota' },
  { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
  { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' },
];

/** Local copies of everything that Greenroom made in the cluster, by label. */
export class ClusterView {
  readonly namespaces: Informer<KubeObject>;
  readonly #owned: Informer<KubeObject>[];
  readonly #pods: Informer<Pod>;

  /** @param onChange called with an object that changed, to wake whom it concerns */
  constructor(client: KubeClient, log: Logger, onChange: (object: KubeObject) => void) {
    const options = (kind: KindRef) => ({ kind, labelSelector: LABELS.environment, onChange });
    this.#owned = OWNED_KINDS.map(kind => new Informer(client, options(kind), log));
    this.#pods = new Informer<Pod>(client, options({ apiVersion: 'v1', kind: 'Pod' }), log);
    this.namespaces = new Informer(client, options({ apiVersion: 'v1', kind: 'Namespace' }), log);
  }

  async start(): Promise<void> {
    await Promise.all(this.#all().map(informer => informer.start()));
  }

  stop(): void {
    for (const informer of this.#all()) informer.stop();
  }

  objects(namespace: string): Map<string, KubeObject> {
    const all = this.#owned.flatMap(informer => informer.list(namespace));
    return new Map(all.map(object => [objectKey(object), object]));
  }

  pods(namespace: string): Pod[] {
    return this.#pods.list(namespace);
  }

  jobs(namespace: string): Wire<V1Job>[] {
    return this.#owned
      .flatMap(informer => informer.list(namespace))
      .filter((object): object is Wire<V1Job> => object.kind === 'Job');
  }

  #all() {
    return [...this.#owned, this.#pods, this.namespaces];
  }
}
