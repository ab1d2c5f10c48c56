import { describe, expect, it } from 'vitest';
import { formatDuration, relativeDay, timeAgo } from './format.ts';

const NOW = new Date(2026, 10, 21, 12, 0, 0).getTime();
const ago = (ms: number) => NOW - ms;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('formatDuration', () => {
  it.each([
    [-3, '0s'],
    [0.9, '0s'],
    [59.9, '59s'],
    [65, '1m 05s'],
    [3600, '1h 00m'],
    [7440, '2h 04m'],
    [90_000, '1d 1h'],
  ])('writes %s seconds as %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));
});

describe('timeAgo', () => {
  it.each([
    [-5000, 'just now'],
    [59_000, 'just now'],
    [60_000, '1 minute ago'],
    [5 * 60_000, '5 minutes ago'],
    [HOUR, '1 hour ago'],
    [11 * HOUR, '11 hours ago'],
    [30 * HOUR, 'Yesterday'],
  ])('%s ms ago is %s', (ms, text) => expect(timeAgo(ago(ms), NOW)).toBe(text));
});

describe('relativeDay', () => {
  it('counts calendar days, not spans of 24 hours', () => {
    expect(relativeDay(ago(11 * HOUR), NOW)).toBe('Today');
    expect(relativeDay(ago(13 * HOUR), NOW)).toBe('Yesterday');
  });

  it('says the number of days for under 7, else the date', () => {
    expect(relativeDay(ago(2 * DAY), NOW)).toBe('2 days ago');
    expect(relativeDay(ago(6 * DAY), NOW)).toBe('6 days ago');
    expect(relativeDay(ago(7 * DAY), NOW)).toMatch(/2026/);
  });
});
