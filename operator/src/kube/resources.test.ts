import { describe, expect, it } from 'vitest';
import { objectKey, resourcePath } from './resources.ts';

describe('path on the API server', () => {
  it.each<[string, string, string | undefined, string | undefined, string]>([
    ['v1', 'Pod', 'a', 'b', '/api/v1/namespaces/a/pods/b'],
    ['v1', 'Pod', 'a', undefined, '/api/v1/namespaces/a/pods'],
    ['v1', 'Pod', undefined, undefined, '/api/v1/pods'],
    ['v1', 'Namespace', undefined, 'a', '/api/v1/namespaces/a'],
    ['v1', 'Namespace', 'ignored', 'a', '/api/v1/namespaces/a'],
    ['apps/v1', 'Deployment', 'a', 'b', '/apis/apps/v1/namespaces/a/deployments/b'],
    [
      'greenroom.dev/v1alpha1',
      'Deployment',
      'a',
      'b',
      '/apis/greenroom.dev/v1alpha1/namespaces/a/deployments/b',
    ],
    ['networking.k8s.io/v1', 'Ingress', 'a', 'b', '/apis/networking.k8s.io/v1/namespaces/a/ingresses/b'],
  ])('%s %s', (apiVersion, kind, namespace, name, path) =>
    expect(resourcePath({ apiVersion, kind }, namespace, name)).toBe(path),
  );

  it('lets no name lead elsewhere', () =>
    expect(resourcePath({ apiVersion: 'v1', kind: 'Secret' }, '../x', 'a/../../b')).toBe(
      '/api/v1/namespaces/..%2Fx/secrets/a%2F..%2F..%2Fb',
    ));

  it.each([
    ['v1', 'Node'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole'],
    ['evil/v1', 'Secret'],
    ['v1', 'Deployment'],
  ])('there is none for %s %s, which is not the operator’s business', (apiVersion, kind) =>
    expect(() => resourcePath({ apiVersion, kind })).toThrow(`${apiVersion} ${kind}`),
  );
});

it('keys tell objects apart by group, kind, namespace and name', () => {
  const object = (apiVersion: string, kind: string, namespace: string, name: string) =>
    objectKey({ apiVersion, kind, metadata: { namespace, name } });
  const keys = [
    object('apps/v1', 'Deployment', 'a', 'b'),
    object('greenroom.dev/v1alpha1', 'Deployment', 'a', 'b'),
    object('v1', 'Service', 'a', 'b'),
    object('v1', 'Service', 'b', 'a'),
    objectKey({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'b' } }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});
