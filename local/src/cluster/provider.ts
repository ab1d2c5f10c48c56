import type { Limiter } from '../limiter.ts';
import type { Progress } from '../progress.ts';

/** Where a cluster comes from: one that is there, kind's node image, or a node image built here. */
export type ProviderName = 'kubeconfig' | 'kind' | 'node-image';

/** Images of the platform's parts, by the references that the cluster's nodes can pull. */
export interface SystemImages {
  buildkit: string;
  nats: string;
  mongodb: string;
  busybox: string;
}

/** All that another process needs to know to use a running cluster; kept as JSON beside its kubeconfig. */
export interface ClusterState {
  provider: ProviderName;
  instance: string;
  /** Path of a kubeconfig that works on this host (mode 0600). */
  kubeconfig: string;
  /** Host port on 127.0.0.1 of the ingress controller. */
  httpPort: number;
  registry: {
    /** `host:port` for pushes from this host. */
    host: string;
    /** `host:port` by which nodes, pods and builds reach the same registry. */
    cluster: string;
    /** Plain HTTP. */
    insecure: boolean;
    /** It stands for docker.io: builds must name it as its mirror. */
    mirror: boolean;
  };
  /** The ingress controller: its namespace, and where pods reach it if they cannot resolve public hosts. */
  ingress: { namespace: string; url?: string };
  /** Name by which pods reach servers on this host. */
  hostAddress: string;
  /** Address on which such servers must listen besides 127.0.0.1. */
  hostGateway: string;
  /** Node ports that are published on 127.0.0.1, each with its host port. */
  nodePorts: Readonly<Record<number, number>>;
  images: SystemImages;
  /** The node's Docker container, where there is one. */
  container?: string;
}

/** A running cluster. */
export interface Cluster extends ClusterState {
  /** Ends what `startCluster` started and keeps the cluster's data. */
  stop(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

export interface StartOptions {
  /** Name of the instance: several can run side by side. */
  instance: string;
  /** Wanted host port of the ingress controller; without it that of last time, or the first free one from 8080. */
  httpPort?: number;
  /** Use this provider rather than the first one that can work. */
  provider?: ProviderName;
  /** Use the cluster of this kubeconfig. */
  kubeconfig?: string;
  progress: Progress;
  /** Shared with other heavy work; without it two builds run at once. */
  limiter?: Limiter;
}

/** Node ports that every provider publishes on the host: NATS and MongoDB. */
export const publishedNodePorts = { nats: 30422, mongodb: 30417 } as const;

/** The ingress controller that a cluster made here gets. */
export const ownIngress = { namespace: 'greenroom-system', url: 'http://traefik.greenroom-system' } as const;

/** Name of the registry for nodes and pods. */
export const clusterRegistry = 'registry.greenroom-system:5000';
