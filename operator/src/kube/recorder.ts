import type { Logger } from 'pino';
import type { KubeClient } from './client.ts';
import type { KubeObject } from './resources.ts';

/** Writes Kubernetes Events, which `kubectl describe` shows. They are a courtesy: a failure is logged and forgotten. */
export class EventRecorder {
  readonly #client: KubeClient;
  readonly #log: Logger;

  constructor(client: KubeClient, log: Logger) {
    this.#client = client;
    this.#log = log;
  }

  record(about: KubeObject, event: { type: 'Normal' | 'Warning'; reason: string; message: string }): void {
    const { name, namespace, uid, resourceVersion } = about.metadata;
    const at = new Date().toISOString();
    this.#client
      .create({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { generateName: `${name}.`, namespace },
        involvedObject: {
          apiVersion: about.apiVersion,
          kind: about.kind,
          name,
          namespace,
          uid,
          resourceVersion,
        },
        ...event,
        message: event.message.slice(0, 1000),
        firstTimestamp: at,
        lastTimestamp: at,
        count: 1,
        source: { component: 'greenroom-operator' },
        reportingComponent: 'greenroom-operator',
      } as Parameters<KubeClient['create']>[0])
      .catch(error => this.#log.debug({ err: error }, 'event not recorded'));
  }
}
