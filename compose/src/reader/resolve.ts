import type { Positions } from '../positions.ts';
import type { ComposeProject, ComposeService } from '../project.ts';
import { homeRoot, repositoryRoot } from './protocol.ts';

const sections = ['name', 'services', 'volumes', 'configs', 'secrets', 'networks'];

/** compose-go's output as our model, with the repository's paths relative to its root. */
export function toProject(output: unknown, file: string, positions: Positions): ComposeProject {
  // compose-go has validated it against the specification's schema.
  const raw = relativePaths(output) as Partial<ComposeProject>;
  return {
    name: raw.name ?? '',
    file,
    services: raw.services ?? {},
    volumes: raw.volumes ?? {},
    configs: raw.configs ?? {},
    secrets: raw.secrets ?? {},
    networks: raw.networks ?? {},
    otherKeys: Object.keys(raw).filter(key => !sections.includes(key) && !key.startsWith('x-')),
    files: {},
    positions,
  };
}

/** The repository paths that services mount, be they files or folders. */
export function mountedFiles(project: ComposeProject): string[] {
  const services = Object.values(project.services);
  const binds = services.flatMap(service => bindSources(service));
  const sources = [...Object.values(project.configs), ...Object.values(project.secrets)];
  const files = sources.flatMap(source => (source.file === undefined ? [] : [source.file]));
  return [...new Set([...binds, ...files])].filter(isRepositoryFile);
}

/** Whether a resolved path lies in the repository and below its root. */
export function isRepositoryFile(path: string): boolean {
  return !path.startsWith('/') && !path.startsWith('~') && path !== '.';
}

function bindSources(service: ComposeService): string[] {
  const binds = (service.volumes ?? []).filter(mount => mount.type === 'bind');
  return binds.flatMap(mount => (mount.source === undefined ? [] : [mount.source]));
}

/** A file's text could hold the root's name only by intent, and then means a path within the repository all the same. */
function relativePaths(value: unknown): unknown {
  if (typeof value === 'string') return relativePath(value);
  if (Array.isArray(value)) return value.map(relativePaths);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, relativePaths(inner)]));
}

function relativePath(path: string): string {
  if (path === repositoryRoot) return '.';
  if (path.startsWith(`${repositoryRoot}/`)) return path.slice(repositoryRoot.length + 1);
  return path.startsWith(homeRoot) ? `~${path.slice(homeRoot.length)}` : path;
}
