import type { V1PersistentVolumeClaim, V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import type { ComposeMount, ComposeProject, ComposeService } from '../project.ts';
import { type MountedFile, textFile } from './files.ts';
import { mountKeys } from './keys.ts';
import { objectName } from './names.ts';
import type { Report } from './report.ts';
import { memoryText, toBytes } from './resources.ts';

/** What a service's `volumes`, `tmpfs` and `shm_size` come to. */
export interface ServiceVolumes {
  volumes: V1Volume[];
  mounts: V1VolumeMount[];
  files: MountedFile[];
  /** Holds a volume that one pod at a time should write to. */
  holdsData: boolean;
}

const clock = new Set(['/etc/localtime', '/etc/timezone']);

/** Sorts a service's mounts into claims, memory, and files; refuses what would reach outside the repository. */
export function serviceVolumes(
  project: ComposeProject,
  name: string,
  claims: Map<string, string>,
  report: Report,
): ServiceVolumes {
  const service = project.services[name] ?? {};
  const result: ServiceVolumes = { volumes: [], mounts: [], files: [], holdsData: false };
  (service.volumes ?? []).forEach((mount, index) => {
    const key = `volumes.${index}`;
    reportOptions(name, key, mount, report);
    if (mount.type === 'volume') addVolume(result, name, key, mount, claims, report);
    else if (mount.type === 'tmpfs') addMemory(result, mount.target, mount.tmpfs?.size);
    else if (mount.type === 'bind') addBind(result, project, name, key, mount, report);
    else report.add(name, key, 'refused', `Mounts of the type ${mount.type} are not supported.`);
  });
  for (const entry of service.tmpfs ?? []) {
    const [target = '', options = ''] = entry.split(':');
    addMemory(result, target, /(?:^|,)size=(\d+[kmgt]?)(?:,|$)/i.exec(options)?.[1]);
  }
  if (service.shm_size !== undefined) addMemory(result, '/dev/shm', service.shm_size);
  return result;
}

/** One claim per named volume that a service uses, by its compose name. */
export function volumeClaims(
  project: ComposeProject,
  claims: Map<string, string>,
  report: Report,
): V1PersistentVolumeClaim[] {
  return [...claims].map(([volume, name]) => {
    const { driver, driver_opts, external } = project.volumes[volume] ?? {};
    const key = `volumes.${volume}`;
    if (external)
      report.add('', key, 'approximated', 'It is external; the environment gets an empty one of its own.');
    else if (driver && driver !== 'local')
      report.add('', key, 'refused', `The driver ${driver} is not offered.`);
    else if (driver_opts?.type === 'tmpfs')
      report.add('', key, 'approximated', 'It is kept on disk, not in memory.');
    else if (driver_opts && Object.keys(driver_opts).length > 0) {
      report.add('', key, 'refused', 'Its driver_opts reach outside the environment. Remove them.');
    } else report.add('', key, 'supported');
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
  });
}

/** The named volumes that services use. */
export function usedVolumes(project: ComposeProject): string[] {
  const mounts = Object.values(project.services).flatMap(service => service.volumes ?? []);
  const named = mounts.flatMap(({ type, source }) => (type === 'volume' && source ? [source] : []));
  return [...new Set(named)];
}

function addVolume(
  result: ServiceVolumes,
  service: string,
  key: string,
  mount: ComposeMount,
  claims: Map<string, string>,
  report: Report,
): void {
  const claimName = claims.get(mount.source ?? '');
  if (!claimName) {
    const reason = "The image's own content at that path is used; it lasts as long as the container.";
    report.add(service, key, 'approximated', reason);
    return;
  }
  if (!mount.volume?.nocopy) {
    const reason = 'The volume starts empty, without what the image has at that path.';
    report.add(service, key, 'approximated', reason);
  }
  const volume = `volume-${objectName(mount.source ?? '', 56)}`;
  if (!result.volumes.some(({ name }) => name === volume)) {
    result.volumes.push({ name: volume, persistentVolumeClaim: { claimName } });
  }
  result.mounts.push({
    name: volume,
    mountPath: mount.target,
    ...(mount.read_only && { readOnly: true }),
    ...(mount.volume?.subpath && { subPath: mount.volume.subpath }),
  });
  result.holdsData = true;
}

function addMemory(result: ServiceVolumes, mountPath: string, size: string | number | undefined): void {
  const name = `memory-${result.volumes.length}`;
  const bytes = size === undefined ? 0 : toBytes(binary(String(size)));
  result.volumes.push({
    name,
    emptyDir: { medium: 'Memory', ...(bytes > 0 && { sizeLimit: memoryText(bytes) }) },
  });
  result.mounts.push({ name, mountPath });
}

function addBind(
  result: ServiceVolumes,
  project: ComposeProject,
  name: string,
  key: string,
  mount: ComposeMount,
  report: Report,
): void {
  const source = mount.source ?? '';
  const refuse = (reason: string) => report.add(name, key, 'refused', reason);
  if (/\/(docker|containerd|podman)[^/]*\.sock$/.test(source)) {
    refuse(
      "Services do not get the container engine's socket. Leave the service out of the preview, or remove the mount.",
    );
  } else if (clock.has(source)) {
    report.add(name, key, 'approximated', "The image's own time zone is used; set TZ to change it.");
  } else if (source.startsWith('/') || source.startsWith('~')) {
    refuse(
      `${source} lies outside the repository. Use a named volume for data, or a file of the repository.`,
    );
  } else if (project.files[source] !== undefined) {
    const content = textFile(project, source, refuse);
    if (content === undefined) return;
    const mode = content.startsWith('#!') ? 0o755 : 0o644;
    result.files.push({ target: mount.target, content, mode, secret: false });
    if (!mount.read_only) {
      report.add(name, key, 'approximated', 'The file can be read, not written.');
    }
  } else if (isSourceTree(source, project.services[name])) {
    const reason = `What the image built is used; laying ${source} over it is for work on a laptop.`;
    report.add(name, key, 'approximated', reason);
  } else {
    refuse(
      `There is no file ${source} in the repository, and folders are not yet mounted. Use a named volume for data.`,
    );
  }
}

/** Whether a bind lays code over the code that an image is built from. */
function isSourceTree(source: string, service: ComposeService | undefined): boolean {
  const context = service?.build?.context;
  if (context === undefined) return false;
  const within = (inner: string, outer: string) =>
    outer === '.' || inner === outer || inner.startsWith(`${outer}/`);
  return within(source, context) || within(context, source);
}

function reportOptions(service: string, key: string, mount: ComposeMount, report: Report): void {
  for (const [option, value] of Object.entries(mount)) {
    if (isEmpty(value)) continue;
    const rule = mountKeys[option] ?? {
      verdict: 'refused' as const,
      reason: 'It is not known to Greenroom.',
    };
    if (rule.verdict !== 'supported') report.add(service, `${key}.${option}`, rule.verdict, rule.reason);
  }
}

/** compose-go writes objects without content where nothing was said. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Docker's sizes are binary: `64m` is 64 MiB. */
function binary(size: string): string {
  return size.replace(/([kmgt])b?$/i, unit => `${unit[0]?.toUpperCase()}i`);
}
