const WARNING_MINUTES = 60;

export interface Ttl {
  text: string;
  /** Little time is left, or none. */
  urgent: boolean;
}

/** How long an environment still lives. `expiresAt` in ms, null when unknown. */
export function ttl(expiresAt: number | null, now: number): Ttl {
  if (expiresAt === null) return { text: 'N/A', urgent: false };
  const left = (expiresAt - now) / 60_000;
  if (left <= 0) return { text: 'Expired', urgent: true };
  const minutes = Math.ceil(left);
  const text = minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
  return { text, urgent: left <= WARNING_MINUTES };
}
