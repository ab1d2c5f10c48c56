import type { V1Probe } from '@kubernetes/client-node';
import type { ComposeHealthcheck } from '../project.ts';
import type { Report } from './report.ts';

const largestCount = 2_147_483_647;

/** The probes of a container. */
export interface Probes {
  readinessProbe?: V1Probe;
  startupProbe?: V1Probe;
}

/**
 * A healthcheck decides readiness and nothing else: in compose, too, an unhealthy container is not restarted. During
 * the start period it is asked at the start interval, which never gives up; then at the interval. A routed service
 * without one is ready once its port accepts connections, so that an update loses no request.
 */
export function probes(
  service: string,
  check: ComposeHealthcheck | undefined,
  port: number | undefined,
  report: Report,
): Probes {
  const command = check && !check.disable ? probeCommand(check.test) : undefined;
  if (check && !check.disable && !check.test?.length) {
    const reason = "The image's own healthcheck is not known here; write its test into the file.";
    report.add(service, 'healthcheck', 'approximated', reason);
  }
  if (!check || !command) return port === undefined ? {} : { readinessProbe: tcpProbe(port) };
  const interval = seconds(check.interval, 30);
  const timeoutSeconds = seconds(check.timeout, 30);
  const readinessProbe: V1Probe = {
    exec: { command },
    periodSeconds: interval,
    timeoutSeconds,
    failureThreshold: Math.max(1, check.retries ?? 3),
  };
  if (milliseconds(check.start_period ?? '0s') === 0) return { readinessProbe };
  const periodSeconds = seconds(check.start_interval, 5);
  const startupProbe = { exec: { command }, periodSeconds, timeoutSeconds, failureThreshold: largestCount };
  return { readinessProbe, startupProbe };
}

/** A duration as compose-go writes it (`1m30s`, `500ms`), in milliseconds. */
export function milliseconds(duration: string): number {
  const units: Record<string, number> = {
    h: 3_600_000,
    m: 60_000,
    s: 1000,
    ms: 1,
    us: 0.001,
    µs: 0.001,
    ns: 0.000001,
  };
  const parts = duration.matchAll(/([\d.]+)(h|ms|m|s|us|µs|ns)/g);
  return [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0), 0);
}

/** Whole seconds, at least one, as Kubernetes wants them. */
export function seconds(duration: string | undefined, fallback: number): number {
  const given = duration === undefined ? 0 : milliseconds(duration);
  return given === 0 ? fallback : Math.max(1, Math.ceil(given / 1000));
}

function probeCommand(test: string[] | undefined): string[] | undefined {
  const [form, ...words] = test ?? [];
  if (form === 'CMD') return words;
  if (form === 'CMD-SHELL') return ['/bin/sh', '-c', words.join(' ')];
  return undefined;
}

function tcpProbe(port: number): V1Probe {
  return { tcpSocket: { port }, periodSeconds: 2, timeoutSeconds: 1, failureThreshold: 3 };
}
