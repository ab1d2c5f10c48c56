import type { Links } from '../links.ts';
import type { Delivery, Hook } from '../state.ts';

/** GitHub's `hook`; its secret is never shown again. */
export function renderHook(hook: Hook, last: Delivery | undefined, links: Links, repository: string) {
  const url = `${links.api}/repos/${repository}/hooks/${hook.id}`;
  return {
    type: 'Repository',
    id: hook.id,
    name: 'web',
    active: hook.active,
    events: hook.events,
    config: {
      content_type: hook.contentType,
      insecure_ssl: hook.insecureSsl,
      url: hook.url,
      ...(hook.secret !== null && { secret: '********' }),
    },
    created_at: hook.createdAt,
    updated_at: hook.updatedAt,
    url,
    test_url: `${url}/tests`,
    ping_url: `${url}/pings`,
    deliveries_url: `${url}/deliveries`,
    last_response: last
      ? {
          code: last.statusCode,
          status: last.statusCode < 400 ? 'active' : 'invalid_http_response',
          message: last.status,
        }
      : { code: null, status: 'unused', message: null },
  };
}
