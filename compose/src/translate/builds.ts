import { isAbsolute, join, normalize } from 'node:path/posix';
import type { ComposeProject } from '../project.ts';
import type { Build } from '../translation.ts';
import { compare, type Report, sortedEntries } from './report.ts';

/** The images to build, by service. */
export function builds(project: ComposeProject): Build[] {
  const all = Object.entries(project.services).flatMap(([service, { build }]): Build[] => {
    if (!build) return [];
    const context = normalize(build.context ?? '.');
    const args = sortedEntries(build.args).filter((entry): entry is [string, string] => entry[1] !== null);
    return [
      {
        service,
        context,
        dockerfile: pathFrom(context, build.dockerfile ?? 'Dockerfile'),
        ...(build.dockerfile_inline && { dockerfileInline: build.dockerfile_inline }),
        args: Object.fromEntries(args),
        ...(build.target && { target: build.target }),
      },
    ];
  });
  return all.sort((a, b) => compare(a.service, b.service));
}

/** Refuses what lies outside the repository. */
export function reportBuilds(project: ComposeProject, report: Report): void {
  for (const { service, context, dockerfile } of builds(project)) {
    const original = project.services[service]?.build?.context ?? '.';
    if (/^(https?|git|ssh):|^git@|^github\.com\//.test(original)) {
      report.add(
        service,
        'build.context',
        'refused',
        'Contexts from other repositories are not yet supported.',
      );
    } else if (isOutside(context)) {
      report.add(service, 'build.context', 'refused', `${original} lies outside the repository.`);
    } else if (isOutside(dockerfile)) {
      report.add(service, 'build.dockerfile', 'refused', `${dockerfile} lies outside the repository.`);
    }
  }
  for (const [name, service] of Object.entries(project.services)) {
    if (!service.build && !service.image)
      report.add(name, 'image', 'refused', 'It has neither image nor build.');
  }
}

function pathFrom(folder: string, path: string): string {
  return isAbsolute(path) ? path : normalize(join(folder, path));
}

function isOutside(path: string): boolean {
  return isAbsolute(path) || path.startsWith('~') || path === '..' || path.startsWith('../');
}
