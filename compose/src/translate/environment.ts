import type { V1EnvVar } from '@kubernetes/client-node';
import type { ComposeService } from '../project.ts';
import type { Route } from '../translation.ts';
import { compare, type Report } from './report.ts';

/** A container's variables: the service's own, and the environment's URLs where it does not set them itself. */
export function variables(
  name: string,
  service: ComposeService,
  routes: Route[],
  report: Report,
): V1EnvVar[] {
  const values = new Map(offeredUrls(routes));
  for (const [variable, value] of Object.entries(service.environment ?? {})) {
    if (value !== null) values.set(variable, value);
    else {
      const reason = `${variable} has no value in the settings or in .env; it is left unset.`;
      report.add(name, `environment.${variable}`, 'approximated', reason);
    }
  }
  return [...values]
    .sort(([a], [b]) => compare(a, b))
    .map(([variable, value]) => ({ name: variable, value: literal(value) }));
}

/** Text that Kubernetes leaves as it is: it would replace `$(NAME)` and shorten `$$`. */
export function literal(text: string): string {
  return /\$[$(]/.test(text) ? text.replaceAll('$', '$$$$') : text;
}

function offeredUrls(routes: Route[]): [string, string][] {
  const primary = routes.find(route => route.primary);
  const own = routes.map(({ service, url }): [string, string] => [
    `GREENROOM_URL_${service.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`,
    url,
  ]);
  return primary ? [['GREENROOM_URL', primary.url], ...own] : own;
}
