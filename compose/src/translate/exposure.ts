import type { ComposePort, ComposeProject, ComposeService } from '../project.ts';
import type { Exposure, Route, TranslationSettings } from '../translation.ts';
import { compare, type Report } from './report.ts';

const datastores =
  /^(postgres|postgis|pgvector|timescaledb|mysql|mariadb|percona|mssql|mongo|mongodb|redis|valkey|keydb|memcached|cassandra|couchdb|neo4j|influxdb|elasticsearch|opensearch|rabbitmq|kafka|zookeeper|nats|minio|etcd|clickhouse|cockroach|azure-sql-edge)/;
const unlikely = new Set([22, 25, 443, 8443]);

/** Who may reach each service: what the settings say, or else the defaults worked out from names and ports. */
export function exposures(project: ComposeProject, settings: TranslationSettings): Map<string, Exposure> {
  const names = Object.keys(project.services);
  if (settings.services.length > 0) {
    const set = new Map(settings.services.map(({ name, exposure }) => [name, exposure]));
    return new Map(names.map(name => [name, set.get(name) ?? 'Internal']));
  }
  return defaultExposures(project);
}

/**
 * A single service is the primary. Otherwise names with `api` are external, and the primary is the only service that
 * publishes a port and is no datastore, else the first whose name contains `app` or `web`, else `front`, else the
 * first that publishes a port. Services are taken in the order of the file.
 */
export function defaultExposures(project: ComposeProject): Map<string, Exposure> {
  const line = (name: string) => project.positions[`services.${name}`]?.line ?? 0;
  const names = Object.keys(project.services).sort((a, b) => line(a) - line(b) || compare(a, b));
  const answers = names.filter(name => routedPort(project.services[name]) !== undefined);
  const publishing = answers.filter(name => {
    const service = project.services[name];
    return (service?.ports ?? []).length > 0 && !isDatastore(service);
  });
  const isApi = (name: string) => /api/i.test(name);
  const named = answers.filter(
    name => /app|web/i.test(name) && !isApi(name) && !isDatastore(project.services[name]),
  );
  const single = names.length === 1 ? answers[0] : undefined;
  const only = publishing.length === 1 ? publishing[0] : undefined;
  const front = publishing.find(name => /front/i.test(name)) ?? publishing.find(name => !isApi(name));
  const primary = single ?? only ?? named[0] ?? front ?? publishing[0];
  const exposure = (name: string): Exposure => {
    if (name === primary) return 'Primary';
    return isApi(name) && answers.includes(name) ? 'External' : 'Internal';
  };
  return new Map(names.map(name => [name, exposure(name)]));
}

/** The container's port that visitors reach: of the published ones, then of the exposed ones, the likeliest for HTTP. */
export function routedPort(service: ComposeService | undefined): number | undefined {
  const published = (service?.ports ?? []).filter(isTcp).map(port => port.target);
  const exposed = (service?.expose ?? [])
    .filter(port => !port.endsWith('/udp'))
    .map(port => Number.parseInt(port, 10));
  const ports = published.length > 0 ? published : exposed;
  return ports.find(port => !unlikely.has(port)) ?? ports[0];
}

/** The routes of an environment, the primary one first. */
export function routes(project: ComposeProject, settings: TranslationSettings, report: Report): Route[] {
  const found: Route[] = [];
  for (const [service, exposure] of exposures(project, settings)) {
    if (exposure === 'Internal') continue;
    const port = routedPort(project.services[service]);
    if (port === undefined) {
      const reason = `${service} is to be reached from outside, and names no TCP port. Add it under ports or expose.`;
      report.add(service, 'ports', 'refused', reason);
      continue;
    }
    const primary = exposure === 'Primary';
    const host = settings.host(service, primary);
    found.push({ service, primary, host, url: urlOf(host, settings.urls), port });
  }
  return found.sort((a, b) => Number(b.primary) - Number(a.primary) || compare(a.service, b.service));
}

function urlOf(host: string, { scheme, port }: TranslationSettings['urls']): string {
  const standard = port === undefined || port === (scheme === 'https' ? 443 : 80);
  return standard ? `${scheme}://${host}` : `${scheme}://${host}:${port}`;
}

function isTcp(port: ComposePort): boolean {
  return (port.protocol ?? 'tcp') === 'tcp';
}

function isDatastore(service: ComposeService | undefined): boolean {
  const image = service?.image?.split('/').at(-1) ?? '';
  return !service?.build && datastores.test(image);
}
