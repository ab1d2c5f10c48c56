import type { Environment, Repository } from '#contract/entities.ts';
import { Crumbs } from '../../ui/crumbs.tsx';
import { environmentTitle } from '../../ui/environment-chip.tsx';
import { TextLink } from '../../ui/links.tsx';

interface Props {
  repository: Repository | undefined;
  environment: Environment | undefined;
  ids: { id: string; environmentId: string };
  here: string;
}

/** Breadcrumbs of a deployment's pages. The links work before their names are known. */
export function DeploymentCrumbs({ repository, environment, ids, here }: Props) {
  return (
    <Crumbs
      between={[
        <TextLink key="repository" to="/repository/$id" params={{ id: ids.id }} size="sm">
          {repository?.full_name ?? 'Repository'}
        </TextLink>,
        <TextLink
          key="environment"
          to="/repository/$id/environment/$environmentId/deployments"
          params={ids}
          size="sm"
        >
          {environment ? environmentTitle(environment) : 'Deployments'}
        </TextLink>,
      ]}
      here={here}
    />
  );
}
