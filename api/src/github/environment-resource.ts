import { createHash } from 'node:crypto';
import type { Service } from '#contract/entities.ts';
import type { ServiceSettings } from '#crds/shared.ts';
import { API_GROUP_VERSION } from '#crds/vocabulary.ts';
import type { RepositoryDoc } from '../store/repositories.ts';

const NAME_LENGTH = 50;

/** What a delivery says about a pull request. */
export interface PullRequest {
  number: number;
  title: string;
  author: string;
  url: string;
  branch: string;
  commit: string;
}

/** Name of a pull request's PreviewEnvironment: a DNS label of at most 50 characters, unique per repository and number. */
export function environmentName(fullName: string, number: number): string {
  const suffix = createHash('sha256').update(fullName.toLowerCase()).digest('hex').slice(0, 5);
  const repository = fullName.split('/').at(-1) ?? '';
  const slug = repository
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_LENGTH - `pr-${number}--${suffix}`.length)
    .replace(/^-+|-+$/g, '');
  return ['pr', number, slug, suffix].filter(part => part !== '').join('-');
}

/** Name of the Secret with the token that reads the repository. */
export const sourceSecretName = (environment: string) => `${environment}-source`;

/** The PreviewEnvironment of a pull request, as it is applied. */
export function environmentResource(
  repository: RepositoryDoc,
  pull: PullRequest,
  options: { namespace: string; withSecret: boolean },
) {
  const name = environmentName(repository.full_name, pull.number);
  return {
    apiVersion: API_GROUP_VERSION,
    kind: 'PreviewEnvironment',
    metadata: { name, namespace: options.namespace },
    spec: {
      source: {
        url: repository.clone_url,
        ref: `refs/heads/${pull.branch}`,
        commit: pull.commit,
        ...(options.withSecret && { secretRef: { name: sourceSecretName(name) } }),
      },
      repository: repository.full_name,
      pullRequest: {
        number: pull.number,
        title: pull.title.slice(0, 512),
        author: pull.author,
        url: pull.url,
      },
      branch: pull.branch.slice(0, 255),
      ...(repository.compose_file && { composeFile: repository.compose_file }),
      services: repository.services.map(serviceSettings),
      prefix: repository.environment_prefix,
      maxDurationMinutes: repository.max_duration_minutes,
    },
  };
}

/** The token's Secret. With the environment's uid it goes when the environment goes. */
export function sourceSecret(namespace: string, environment: string, token: string, uid?: string) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: sourceSecretName(environment),
      namespace,
      ...(uid && {
        ownerReferences: [
          { apiVersion: API_GROUP_VERSION, kind: 'PreviewEnvironment', name: environment, uid },
        ],
      }),
    },
    type: 'Opaque',
    data: { token: Buffer.from(token).toString('base64') },
  };
}

function serviceSettings(service: Service): ServiceSettings {
  return {
    name: service.serviceName,
    exposure: service.isPrimary ? 'Primary' : service.isPublic ? 'External' : 'Internal',
    disabled: service.isDisabled,
    cpu: service.serviceCPULimit,
    memory: service.serviceMemoryLimit,
    buildCpu: service.buildCPULimit,
    buildMemory: service.buildMemoryLimit,
  };
}
