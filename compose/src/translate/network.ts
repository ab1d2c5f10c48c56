import type { V1Ingress, V1Service } from '@kubernetes/client-node';
import type { Route } from '../translation.ts';
import { routeName } from './names.ts';
import { podLabels } from './workload.ts';

export const routeLabel = { 'greenroom.dev/route': 'true' };

/**
 * How neighbours reach a service by a name: on any port, ready or not, as in compose. So it has no address of its own
 * and names no port.
 */
export function neighbourService(name: string, selector: Record<string, string>): V1Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { clusterIP: 'None', publishNotReadyAddresses: true, selector },
  };
}

/** How visitors reach a service: ready pods only, at the port that answers. */
export function routeObjects(
  { service, host, port }: Route,
  object: string,
  ingressClassName: string | undefined,
): (V1Service | V1Ingress)[] {
  const name = routeName(object);
  const metadata = () => ({ name, labels: { ...routeLabel } });
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata(), annotations: { 'greenroom.dev/compose-service': service } },
      spec: {
        type: 'ClusterIP',
        selector: podLabels(service, object),
        ports: [{ name: 'route', port, targetPort: port }],
      },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { ...metadata(), annotations: { 'greenroom.dev/compose-service': service } },
      spec: {
        ...(ingressClassName && { ingressClassName }),
        rules: [
          {
            host,
            http: {
              paths: [
                { path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: port } } } },
              ],
            },
          },
        ],
      },
    },
  ];
}
