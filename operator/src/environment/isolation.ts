import type { KubeObject } from '../kube/resources.ts';

/** Ranges that are no public internet: other pods and nodes, private networks, cloud metadata. */
const NOT_PUBLIC = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
];

/**
 * The namespace of an environment and what fences it off: Pod Security baseline, a quota of objects, and a network that
 * lets in only its own pods and the ingress controller, and lets out only to its own pods, DNS and the public internet.
 */
export function isolation(
  namespace: string,
  labels: Record<string, string>,
  ingressNamespace: string,
): (KubeObject & { spec?: object })[] {
  const metadata = (name: string) => ({ name, namespace, labels });
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: namespace,
        labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'baseline' },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: metadata('greenroom'),
      spec: {
        hard: {
          pods: '60',
          'count/services': '120',
          'count/configmaps': '120',
          'count/secrets': '120',
          'count/jobs.batch': '60',
          'count/deployments.apps': '60',
          'count/ingresses.networking.k8s.io': '60',
          persistentvolumeclaims: '40',
          'services.nodeports': '0',
          'services.loadbalancers': '0',
        },
      },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: metadata('greenroom'),
      spec: {
        podSelector: {},
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          { from: [{ podSelector: {} }] },
          {
            from: [
              { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': ingressNamespace } } },
            ],
          },
        ],
        egress: [
          { to: [{ podSelector: {} }] },
          {
            to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }],
            ports: [
              { protocol: 'UDP', port: 53 },
              { protocol: 'TCP', port: 53 },
            ],
          },
          { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: NOT_PUBLIC } }] },
        ],
      },
    },
  ];
}
