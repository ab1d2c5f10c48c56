import { createHash } from 'node:crypto';

const LONGEST_LABEL = 63;

/**
 * The namespace of an environment, which is also the first label of its host name. Two environments of the same name in
 * different namespaces get different ones.
 */
export function environmentNamespace(environment: {
  metadata: { name: string; namespace: string };
  spec: { prefix: string };
}): string {
  const { name, namespace } = environment.metadata;
  const hash = createHash('sha256').update(`${namespace}/${name}`).digest('hex').slice(0, 6);
  const stem = `${environment.spec.prefix}${name}`.toLowerCase().replace(/[^a-z0-9-]+/g, '-');
  return `${stem.slice(0, LONGEST_LABEL - hash.length - 1).replace(/-+$/, '')}-${hash}`;
}

/** The public host of a service: the environment's own for the primary one, `<service>-<environment>` for others. */
export function publicHost(namespace: string, service: string, primary: boolean, domain: string): string {
  const start = service
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '');
  const label = primary ? namespace : `${start}-${namespace}`;
  if (label.length <= LONGEST_LABEL) return `${label}.${domain}`;
  const hash = createHash('sha256').update(label).digest('hex').slice(0, 6);
  return `${label.slice(0, LONGEST_LABEL - 7)}-${hash}.${domain}`;
}
