import type { KubernetesObject } from '@kubernetes/client-node';
import type { ComposeProject, ComposeService } from './project.ts';
import { builds, reportBuilds } from './translate/builds.ts';
import { reportKeys } from './translate/coverage.ts';
import { routes } from './translate/exposure.ts';
import { configuredFiles, mountFiles } from './translate/files.ts';
import { extraNames, objectNames } from './translate/names.ts';
import { neighbourService, routeObjects } from './translate/network.ts';
import { inOrder, oneShots, waitsFor } from './translate/order.ts';
import { compare, Report } from './translate/report.ts';
import { serviceVolumes, usedVolumes, volumeClaims } from './translate/volumes.ts';
import { deployment, job, podLabels } from './translate/workload.ts';
import type { Build, RolloutStep, Route, Translation, TranslationSettings } from './translation.ts';

/**
 * The images that must be built, before their names are known: image identity is worked out from these.
 * @param disabled services that are left out of the environment
 */
export function listBuilds(project: ComposeProject, disabled: string[] = []): Build[] {
  return builds(without(project, disabled));
}

/**
 * What a compose project means on Kubernetes. Pure: the same input gives the same, byte for byte. Throws where the
 * settings name no image for a service that is built, or amounts that are none.
 */
export function translate(project: ComposeProject, settings: TranslationSettings): Translation {
  const disabled = settings.services.filter(service => service.disabled).map(service => service.name);
  const enabled = without(project, disabled);
  const report = new Report(enabled);
  reportKeys(enabled, report);
  reportBuilds(enabled, report);

  const names = objectNames(Object.keys(enabled.services));
  const claims = objectNames(usedVolumes(enabled));
  const allRoutes = routes(enabled, settings, report);
  const context: Context = {
    ...{ project: enabled, settings, names, claims, report },
    ...{ aliases: new Map(), routes: allRoutes, once: oneShots(enabled) },
  };
  const services = [...names.keys()].map(name => translateService(name, context));
  const objects = [...volumeClaims(enabled, claims, report), ...services.flatMap(service => service.objects)];

  return {
    objects: objects.map(object => complete(object, settings)).sort(byKindAndName),
    builds: builds(enabled),
    rollout: inOrder(services.map(service => service.step)),
    routes: allRoutes,
    report: report.list(),
  };
}

interface Context {
  project: ComposeProject;
  settings: TranslationSettings;
  /** Object names by service. */
  names: Map<string, string>;
  /** Claims by volume. */
  claims: Map<string, string>;
  /** Further names that are given away, with the service that has them. */
  aliases: Map<string, string>;
  routes: Route[];
  once: Set<string>;
  report: Report;
}

function translateService(
  name: string,
  context: Context,
): { objects: KubernetesObject[]; step: RolloutStep } {
  const { project, settings, report, routes } = context;
  const service = project.services[name] ?? {};
  const object = context.names.get(name) ?? name;
  const own = serviceVolumes(project, name, context.claims, report);
  const files = mountFiles(name, [...configuredFiles(project, name, report), ...own.files], report);
  const setting = settings.services.find(one => one.name === name);
  const input = {
    ...{ name, object, service, routes, image: imageOf(name, service, settings), holdsData: own.holdsData },
    limits: settings.limits,
    resources: setting?.resources,
    mounted: {
      objects: [],
      volumes: [...own.volumes, ...files.volumes],
      mounts: [...own.mounts, ...files.mounts],
    },
  };
  const kind = context.once.has(name) ? 'Job' : 'Deployment';
  const workload = kind === 'Job' ? job(input, report) : deployment(input, report);
  const labels = podLabels(name, object);
  const reachable = [object, ...aliasesOf(name, context)].map(alias => neighbourService(alias, labels));
  const route = routes.find(one => one.service === name);
  const visitors = route ? routeObjects(route, object, settings.ingressClassName) : [];
  return {
    objects: [...files.objects, workload, ...reachable, ...visitors].map(one => labelled(one, labels)),
    step: {
      service: name,
      kind,
      name: workload.metadata?.name ?? object,
      waitsFor: waitsFor(project, name, report),
    },
  };
}

function imageOf(name: string, service: ComposeService, { images }: TranslationSettings): string {
  if (!service.build) return service.image ?? '';
  const built = images[name];
  if (built === undefined) throw new Error(`No image is named for the service ${name}, which is built`);
  return built;
}

/** Two services may claim one alias, which compose would share between them: here the first keeps it. */
function aliasesOf(name: string, { project, names, aliases, report }: Context): string[] {
  return extraNames(project, name, report).filter(alias => {
    const owner = aliases.get(alias) ?? [...names].find(([, object]) => object === alias)?.[0];
    if (owner === undefined) aliases.set(alias, name);
    else if (owner !== name)
      report.add(name, 'networks', 'approximated', `The name ${alias} leads to ${owner} alone.`);
    return owner === undefined;
  });
}

function labelled(object: KubernetesObject, labels: Record<string, string>): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, ...object.metadata?.labels } } };
}

function complete(object: KubernetesObject, { namespace, labels }: TranslationSettings): KubernetesObject {
  const all = Object.entries({ ...labels, ...object.metadata?.labels }).sort(([a], [b]) => compare(a, b));
  return { ...object, metadata: { ...object.metadata, namespace, labels: Object.fromEntries(all) } };
}

function byKindAndName(a: KubernetesObject, b: KubernetesObject): number {
  return compare(a.kind ?? '', b.kind ?? '') || compare(a.metadata?.name ?? '', b.metadata?.name ?? '');
}

function without(project: ComposeProject, disabled: string[]): ComposeProject {
  const services = Object.entries(project.services).filter(([name]) => !disabled.includes(name));
  return { ...project, services: Object.fromEntries(services) };
}
