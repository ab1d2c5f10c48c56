import { BlockList } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isolation } from './isolation.ts';

const objects = isolation('env-shop-123456', { owner: 'me' }, 'ingress-controller');
const of = (kind: string) => {
  const found = objects.find(object => object.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};

interface Peer {
  podSelector?: object;
  namespaceSelector?: { matchLabels: Record<string, string> };
  ipBlock?: { cidr: string; except: string[] };
}
interface PolicySpec {
  podSelector: object;
  policyTypes: string[];
  ingress: { from: Peer[] }[];
  egress: { to: Peer[]; ports?: { protocol: string; port: number }[] }[];
}
const policy = of('NetworkPolicy').spec as PolicySpec;

/** Whether a rule of the policy lets a pod reach this address, whatever is there. */
function reaches(address: string): boolean {
  const family = address.includes(':') ? 'ipv6' : 'ipv4';
  const contains = (cidr: string) => {
    const [network = '', bits] = cidr.split('/');
    const list = new BlockList();
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
    return list.check(address, family);
  };
  return policy.egress
    .flatMap(({ to }) => to)
    .some(({ ipBlock }) => ipBlock && contains(ipBlock.cidr) && !ipBlock.except.some(contains));
}

describe('isolation of an environment', () => {
  it('labels all that it makes, so that it is watched and pruned', () => {
    for (const { metadata } of objects) expect(metadata.labels).toMatchObject({ owner: 'me' });
  });

  it('enforces Pod Security baseline', () =>
    expect(of('Namespace').metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'baseline',
    }));

  it('bounds the number of objects, and allows no way in past the ingress controller', () => {
    const { hard } = of('ResourceQuota').spec as { hard: Record<string, string> };
    expect(hard).toMatchObject({ 'services.nodeports': '0', 'services.loadbalancers': '0' });
    for (const what of ['pods', 'count/secrets', 'count/jobs.batch', 'persistentvolumeclaims']) {
      expect(Number(hard[what])).toBeGreaterThan(0);
    }
  });
});

describe('network policy', () => {
  it('applies to every pod, both ways', () => {
    expect(policy.podSelector).toEqual({});
    expect(policy.policyTypes).toEqual(['Ingress', 'Egress']);
  });

  it('lets in pods of the environment and the ingress controller, nobody else', () =>
    expect(policy.ingress.flatMap(({ from }) => from)).toEqual([
      { podSelector: {} },
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-controller' } } },
    ]));

  it('lets pods ask for names, and nothing else of the cluster', () => {
    const toNamespaces = policy.egress.filter(({ to }) =>
      to.some(({ namespaceSelector }) => namespaceSelector),
    );
    expect(toNamespaces).toHaveLength(1);
    expect(toNamespaces[0]?.to).toEqual([
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } },
    ]);
    expect(toNamespaces[0]?.ports?.map(({ protocol, port }) => `${protocol} ${port}`)).toEqual([
      'UDP 53',
      'TCP 53',
    ]);
  });

  it.each([
    ['loopback', '127.0.0.1'],
    ['cloud metadata', '169.254.169.254'],
    ['services of the cluster', '10.96.0.1'],
    ['pods of other environments', '10.244.1.7'],
    ['nodes in a private network', '192.168.1.10'],
    ['Docker networks', '172.17.0.1'],
    ['carrier-grade NAT, which clouds use for nodes', '100.64.0.1'],
    ['cloud metadata over IPv6', 'fd00:ec2::254'],
    ['link-local IPv6', 'fe80::1'],
  ])('keeps pods from %s', (_what, address) => expect(reaches(address)).toBe(false));

  it.each(['1.1.1.1', '140.82.112.3', '172.32.0.1', '9.255.255.255'])('lets pods reach %s', address =>
    expect(reaches(address)).toBe(true),
  );
});
