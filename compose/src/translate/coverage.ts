import type { ComposeProject, ComposeService } from '../project.ts';
import { buildKeys, deployKeys, type KeyRule, serviceKeys } from './keys.ts';
import type { Report } from './report.ts';
import { isEmpty } from './volumes.ts';

const unknown: KeyRule = { verdict: 'refused', reason: 'It is not known to Greenroom.' };

const oneNetwork = 'All services of an environment share one network; they are not yet kept apart.';

/** compose-go takes these in while reading, so the resolved service no longer has them. */
const takenIn = ['env_file', 'extends', 'label_file', 'profiles'];

/** A verdict on every key that a project has, so that nothing is dropped in silence. */
export function reportKeys(project: ComposeProject, report: Report): void {
  for (const network of Object.keys(project.networks).filter(one => one !== 'default')) {
    report.add('', `networks.${network}`, 'approximated', oneNetwork);
  }
  for (const key of project.otherKeys) report.add('', key, 'refused', 'It is not known to Greenroom.');
  for (const [name, service] of Object.entries(project.services)) {
    for (const key of takenIn) {
      if (Object.hasOwn(project.positions, `services.${name}.${key}`)) report.add(name, key, 'supported');
    }
    walk(name, '', { ...service }, serviceKeys, report);
    walk(name, 'build.', { ...service.build }, buildKeys, report);
    walk(name, 'deploy.', { ...service.deploy }, deployKeys, report);
    reportNetworks(project, name, report);
    reportResources(name, service, report);
    for (const port of service.ports ?? []) {
      if (port.protocol === 'udp') {
        const reason = 'Neighbours reach UDP ports; visitors do not.';
        report.add(name, `ports.${service.ports?.indexOf(port)}`, 'approximated', reason);
      }
    }
  }
}

function walk(
  service: string,
  prefix: string,
  values: Record<string, unknown>,
  rules: Record<string, KeyRule>,
  report: Report,
): void {
  for (const [key, value] of Object.entries(values)) {
    // An empty entrypoint or command says something; other empty values say nothing.
    const says = Array.isArray(value) && (key === 'entrypoint' || key === 'command');
    if (key.startsWith('x-') || key.startsWith('#') || (isEmpty(value) && !says)) continue;
    const rule = Object.hasOwn(rules, key) ? (rules[key] ?? unknown) : unknown;
    report.add(service, `${prefix}${key}`, rule.verdict, rule.reason);
  }
}

function reportResources(name: string, { deploy }: ComposeService, report: Report): void {
  const { limits, reservations } = deploy?.resources ?? {};
  const key = 'deploy.resources';
  if (limits?.pids)
    report.add(name, `${key}.limits.pids`, 'approximated', 'The limits of the cluster node apply.');
  for (const kind of Object.keys(reservations ?? {})) {
    const reserved = `${key}.reservations.${kind}`;
    if (kind === 'cpus' || kind === 'memory')
      report.add(name, reserved, 'approximated', 'A share of the limit is reserved.');
    else report.add(name, reserved, 'refused', 'No devices of the machine and no GPU are offered.');
  }
}

function reportNetworks(project: ComposeProject, name: string, report: Report): void {
  const service = project.services[name];
  const mode = service?.network_mode;
  if (mode === 'host' || mode?.startsWith('container:')) {
    const reason =
      'It would reach outside the environment. Remove it; services reach each other by name on any port.';
    report.add(name, 'network_mode', 'refused', reason);
  } else if (mode && mode !== 'bridge' && mode !== 'default') {
    report.add(name, 'network_mode', 'refused', `The network mode ${mode} is not yet supported.`);
  }
  for (const network of Object.keys(service?.networks ?? {})) {
    if (network === 'default') continue;
    report.add(name, `networks.${network}`, 'approximated', oneNetwork);
  }
}
