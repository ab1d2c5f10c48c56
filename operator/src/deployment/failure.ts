import type { KubeClient } from '../kube/client.ts';
import type { Outcome } from './phase.ts';

const LINES = 15;

/** The failure with the last lines of the log that explains it. */
export async function withLogs(
  failure: NonNullable<Outcome['failure']>,
  client: KubeClient,
): Promise<NonNullable<Outcome['failure']>> {
  if (!failure.logs) return failure;
  const { namespace, pod, previous } = failure.logs;
  const log = await client.log(namespace, pod, { lines: LINES, previous });
  const lines = log?.trimEnd();
  return lines ? { ...failure, message: `${failure.message}. Last lines of its log:\n${lines}` } : failure;
}
