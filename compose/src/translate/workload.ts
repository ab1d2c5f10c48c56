import type {
  V1Container,
  V1Deployment,
  V1HostAlias,
  V1Job,
  V1PodSpec,
  V1PodTemplateSpec,
} from '@kubernetes/client-node';
import type { ComposeService } from '../project.ts';
import type { Resources, Route } from '../translation.ts';
import { literal, variables } from './environment.ts';
import type { Mounted } from './files.ts';
import { objectName, shortHash } from './names.ts';
import { probes, seconds } from './probes.ts';
import { compare, type Report, sortedEntries } from './report.ts';
import { resources } from './resources.ts';
import { containerSecurity, podSecurity } from './security.ts';

/** Seconds in which a routed pod that is going away still answers, until no router sends it anything. */
const drainSeconds = 5;
const stopSeconds = 10;

/** Everything that one service's pods are made of. */
export interface WorkloadInput {
  name: string;
  /** The object's name. */
  object: string;
  service: ComposeService;
  image: string;
  limits: Resources;
  resources: Partial<Resources> | undefined;
  routes: Route[];
  mounted: Mounted<unknown>;
  holdsData: boolean;
}

/** The labels that select a service's pods: its name in the compose file where a label can carry it. */
export function podLabels(service: string, object: string): Record<string, string> {
  const value = /^[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/.test(service) ? service : object;
  return { 'app.kubernetes.io/name': value, 'greenroom.dev/service': value };
}

/** A service that runs on. One with data is stopped before its successor starts; others are replaced without a gap. */
export function deployment(input: WorkloadInput, report: Report): V1Deployment {
  const { service, object, name } = input;
  if (service.restart === 'no' || service.restart?.startsWith('on-failure')) {
    report.add(name, 'restart', 'approximated', 'It restarts whenever it ends, with growing pauses.');
  }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: object },
    spec: {
      replicas: replicas(name, service, report),
      revisionHistoryLimit: 1,
      selector: { matchLabels: podLabels(name, object) },
      strategy: input.holdsData
        ? { type: 'Recreate' }
        : { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: podTemplate(input, 'Always', report),
    },
  };
}

/**
 * A service that others wait for to complete. A Job's template cannot change, so its name carries a hash of it: a new
 * image or setting makes a new Job, and the same one does not run again.
 */
export function job(input: WorkloadInput, report: Report): V1Job {
  const { service, object, name } = input;
  const template = podTemplate(input, 'Never', report);
  const [policy, times] = (service.restart ?? 'no').split(':');
  if (policy === 'always' || policy === 'unless-stopped') {
    const reason = 'Others wait for it to complete; it is repeated only where it fails.';
    report.add(name, 'restart', 'approximated', reason);
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${objectName(object, 54)}-${shortHash(JSON.stringify(template))}` },
    spec: { backoffLimit: policy === 'no' ? 0 : Number(times ?? 6), template },
  };
}

function podTemplate(
  input: WorkloadInput,
  restartPolicy: 'Always' | 'Never',
  report: Report,
): V1PodTemplateSpec {
  const { name, service, object, mounted } = input;
  const grace = seconds(service.stop_grace_period, stopSeconds);
  const annotations = { ...service.labels, ...service.annotations };
  const spec: V1PodSpec = {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    restartPolicy,
    terminationGracePeriodSeconds: isRouted(input) ? grace + drainSeconds : grace,
    securityContext: podSecurity(name, service, report),
    containers: [container(input, report)],
    ...(mounted.volumes.length > 0 && { volumes: mounted.volumes }),
    ...hostname(name, service, report),
    ...hostAliases(name, service, report),
  };
  return {
    metadata: {
      labels: podLabels(name, object),
      ...(Object.keys(annotations).length > 0 && { annotations: annotationsOf(name, annotations, report) }),
    },
    spec,
  };
}

function container(input: WorkloadInput, report: Report): V1Container {
  const { name, service, mounted } = input;
  const route = input.routes.find(one => one.service === name);
  const environment = variables(name, service, input.routes, report);
  return {
    name: 'service',
    image: input.image,
    ...pullPolicy(name, service, report),
    ...commands(name, service, report),
    ...(service.working_dir && { workingDir: service.working_dir }),
    ...(environment.length > 0 && { env: environment }),
    ...(service.stdin_open && { stdin: true }),
    ...(service.tty && { tty: true }),
    resources: resources(service, input.resources, input.limits),
    securityContext: containerSecurity(name, service, report),
    ...probes(name, service.healthcheck, route?.port, report),
    ...(route && { lifecycle: { preStop: { sleep: { seconds: drainSeconds } } } }),
    ...(mounted.mounts.length > 0 && {
      volumeMounts: mounted.mounts.toSorted((a, b) => compare(a.mountPath, b.mountPath)),
    }),
  };
}

/** An entrypoint replaces the image's and its command with it, in compose as in Kubernetes. */
function commands(
  name: string,
  service: ComposeService,
  report: Report,
): Pick<V1Container, 'command' | 'args'> {
  const entrypoint = service.entrypoint ?? undefined;
  const command = service.command ?? undefined;
  if (entrypoint?.length === 0) {
    if (command?.length) return { command: command.map(literal) };
    report.add(name, 'entrypoint', 'refused', 'With an empty entrypoint, command must say what to run.');
    return {};
  }
  if (command?.length === 0 && !entrypoint) {
    const reason = "The image's own command is used: Kubernetes cannot empty it. Set entrypoint as well.";
    report.add(name, 'command', 'approximated', reason);
  }
  return {
    ...(entrypoint && { command: entrypoint.map(literal) }),
    ...(command?.length && { args: command.map(literal) }),
  };
}

function pullPolicy(
  name: string,
  service: ComposeService,
  report: Report,
): Pick<V1Container, 'imagePullPolicy'> {
  if (service.platform && !/^linux(\/amd64)?$/.test(service.platform)) {
    report.add(name, 'platform', 'approximated', "It runs on the cluster's own platform.");
  }
  const policy = service.pull_policy;
  if (policy === undefined || policy === 'missing' || policy === 'if_not_present' || policy === 'build')
    return {};
  if (policy === 'always') return { imagePullPolicy: 'Always' };
  report.add(name, 'pull_policy', 'approximated', 'The image is pulled where it is missing.');
  return {};
}

function replicas(name: string, service: ComposeService, report: Report): number {
  const mode = service.deploy?.mode;
  if (mode && mode !== 'replicated') {
    report.add(name, 'deploy.mode', 'approximated', 'It runs as often as replicas says.');
  }
  return service.deploy?.replicas ?? service.scale ?? 1;
}

function hostname(name: string, { hostname }: ComposeService, report: Report): Pick<V1PodSpec, 'hostname'> {
  if (!hostname) return {};
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(hostname)) return { hostname };
  report.add(name, 'hostname', 'approximated', `Kubernetes cannot carry the host name ${hostname}.`);
  return {};
}

function hostAliases(
  name: string,
  { extra_hosts }: ComposeService,
  report: Report,
): Pick<V1PodSpec, 'hostAliases'> {
  const aliases: V1HostAlias[] = [];
  for (const entry of extra_hosts ?? []) {
    const [host = '', ip = ''] = splitOnce(entry, '=');
    if (ip === 'host-gateway') {
      report.add(
        name,
        'extra_hosts',
        'refused',
        `${host} leads to the machine, which services do not reach. Remove it.`,
      );
    } else aliases.push({ ip, hostnames: [host] });
  }
  return aliases.length > 0 ? { hostAliases: aliases } : {};
}

function annotationsOf(
  name: string,
  annotations: Record<string, string>,
  report: Report,
): Record<string, string> {
  const valid = /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/;
  const entries = sortedEntries(annotations);
  for (const [key] of entries.filter(([key]) => !valid.test(key))) {
    report.add(
      name,
      'labels',
      'approximated',
      `${key} is left out: Kubernetes cannot carry it as an annotation.`,
    );
  }
  return Object.fromEntries(entries.filter(([key]) => valid.test(key)));
}

function isRouted({ name, routes }: WorkloadInput): boolean {
  return routes.some(route => route.service === name);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
