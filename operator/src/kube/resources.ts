import { API_GROUP_VERSION } from '#crds/vocabulary.ts';

/** The part of a Kubernetes object that every kind has. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    creationTimestamp?: string;
    deletionTimestamp?: string;
    finalizers?: string[];
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
}

/** One of the library's types as it comes over the wire: times are strings, and it says what it is. */
export type Wire<T> = KubeObject & Omit<T, 'apiVersion' | 'kind' | 'metadata'>;

/** Every kind that the operator touches: kind → API version and plural. RBAC in the chart lists the same. */
const RESOURCES: Record<string, { apiVersion: string; plural: string; clusterScoped?: boolean }> = {
  PreviewEnvironment: { apiVersion: API_GROUP_VERSION, plural: 'previewenvironments' },
  [`Deployment.${API_GROUP_VERSION}`]: { apiVersion: API_GROUP_VERSION, plural: 'deployments' },
  Deployment: { apiVersion: 'apps/v1', plural: 'deployments' },
  Job: { apiVersion: 'batch/v1', plural: 'jobs' },
  Pod: { apiVersion: 'v1', plural: 'pods' },
  Service: { apiVersion: 'v1', plural: 'services' },
  ConfigMap: { apiVersion: 'v1', plural: 'configmaps' },
  Secret: { apiVersion: 'v1', plural: 'secrets' },
  PersistentVolumeClaim: { apiVersion: 'v1', plural: 'persistentvolumeclaims' },
  ResourceQuota: { apiVersion: 'v1', plural: 'resourcequotas' },
  Event: { apiVersion: 'v1', plural: 'events' },
  Namespace: { apiVersion: 'v1', plural: 'namespaces', clusterScoped: true },
  Ingress: { apiVersion: 'networking.k8s.io/v1', plural: 'ingresses' },
  NetworkPolicy: { apiVersion: 'networking.k8s.io/v1', plural: 'networkpolicies' },
};

/** What names a kind of object. */
export interface KindRef {
  apiVersion: string;
  kind: string;
}

/**
 * The path of a kind's collection, or of one object in it, on the API server.
 * @throws Error for a kind that the operator has no business with
 */
export function resourcePath({ apiVersion, kind }: KindRef, namespace?: string, name?: string): string {
  const resource = RESOURCES[`${kind}.${apiVersion}`] ?? RESOURCES[kind];
  if (!resource || resource.apiVersion !== apiVersion) {
    throw new Error(`${apiVersion} ${kind} is not a kind that the operator manages`);
  }
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = namespace && !resource.clusterScoped ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${group}${scope}/${resource.plural}${name ? `/${encodeURIComponent(name)}` : ''}`;
}

/** A key that is unique among the objects of a cluster. */
export function objectKey(object: KubeObject): string {
  const { namespace = '', name } = object.metadata;
  return `${object.apiVersion}/${object.kind}/${namespace}/${name}`;
}
