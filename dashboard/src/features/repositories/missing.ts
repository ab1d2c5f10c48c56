import type { Repository } from '#contract/entities.ts';

/** 'Missing: Compose file, Public service', as far as it applies; null for a repository that can be deployed. */
export function missing(
  repository: Pick<Repository, 'composeFilePath' | 'hasPrimaryService'>,
): string | null {
  const parts = [
    ...(repository.composeFilePath ? [] : ['Compose file']),
    ...(repository.hasPrimaryService ? [] : ['Public service']),
  ];
  return parts.length > 0 ? `Missing: ${parts.join(', ')}` : null;
}
