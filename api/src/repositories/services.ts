import type { ComposeService } from '#compose/project.ts';
import type { Service } from '#contract/entities.ts';
import { DEFAULTS } from '#crds/vocabulary.ts';

/** A service of a compose file: its name and the container ports it listens on. */
export interface FoundService {
  name: string;
  ports: number[];
}

/** The services of a resolved compose project, with the ports they publish or expose. */
export function foundServices(services: Record<string, ComposeService>): FoundService[] {
  return Object.entries(services).map(([name, service]) => {
    const exposed = (service.expose ?? []).map(port => Number.parseInt(port, 10)).filter(Number.isInteger);
    const ports = [...(service.ports ?? []).map(port => port.target), ...exposed];
    return { name, ports: [...new Set(ports)] };
  });
}

type Reach = Pick<Service, 'isPublic' | 'isPrimary'>;
const PRIMARY: Reach = { isPublic: true, isPrimary: true };
const EXTERNAL: Reach = { isPublic: true, isPrimary: false };
const INTERNAL: Reach = { isPublic: false, isPrimary: false };

/**
 * The settings of a compose file's services: those that were set before are kept, new ones get the defaults. A single
 * service is primary; else names with `api` are external, the first with `app` or `web` is primary, the rest internal.
 */
export function withDefaults(found: FoundService[], known: Service[]): Service[] {
  const hasPrimary = known.some(
    each => each.isPrimary && found.some(({ name }) => name === each.serviceName),
  );
  const primary =
    found.length === 1 ? found[0] : found.find(({ name }) => !/api/i.test(name) && /app|web/i.test(name));
  return found.map(service => {
    const before = known.find(each => each.serviceName === service.name);
    if (before) return { ...before, ports: service.ports };
    const reach =
      service === primary && !hasPrimary ? PRIMARY : /api/i.test(service.name) ? EXTERNAL : INTERNAL;
    return {
      serviceName: service.name,
      ports: service.ports,
      ...reach,
      isDisabled: false,
      serviceMemoryLimit: DEFAULTS.serviceLimits.memory,
      serviceCPULimit: DEFAULTS.serviceLimits.cpu,
      buildMemoryLimit: DEFAULTS.buildLimits.memory,
      buildCPULimit: DEFAULTS.buildLimits.cpu,
    };
  });
}

/** The services after a change of one. Making one primary makes the one before external; a primary service is public. */
export function changeService(services: Service[], name: string, change: Partial<Service>): Service[] {
  return services.map(service => {
    if (service.serviceName !== name) {
      return change.isPrimary && service.isPrimary ? { ...service, ...EXTERNAL } : service;
    }
    const changed = { ...service, ...change };
    return changed.isPrimary ? { ...changed, ...PRIMARY } : changed;
  });
}
