const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Seconds as people write them: '8s', '1m 05s', '2h 04m', '3d 1h'. */
export function formatDuration(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds));
  const pad = (value: number) => String(value).padStart(2, '0');
  if (total < MINUTE) return `${total}s`;
  if (total < HOUR) return `${Math.floor(total / MINUTE)}m ${pad(total % MINUTE)}s`;
  if (total < DAY) return `${Math.floor(total / HOUR)}h ${pad(Math.floor((total % HOUR) / MINUTE))}m`;
  return `${Math.floor(total / DAY)}d ${Math.floor((total % DAY) / HOUR)}h`;
}

/** How long ago, for what is young: 'just now', '5 minutes ago', '3 hours ago', then as relativeDay. Times in ms. */
export function timeAgo(then: number, now: number): string {
  const seconds = (now - then) / 1000;
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return ago(Math.floor(seconds / MINUTE), 'minute');
  if (seconds < DAY) return ago(Math.floor(seconds / HOUR), 'hour');
  return relativeDay(then, now);
}

/** 'Today', 'Yesterday', 'N days ago' for under 7 days, else the date, by calendar days of the reader's time zone. */
export function relativeDay(then: number, now: number): string {
  const days = Math.round((midnight(now) - midnight(then)) / (DAY * 1000));
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days < 7) return `${days} days ago`;
  return new Date(then).toLocaleDateString(undefined, { year: 'numeric', month: 'short', day: 'numeric' });
}

const ago = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;
const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0);
