import { CoreV1Api } from '@kubernetes/client-node';
import { run } from '../process.ts';
import type { Progress } from '../progress.ts';
import { applyAddOn, loadKubeConfig, waitForNode } from './addons.ts';
import { publicImages } from './external.ts';
import { containerName, findNode, inNode, type NodeContainer, startNode } from './node-container.ts';
import { type ClusterState, clusterRegistry, ownIngress, publishedNodePorts } from './provider.ts';
import { writeKubeconfig } from './state.ts';

const image = 'kindest/node:v1.34.0';
const podSubnet = '10.244.0.0/16';

/** What kind would write to /kind/kubeadm.conf for one control-plane node. */
export const kubeadmConfig = (ip: string): string => `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
clusterName: greenroom
kubernetesVersion: v1.34.0
apiServer: { certSANs: [localhost, 127.0.0.1] }
networking: { podSubnet: ${podSubnet}, serviceSubnet: 10.96.0.0/16 }
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
localAPIEndpoint: { advertiseAddress: ${ip}, bindPort: 6443 }
nodeRegistration:
  criSocket: unix:///run/containerd/containerd.sock
  taints: []
  kubeletExtraArgs: [{ name: node-ip, value: ${ip} }]
---
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: systemd
cgroupRoot: /kubelet
failSwapOn: false
failCgroupV1: false
imageGCHighThresholdPercent: 100
evictionHard: { nodefs.available: "0%", nodefs.inodesFree: "0%", imagefs.available: "0%" }
---
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
conntrack: { maxPerCore: 0 }
`;

const kubectl = (instance: string, input: string) =>
  run(
    'docker',
    [
      'exec',
      '-i',
      containerName(instance),
      'kubectl',
      '--kubeconfig=/etc/kubernetes/admin.conf',
      'apply',
      '-f',
      '-',
    ],
    {
      input,
    },
  );

/** What `kind create cluster` does inside the node: kubeadm, kind's own network and storage, the registry's name. */
async function initialise(instance: string, node: NodeContainer): Promise<void> {
  const write = async (path: string, content: string) => {
    await run(
      'docker',
      ['exec', '-i', node.name, 'sh', '-c', 'mkdir -p "$(dirname "$0")" && cat > "$0"', path],
      { input: content },
    );
  };
  await write('/kind/kubeadm.conf', kubeadmConfig(node.ip));
  const host = '[host."http://127.0.0.1:5000"]\n  capabilities = ["pull", "resolve"]\n';
  await write(
    `/etc/containerd/certs.d/${clusterRegistry}/hosts.toml`,
    `server = "http://127.0.0.1:5000"\n${host}`,
  );
  await inNode(
    instance,
    'kubeadm',
    'init',
    '--config=/kind/kubeadm.conf',
    '--skip-phases=preflight',
    '--skip-token-print',
  );
  const network = await inNode(instance, 'cat', '/kind/manifests/default-cni.yaml');
  await kubectl(
    instance,
    network.replaceAll('{{ .PodSubnet }}', podSubnet).replaceAll('{{.PodSubnet}}', podSubnet),
  );
  await kubectl(instance, await inNode(instance, 'cat', '/kind/manifests/default-storage.yaml'));
  await inNode(instance, 'mkdir', '-p', '/var/lib/greenroom/registry');
  await inNode(instance, 'chown', '65532:65532', '/var/lib/greenroom/registry');
}

/** Lets pods resolve host.internal: a hosts block in kubeadm's CoreDNS. */
async function resolveHost(kubeconfig: string, gateway: string): Promise<void> {
  const core = loadKubeConfig(kubeconfig).makeApiClient(CoreV1Api);
  const where = { name: 'coredns', namespace: 'kube-system' };
  const config = await core.readNamespacedConfigMap(where);
  const corefile = config.data?.Corefile ?? '';
  const block = `hosts {\n        ${gateway} host.internal\n        fallthrough\n    }`;
  const without = corefile.replace(/\s*hosts \{[^}]*host\.internal[^}]*\}/, '');
  const changed = without.replace(/^(\s*)forward /m, `\n    ${block}$1forward `);
  await core.replaceNamespacedConfigMap({
    ...where,
    body: { ...config, data: { ...config.data, Corefile: changed } },
  });
}

/**
 * A cluster of one node from kind's image, started without kind itself: its data is in the volume of /var, so stopping
 * keeps it. The add-ons that kubeadm and kind bring are kept; registry and ingress are ours, from public images.
 */
export async function startKindCluster(
  instance: string,
  httpPort: number,
  progress: Progress,
): Promise<ClusterState> {
  const node =
    (await findNode(instance)) ??
    (await progress.step(`starting the Kubernetes node (${image})`, () =>
      startNode({
        instance,
        image,
        httpPort,
        environment: { KIND_EXPERIMENTAL_CONTAINERD_SNAPSHOTTER: '' },
        volumes: { var: '/var', kubernetes: '/etc/kubernetes' },
        startedWhen: /Reached target .*Multi-User System|detected cgroup v1/,
      }),
    ));
  const known = await inNode(instance, 'test', '-f', '/etc/kubernetes/admin.conf').then(
    () => true,
    () => false,
  );
  if (!known) await progress.step('kubeadm init', () => initialise(instance, node));
  const content = await inNode(instance, 'cat', '/etc/kubernetes/admin.conf');
  const kubeconfig = await writeKubeconfig(
    instance,
    content.replace(/server: .*/, `server: https://127.0.0.1:${node.ports[6443]}`),
  );
  const config = loadKubeConfig(kubeconfig);
  await progress.step('Kubernetes node, registry and ingress', async () => {
    await waitForNode(config);
    await resolveHost(kubeconfig, node.gateway);
    await applyAddOn(config, 'namespace', {}, node.startedAt);
    const values = {
      IMAGE_REGISTRY: 'docker.io/library/registry:3',
      IMAGE_TRAEFIK: 'docker.io/library/traefik:v3.6',
    };
    await applyAddOn(config, 'registry', values, node.startedAt);
    await applyAddOn(config, 'traefik', values, node.startedAt);
  });
  return {
    provider: 'kind',
    instance,
    kubeconfig,
    httpPort: node.ports[80] ?? httpPort,
    registry: {
      host: `127.0.0.1:${node.ports[5000]}`,
      cluster: clusterRegistry,
      insecure: true,
      mirror: false,
    },
    ingress: ownIngress,
    hostAddress: 'host.internal',
    hostGateway: node.gateway,
    nodePorts: Object.fromEntries(Object.values(publishedNodePorts).map(p => [p, node.ports[p] ?? 0])),
    images: publicImages,
    container: node.name,
  };
}
