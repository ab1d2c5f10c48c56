import type { V1PodSecurityContext, V1SecurityContext } from '@kubernetes/client-node';
import type { ComposeService } from '../project.ts';
import { compare, type Report } from './report.ts';

/** What Docker gives containers by default and Pod Security `baseline` lets one ask for. */
const ordinary = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/** In Docker's default too, but of use to attackers only: forged packets and device nodes. */
const dropped = ['MKNOD', 'NET_RAW'];

/** What a container may do, within Pod Security `baseline`. */
export function containerSecurity(name: string, service: ComposeService, report: Report): V1SecurityContext {
  const add = capabilities(service.cap_add);
  const drop = capabilities(service.cap_drop);
  for (const capability of add.filter(one => !ordinary.has(one))) {
    const reason = `${capability} is not given to services: it would reach outside the environment. Remove it.`;
    report.add(name, 'cap_add', 'refused', reason);
  }
  for (const option of service.security_opt ?? []) {
    if (/^no-new-privileges([:=]true)?$/.test(option)) continue;
    const reason = `${option} is not offered; services run under the default seccomp profile and no-new-privileges.`;
    report.add(name, 'security_opt', 'refused', reason);
  }
  const kept = add.filter(one => ordinary.has(one));
  const all = drop.includes('ALL');
  return {
    allowPrivilegeEscalation: false,
    capabilities: {
      drop: all
        ? ['ALL']
        : [...new Set([...dropped, ...drop])].filter(one => !kept.includes(one)).sort(compare),
      ...(kept.length > 0 && { add: kept.sort(compare) }),
    },
    ...(service.read_only && { readOnlyRootFilesystem: true }),
  };
}

/** Who a pod's processes are. */
export function podSecurity(name: string, service: ComposeService, report: Report): V1PodSecurityContext {
  const groups = (service.group_add ?? []).map(String);
  for (const group of groups.filter(group => !isNumber(group))) {
    report.add(
      name,
      'group_add',
      'approximated',
      `The group ${group} is left out: Kubernetes takes numbers only.`,
    );
  }
  const numeric = groups.filter(isNumber).map(Number);
  return {
    seccompProfile: { type: 'RuntimeDefault' },
    ...user(name, service.user, report),
    ...(numeric.length > 0 && { supplementalGroups: numeric }),
  };
}

function user(name: string, text: string | undefined, report: Report): V1PodSecurityContext {
  if (!text) return {};
  const [who = '', group] = text.split(':').map(part => (part === 'root' ? '0' : part));
  if (!isNumber(who)) {
    const reason = `Kubernetes takes numbers only; the image's own user runs instead of ${who}.`;
    report.add(name, 'user', 'approximated', reason);
    return {};
  }
  if (group && !isNumber(group)) {
    report.add(
      name,
      'user',
      'approximated',
      `Kubernetes takes numbers only; the group ${group} is left out.`,
    );
  }
  return { runAsUser: Number(who), ...(group && isNumber(group) && { runAsGroup: Number(group) }) };
}

function capabilities(names: string[] | undefined): string[] {
  return (names ?? []).map(name => name.toUpperCase().replace(/^CAP_/, ''));
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}
