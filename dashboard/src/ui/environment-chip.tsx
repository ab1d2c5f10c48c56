import { Badge } from '@mantine/core';
import type { Environment } from '#contract/entities.ts';

type Named = Pick<
  Environment,
  'environment_type' | 'branch_name' | 'pull_request_number' | 'pull_request_title'
>;

/** What the environment belongs to: a pull request or a branch. */
export function EnvironmentChip({ environment }: { environment: Named }) {
  const isBranch = environment.environment_type === 'branch';
  return (
    <Badge variant="outline" color={isBranch ? 'info' : 'neutral'} tt="none" style={{ flexShrink: 0 }}>
      {isBranch ? 'Branch' : 'PR'}
    </Badge>
  );
}

/** '#number - title' of a pull request, or the branch's name. */
export function environmentTitle(environment: Named): string {
  const { environment_type, branch_name, pull_request_number, pull_request_title } = environment;
  if (environment_type === 'branch') return branch_name;
  return `#${pull_request_number} - ${pull_request_title ?? branch_name}`;
}
