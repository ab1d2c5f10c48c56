import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import { WAITING_HEADER } from './waiting-page.ts';

const TIMEOUT_MS = 5_000;

/** What an external check of a URL found. */
export interface HealthCheck {
  healthy: boolean;
  /** For people: `HTTP 200`, or why there was no answer. */
  detail: string;
}

/**
 * Requests a public URL from outside, through the ingress controller. Any answer below 500 that comes from the service
 * counts: a preview may well want a login or have nothing at `/`.
 * @param via address of the ingress controller where the URL's host name cannot be resolved from here
 */
export function checkUrl(url: string, via: string | undefined): Promise<HealthCheck> {
  const target = new URL(url);
  const address = new URL(via ?? url);
  return new Promise(resolve => {
    const send = address.protocol === 'https:' ? requestTls : request;
    const sent = send(
      {
        hostname: address.hostname,
        port: address.port,
        path: target.pathname,
        headers: { host: target.host, 'user-agent': 'greenroom-health-check' },
        servername: target.hostname,
        timeout: TIMEOUT_MS,
      },
      response => {
        response.resume();
        const status = response.statusCode ?? 0;
        if (response.headers[WAITING_HEADER])
          resolve({ healthy: false, detail: 'its route is not in force yet' });
        resolve({ healthy: status > 0 && status < 500, detail: `HTTP ${status}` });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    sent.on('error', error => resolve({ healthy: false, detail: error.message }));
    sent.end();
  });
}
