import type { V1ConfigMap, V1Secret, V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import type { ComposeFileMount, ComposeFileSource, ComposeProject } from '../project.ts';
import { isRepositoryFile } from '../reader/resolve.ts';
import { objectName, shortHash } from './names.ts';
import { compare, type Report } from './report.ts';

/** A file that a container sees, with its content. */
export interface MountedFile {
  target: string;
  content: string;
  mode: number;
  secret: boolean;
}

/** What a part adds to a pod, and the objects that this needs. */
export interface Mounted<T> {
  objects: T[];
  volumes: V1Volume[];
  mounts: V1VolumeMount[];
}

const largestObject = 900 * 1024;

/** The files that a service's `configs` and `secrets` give it. */
export function configuredFiles(project: ComposeProject, name: string, report: Report): MountedFile[] {
  const service = project.services[name];
  const of = (key: 'configs' | 'secrets') =>
    (service?.[key] ?? []).flatMap((mount): MountedFile[] => {
      const content = contentOf(project, project[key][mount.source], problem =>
        report.add(name, key, 'refused', `${mount.source}: ${problem}`),
      );
      if (content === undefined) return [];
      if (mount.uid || mount.gid) {
        report.add(name, key, 'approximated', `${mount.source} belongs to root; everyone may read it.`);
      }
      return [{ target: targetOf(key, mount), content, mode: modeOf(mount), secret: key === 'secrets' }];
    });
  return [...of('configs'), ...of('secrets')];
}

/**
 * Files as volumes: one ConfigMap and one Secret per service. Their names carry a hash of the content, so that a pod is
 * replaced when a file changes and only then.
 */
export function mountFiles(
  service: string,
  files: MountedFile[],
  report: Report,
): Mounted<V1ConfigMap | V1Secret> {
  const kinds = [false, true].map(secret => files.filter(file => file.secret === secret));
  const parts = kinds.filter(group => group.length > 0).map(group => mountGroup(service, group, report));
  return {
    objects: parts.map(part => part.object),
    volumes: parts.map(part => part.volume),
    mounts: parts.flatMap(part => part.mounts),
  };
}

function mountGroup(service: string, group: MountedFile[], report: Report) {
  const sorted = group.toSorted((a, b) => compare(a.target, b.target));
  const entries = sorted.map((file, index) => ({ ...file, key: `${index}-${baseName(file.target)}` }));
  const data = Object.fromEntries(entries.map(({ key, content }) => [key, content]));
  const secret = group.some(file => file.secret);
  const key = secret ? 'secrets' : 'configs';
  if (Buffer.byteLength(JSON.stringify(data)) > largestObject) {
    report.add(service, key, 'refused', `Its files are larger than ${largestObject / 1024} KiB together.`);
  }
  const kind = secret ? 'secrets' : 'files';
  const name = `${objectName(service, 46)}-${kind}-${shortHash(JSON.stringify(data))}`;
  const items = entries.map(({ key, mode }) => ({ key, path: key, mode }));
  const metadata = { name };
  const object: V1ConfigMap | V1Secret = secret
    ? { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: base64(data), immutable: true }
    : { apiVersion: 'v1', kind: 'ConfigMap', metadata, data, immutable: true };
  const volume: V1Volume = secret
    ? { name: kind, secret: { secretName: name, items } }
    : { name: kind, configMap: { name, items } };
  const mounts = entries.map(({ key, target }) => ({
    name: kind,
    mountPath: target,
    subPath: key,
    readOnly: true,
  }));
  return { object, volume, mounts };
}

function contentOf(
  project: ComposeProject,
  source: ComposeFileSource | undefined,
  refuse: (reason: string) => void,
): string | undefined {
  if (source?.content !== undefined) return source.content;
  if (source?.file !== undefined) return textFile(project, source.file, refuse);
  if (source?.environment !== undefined)
    refuse(`the variable ${source.environment} has no value in the settings.`);
  else refuse('it is external, and nothing exists outside the environment. Give it a file or content.');
  return undefined;
}

/** A repository file's text, or the reason why it cannot be mounted. */
export function textFile(
  project: ComposeProject,
  path: string,
  refuse: (reason: string) => void,
): string | undefined {
  const content = project.files[path];
  if (!isRepositoryFile(path)) refuse(`${path} lies outside the repository.`);
  else if (content === undefined) refuse(`There is no file ${path} in the repository.`);
  else if (/[\0\uFFFD]/.test(content))
    refuse(`${path} is not text. Mounting binary files is not yet supported.`);
  else return content;
  return undefined;
}

function targetOf(key: 'configs' | 'secrets', { source, target }: ComposeFileMount): string {
  const folder = key === 'secrets' ? '/run/secrets/' : '/';
  if (!target) return `${folder}${source}`;
  return target.startsWith('/') ? target : `${folder}${target}`;
}

function modeOf({ mode }: ComposeFileMount): number {
  return mode === undefined ? 0o444 : Number.parseInt(mode, 8);
}

function baseName(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/[^\w.-]/g, '_').slice(0, 100);
}

function base64(data: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
}
