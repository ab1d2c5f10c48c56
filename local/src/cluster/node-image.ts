import { createImageBuilder, type ImageBuilder } from '../images/build.ts';
import { images } from '../images/catalogue.ts';
import { publish, publishedName } from '../images/publish.ts';
import { imagesCanBePulled } from '../images/pullable.ts';
import { keepSeed, seedEntry, seedFor } from '../images/seed.ts';
import type { Limiter } from '../limiter.ts';
import type { Progress } from '../progress.ts';
import { ensureBuildTools } from '../requirements/preflight.ts';
import { applyAddOn, loadKubeConfig, waitForNode } from './addons.ts';
import { findNode, hasVolume, inNode, type NodeContainer, startNode } from './node-container.ts';
import { type ClusterState, clusterRegistry, ownIngress, publishedNodePorts } from './provider.ts';
import { writeKubeconfig } from './state.ts';

const state = '/var/lib/greenroom';

/** Reference by which the node pulls an image of the catalogue. */
const clusterReference = async (name: string): Promise<string> =>
  `${clusterRegistry}/${await publishedName(name)}`;

/** Which of the catalogue's images go into the registry: ours always, stand-ins of Docker Hub's only as its mirror. */
export const publishedImages = (mirror: boolean): string[] =>
  [...images.values()]
    .filter(i => i.repository && (!i.mirror || mirror || i.name === 'busybox') && i.name !== 'registry')
    .map(i => i.name);

/** The node's kubeconfig with the address that the host reaches. */
async function hostKubeconfig(instance: string, node: NodeContainer): Promise<string> {
  const content = await inNode(instance, 'cat', `${state}/pki/admin.conf`);
  return writeKubeconfig(
    instance,
    content.replace('https://127.0.0.1:6443', `https://127.0.0.1:${node.ports[6443]}`),
  );
}

/** Starts a node of our own image; its state is in volumes, so that a later start finds it again. */
async function startOwnNode(
  instance: string,
  httpPort: number,
  mirror: boolean,
  seed: string | undefined,
  builder: ImageBuilder,
  progress: Progress,
): Promise<NodeContainer> {
  const image = await builder.image('kubernetes-node');
  return progress.step('starting the Kubernetes node', () =>
    startNode({
      instance,
      image,
      httpPort,
      environment: mirror ? { DOCKER_IO_MIRROR: '1' } : {},
      ...(seed ? { readOnly: { '/registry-images': seed } } : {}),
      volumes: { state, containerd: '/var/lib/containerd', kubelet: '/var/lib/kubelet' },
      startedWhen: /greenroom-node: started/,
    }),
  );
}

/** A cluster of one node whose image, and all images of the platform, are built here. */
export async function startNodeImageCluster(
  instance: string,
  httpPort: number,
  limiter: Limiter,
  progress: Progress,
): Promise<ClusterState> {
  await ensureBuildTools(progress);
  const mirror = !(await imagesCanBePulled());
  const builder = createImageBuilder(limiter, progress);
  const names = publishedImages(mirror);
  const kept = await seedEntry(names);
  const seed = seedFor(kept);
  // An empty registry needs every image: build them while the node is being built, not after it.
  const empty = !(await hasVolume(instance, 'state'));
  if (empty && !seed) for (const name of names) builder.image(name).catch(() => {});
  const node =
    (await findNode(instance)) ?? (await startOwnNode(instance, httpPort, mirror, seed, builder, progress));
  const kubeconfig = await hostKubeconfig(instance, node);
  const config = loadKubeConfig(kubeconfig);
  const since = node.startedAt;
  const host = `127.0.0.1:${node.ports[5000]}`;
  const values = {
    HOST_GATEWAY: node.gateway,
    IMAGE_REGISTRY: 'greenroom.local/registry:1',
    IMAGE_COREDNS: await clusterReference('coredns'),
    IMAGE_LOCAL_PATH: await clusterReference('local-path'),
    IMAGE_BUSYBOX: await clusterReference('busybox'),
    IMAGE_TRAEFIK: await clusterReference('traefik'),
  };
  await progress.step('Kubernetes node and registry', async () => {
    await waitForNode(config);
    await applyAddOn(config, 'namespace', {}, since);
    await applyAddOn(config, 'registry', values, since);
  });
  const published = new Map(names.map(name => [name, publish(name, host, builder)]));
  const addOn = async (name: 'coredns' | 'local-path' | 'traefik', ...needs: string[]) => {
    await Promise.all(needs.map(n => published.get(n)));
    await applyAddOn(config, name, values, since);
  };
  await progress.step('DNS, storage, ingress and images in the cluster', () =>
    Promise.all([
      addOn('coredns', 'coredns'),
      addOn('local-path', 'local-path', 'busybox'),
      addOn('traefik', 'traefik'),
      ...published.values(),
    ]),
  );
  if (empty) await keepSeed(kept, node.name, `${state}/registry`);
  return {
    provider: 'node-image',
    instance,
    kubeconfig,
    httpPort: node.ports[80] ?? httpPort,
    registry: { host, cluster: clusterRegistry, insecure: true, mirror },
    ingress: ownIngress,
    hostAddress: 'host.internal',
    hostGateway: node.gateway,
    nodePorts: Object.fromEntries(Object.values(publishedNodePorts).map(p => [p, node.ports[p] ?? 0])),
    images: {
      buildkit: await clusterReference('buildkit'),
      nats: await clusterReference('nats'),
      mongodb: await clusterReference('mongodb'),
      busybox: await clusterReference('busybox'),
    },
    container: node.name,
  };
}
