import { formatDuration, relativeDay, timeAgo } from '../time/format.ts';
import { useNow } from '../time/use-now.ts';

const exact = (at: string) =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** A time as people say it, exact on hover. `by="day"` says no more than the day. `at` is ISO 8601. */
export function RelativeTime({ at, by = 'minute' }: { at: string; by?: 'minute' | 'day' }) {
  const now = useNow(15);
  const text = by === 'day' ? relativeDay(Date.parse(at), now) : timeAgo(Date.parse(at), now);
  return (
    <time dateTime={at} title={exact(at)}>
      {text}
    </time>
  );
}

/** Time between two moments, in ISO 8601. Ticks while there is no end. */
export function Duration({ from, to }: { from: string; to: string | null }) {
  const now = useNow(to === null ? 1 : null);
  const seconds = ((to === null ? now : Date.parse(to)) - Date.parse(from)) / 1000;
  return <span style={{ fontVariantNumeric: 'tabular-nums' }}>{formatDuration(seconds)}</span>;
}
