import { createHash } from 'node:crypto';
import type { ComposeProject } from '../project.ts';
import { compare, type Report } from './report.ts';

const dnsLabel = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const routePrefix = 'greenroom-route-';

/** The first characters of a hash, for names that must differ where contents do. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** A name that Kubernetes accepts for any object, unchanged where it already is one. */
export function objectName(name: string, longest = 63): string {
  if (dnsLabel.test(name) && name.length <= longest) return name;
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const started = /^[a-z]/.test(plain) ? plain : `s-${plain}`;
  if (started.length <= longest) return started;
  return `${started.slice(0, longest - 9).replace(/-+$/, '')}-${shortHash(name)}`;
}

/** Object names by compose name; names that would be alike are told apart by a hash. */
export function objectNames(names: string[]): Map<string, string> {
  const exact = new Set(names.filter(name => objectName(name) === name));
  const taken = new Set(exact);
  const result = new Map<string, string>();
  for (const name of names.toSorted(compare)) {
    let chosen = objectName(name);
    if (!exact.has(name) && taken.has(chosen)) chosen = `${objectName(name, 54)}-${shortHash(name)}`;
    taken.add(chosen);
    result.set(name, chosen);
  }
  return result;
}

/** The name of the Service and the Ingress that lead visitors to a service. */
export function routeName(name: string): string {
  return objectName(`${routePrefix}${name}`);
}

/**
 * Further names that neighbours know a service by: container_name, hostname, aliases on networks, links. Names that
 * DNS in Kubernetes cannot carry are refused where a neighbour uses them, and reported otherwise.
 */
export function extraNames(project: ComposeProject, service: string, report: Report): string[] {
  const own = project.services[service];
  if (!own) return [];
  const wanted: [key: string, name: string][] = [['', service]];
  if (own.container_name) wanted.push(['container_name', own.container_name]);
  if (own.hostname) wanted.push(['hostname', own.hostname]);
  for (const [network, options] of Object.entries(own.networks ?? {})) {
    const aliases = options?.aliases;
    if (Array.isArray(aliases))
      for (const alias of aliases) wanted.push([`networks.${network}`, String(alias)]);
  }
  for (const other of Object.values(project.services)) {
    for (const link of other.links ?? []) {
      const [target, alias] = link.split(':');
      if (target === service && alias) wanted.push(['links', alias]);
    }
  }
  const carried = wanted.filter(([key, name]) => {
    if (dnsLabel.test(name)) return true;
    const used = isMentioned(project, service, name);
    const reason = `${name} cannot be a DNS name in Kubernetes; the service is reachable as ${objectName(service)}.`;
    if (used)
      report.add(
        service,
        key,
        'refused',
        `${reason} Another service refers to it: rename it, with "-" for "_".`,
      );
    else report.add(service, key, 'approximated', reason);
    return false;
  });
  const names = carried.map(([, name]) => name).filter(name => name !== service && !project.services[name]);
  return [...new Set(names)].sort(compare);
}

function isMentioned(project: ComposeProject, service: string, name: string): boolean {
  return Object.entries(project.services).some(([other, { environment, command, entrypoint }]) => {
    if (other === service) return false;
    const words = JSON.stringify([Object.values(environment ?? {}), command, entrypoint]).split(/[^\w.-]+/);
    return words.includes(name);
  });
}
