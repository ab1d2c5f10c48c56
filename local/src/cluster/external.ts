import { NetworkingV1Api, StorageV1Api } from '@kubernetes/client-node';
import { loadKubeConfig } from './addons.ts';
import type { ClusterState } from './provider.ts';

const need = (name: string, meaning: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`With a cluster of your own, set ${name}: ${meaning}`);
  return value;
};

/**
 * A cluster that is there already. It must have an ingress class and a default storage class; what cannot be found out
 * by asking it is told by the environment: GREENROOM_REGISTRY, GREENROOM_HTTP_PORT,
 * GREENROOM_INGRESS_NAMESPACE and GREENROOM_HOST_ADDRESS.
 */
export async function externalCluster(instance: string, kubeconfig: string): Promise<ClusterState> {
  const registry = need(
    'GREENROOM_REGISTRY',
    'host:port of a registry that this machine, the nodes and pods reach',
  );
  const httpPort = Number(
    need('GREENROOM_HTTP_PORT', 'port of 127.0.0.1 that leads to the ingress controller'),
  );
  const hostAddress = need('GREENROOM_HOST_ADDRESS', 'name or address by which pods reach this machine');
  const ingressNamespace = need('GREENROOM_INGRESS_NAMESPACE', 'namespace of the ingress controller');
  const config = loadKubeConfig(kubeconfig);
  const ingress = await config.makeApiClient(NetworkingV1Api).listIngressClass();
  if (ingress.items.length === 0)
    throw new Error('The cluster has no ingress class: install an ingress controller first');
  const storage = await config.makeApiClient(StorageV1Api).listStorageClass();
  const annotation = 'storageclass.kubernetes.io/is-default-class';
  if (!storage.items.some(c => c.metadata?.annotations?.[annotation] === 'true')) {
    throw new Error(
      'The cluster has no default storage class: mark one with the annotation is-default-class',
    );
  }
  return {
    provider: 'kubeconfig',
    instance,
    kubeconfig,
    httpPort,
    registry: {
      host: registry,
      cluster: registry,
      insecure: process.env.GREENROOM_REGISTRY_HTTP === '1',
      mirror: false,
    },
    ingress: { namespace: ingressNamespace },
    hostAddress,
    hostGateway: '0.0.0.0',
    nodePorts: {},
    images: publicImages,
  };
}

/** The platform's images as the projects publish them, for clusters whose nodes can pull. */
export const publicImages = {
  buildkit: 'docker.io/moby/buildkit:v0.28.1-rootless',
  nats: 'docker.io/library/nats:2-alpine',
  mongodb: 'docker.io/library/mongo:8',
  busybox: 'docker.io/library/busybox:1',
} as const;
