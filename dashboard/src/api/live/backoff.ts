/** Milliseconds before attempt number `attempt` (from 0): 0.5 s doubling to 15 s, spread by `random` (0 to 1) by half. */
export function backoffMs(attempt: number, random: number): number {
  const full = Math.min(500 * 2 ** attempt, 15_000);
  return full / 2 + (full / 2) * random;
}
