import { type HttpMethod, type KubeConfig, RequestContext } from '@kubernetes/client-node';
import { type Dispatcher, fetch } from 'undici';
import { FIELD_MANAGER } from '#crds/vocabulary.ts';
import { type KindRef, type KubeObject, resourcePath } from './resources.ts';

/** An answer of the API server that is no success. `status` is the HTTP status; `reason` is Kubernetes' own word. */
export class KubeError extends Error {
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

export const isNotFound = (error: unknown) => error instanceof KubeError && error.status === 404;
export const isConflict = (error: unknown) => error instanceof KubeError && error.status === 409;

interface RequestOptions {
  query?: Record<string, string>;
  body?: unknown;
  contentType?: string;
}

/**
 * The only way to the API server: plain JSON in and out over pooled connections. The library's generated clients open a
 * connection per request and turn times into Date objects; here objects stay as the server wrote them.
 */
export class KubeClient {
  readonly config: KubeConfig;
  #dispatcher: Dispatcher | undefined;

  constructor(config: KubeConfig) {
    this.config = config;
  }

  async get<T extends KubeObject>(
    kind: KindRef,
    namespace: string | undefined,
    name: string,
  ): Promise<T | undefined> {
    return this.#json<T>('GET', resourcePath(kind, namespace, name)).catch(orUndefined);
  }

  /** All objects of a kind, fetched in pages of 500. */
  async list<T extends KubeObject>(
    kind: KindRef,
    options: { namespace?: string; labelSelector?: string } = {},
  ): Promise<{ items: T[]; resourceVersion: string }> {
    const items: T[] = [];
    let next: string | undefined;
    for (;;) {
      const page = await this.#json<{
        metadata: { resourceVersion: string; continue?: string };
        items: T[];
      }>('GET', resourcePath(kind, options.namespace), {
        query: {
          limit: '500',
          ...(options.labelSelector && { labelSelector: options.labelSelector }),
          ...(next && { continue: next }),
        },
      });
      // Items of a list carry no kind of their own.
      for (const item of page.items) items.push({ ...item, apiVersion: kind.apiVersion, kind: kind.kind });
      next = page.metadata.continue;
      if (!next) return { items, resourceVersion: page.metadata.resourceVersion };
    }
  }

  create<T extends KubeObject>(object: Pick<T, 'apiVersion' | 'kind'> & { metadata: object }): Promise<T> {
    const { namespace } = object.metadata as { namespace?: string };
    return this.#json<T>('POST', resourcePath(object, namespace), { body: object });
  }

  /** Server-side apply: the object's fields become ours, whoever set them before. */
  apply<T extends KubeObject>(object: KubeObject): Promise<T> {
    const { namespace, name } = object.metadata;
    return this.#json<T>('PATCH', resourcePath(object, namespace, name), {
      query: { fieldManager: FIELD_MANAGER, force: 'true' },
      contentType: 'application/apply-patch+yaml',
      body: object,
    });
  }

  mergePatch<T extends KubeObject>(object: KubeObject, patch: object): Promise<T> {
    const { namespace, name } = object.metadata;
    return this.#json<T>('PATCH', resourcePath(object, namespace, name), {
      query: { fieldManager: FIELD_MANAGER },
      contentType: 'application/merge-patch+json',
      body: patch,
    });
  }

  /** Writes the status; refused with 409 when the object changed since it was read. */
  replaceStatus<T extends KubeObject>(object: T): Promise<T> {
    const { namespace, name } = object.metadata;
    return this.#json<T>('PUT', `${resourcePath(object, namespace, name)}/status`, {
      query: { fieldManager: FIELD_MANAGER },
      body: object,
    });
  }

  /** Deletes the object that was seen (by UID), not one of the same name that came after it. Absent is fine. */
  async delete(object: KubeObject): Promise<void> {
    const { namespace, name, uid } = object.metadata;
    await this.#json('DELETE', resourcePath(object, namespace, name), {
      body: { propagationPolicy: 'Background', ...(uid && { preconditions: { uid } }) },
    }).catch(orUndefined);
  }

  /** The last lines of a container's log; undefined when there is none to be had. */
  async log(
    namespace: string,
    pod: string,
    options: { container?: string; previous?: boolean; lines: number },
  ) {
    const query = {
      tailLines: String(options.lines),
      ...(options.container && { container: options.container }),
      ...(options.previous && { previous: 'true' }),
    };
    const path = `${resourcePath({ apiVersion: 'v1', kind: 'Pod' }, namespace, pod)}/log`;
    return this.#send('GET', path, { query }).catch(() => undefined);
  }

  async #json<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return JSON.parse(await this.#send(method, path, options)) as T;
  }

  async #send(method: string, path: string, { query, body, contentType }: RequestOptions): Promise<string> {
    const url = new URL((this.config.getCurrentCluster()?.server ?? '') + path);
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
    const context = new RequestContext(url.href, method as HttpMethod);
    await this.config.applySecurityAuthentication(context);
    // The library makes a dispatcher, and with it a connection, per request; the first one serves all.
    this.#dispatcher ??= context.getDispatcher();
    const response = await fetch(url, {
      method,
      headers: {
        ...context.getHeaders(),
        accept: 'application/json',
        'content-type': contentType ?? 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(this.#dispatcher && { dispatcher: this.#dispatcher }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (response.ok) return text;
    const status = parseStatus(text);
    throw new KubeError(
      response.status,
      status.reason ?? '',
      `${method} ${path}: ${status.message ?? response.status}`,
    );
  }
}

function parseStatus(text: string): { reason?: string; message?: string } {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 300) };
  }
}

function orUndefined(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
