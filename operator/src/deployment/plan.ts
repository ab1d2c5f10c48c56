import { findComposeFile, readProject } from '#compose/read.ts';
import { listBuilds, translate } from '#compose/translate.ts';
import type { Build, Translation } from '#compose/translation.ts';
import type { DeploymentSpec } from '#crds/deployment.ts';
import type { Reason } from '#crds/vocabulary.ts';
import { buildIdentity, dockerfileInContext, imageRepository } from '../build/identity.ts';
import { publicHost } from '../environment/names.ts';
import type { KubeObject } from '../kube/resources.ts';
import { type Checkout, fetchCommit, type Remote } from '../source/git.ts';

/** Why a commit cannot be deployed as it is; trying again does not help. */
export class Undeployable extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Everything that a deployment will do, worked out before anything is done. */
export interface Plan {
  builds: (Build & { image: string })[];
  rollout: Translation['rollout'];
  routes: Translation['routes'];
  /** All objects of the environment but its isolation. */
  objects: KubeObject[];
  composeFile: string;
}

export interface PlanSettings {
  registry: string;
  domain: string;
  scheme: 'http' | 'https';
  port?: number;
  ingressClassName?: string;
  labels: Record<string, string>;
}

/**
 * Reads the commit and translates its compose file.
 * @throws Undeployable for what the author of the commit must change; other errors are worth another try
 */
export async function makePlan(spec: DeploymentSpec, remote: Remote, settings: PlanSettings): Promise<Plan> {
  const checkout = await fetchCommit(remote, spec.source.commit ?? '');
  try {
    const composeFile = await chooseComposeFile(spec, checkout);
    const { project, problems } = await readProject({
      composeFile,
      readFile: checkout.readFile,
      projectName: spec.environment,
    });
    if (!project) throw new Undeployable('ComposeInvalid', problems.map(located).join('\n'));
    const services = spec.services.map(({ name, exposure, disabled, cpu, memory }) => ({
      name,
      exposure,
      disabled,
      resources: { ...(cpu && { cpu }), ...(memory && { memory }) },
    }));
    const disabled = new Set(services.filter(service => service.disabled).map(({ name }) => name));
    const builds = await Promise.all(
      listBuilds(project)
        .filter(({ service }) => !disabled.has(service))
        .map(async build => ({ ...build, image: await imageOf(build, checkout, spec, settings.registry) })),
    );
    const translation = translate(project, {
      namespace: spec.namespace,
      labels: settings.labels,
      services,
      limits: spec.serviceLimits,
      images: Object.fromEntries(builds.map(({ service, image }) => [service, image])),
      host: (service, primary) => publicHost(spec.namespace, service, primary, settings.domain),
      urls: { scheme: settings.scheme, ...(settings.port && { port: settings.port }) },
      ...(settings.ingressClassName && { ingressClassName: settings.ingressClassName }),
    });
    const refused = translation.report.filter(({ verdict }) => verdict === 'refused');
    if (refused.length > 0) {
      const lines = refused.map(finding =>
        located({ ...finding, message: `${finding.key}: ${finding.reason ?? ''}` }),
      );
      throw new Undeployable('ComposeRefused', lines.join('\n'));
    }
    const { rollout, routes } = translation;
    // The library's types hold times as Date and leave names optional; what translation makes has names and no times.
    return { builds, rollout, routes, objects: translation.objects as unknown as KubeObject[], composeFile };
  } finally {
    await checkout.close();
  }
}

async function chooseComposeFile(spec: DeploymentSpec, checkout: Checkout): Promise<string> {
  if (spec.composeFile) return spec.composeFile;
  const [first] = findComposeFile(await checkout.files());
  if (first) return first;
  throw new Undeployable(
    'ComposeFileNotFound',
    'The repository has no compose.yaml or docker-compose.yml at this commit: add one, or set composeFile to its path',
  );
}

async function imageOf(
  build: Build,
  checkout: Checkout,
  spec: DeploymentSpec,
  registry: string,
): Promise<string> {
  const treeHash = await checkout.treeHash(build.context);
  if (!treeHash) {
    throw new Undeployable(
      'ComposeInvalid',
      `build context ${build.context} of ${build.service} is no folder of the repository`,
    );
  }
  const dockerfile = dockerfileInContext(build);
  if (
    !build.dockerfileInline &&
    (await checkout.readFile(`${build.context}/${dockerfile}`.replace(/^\.\//, ''))) === undefined
  ) {
    throw new Undeployable(
      'ComposeInvalid',
      `${build.service}: there is no ${dockerfile} in build context ${build.context}`,
    );
  }
  return `${imageRepository(registry, spec.source.url, build.service)}:${buildIdentity(build, treeHash)}`;
}

function located(problem: {
  file: string;
  line: number;
  column: number;
  message: string;
  hint?: string;
}): string {
  const { file, line, column, message, hint } = problem;
  return `${file}:${line}:${column} ${message}${hint ? ` (${hint})` : ''}`;
}
