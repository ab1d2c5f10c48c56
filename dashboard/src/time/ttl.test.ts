import { expect, it } from 'vitest';
import { ttl } from './ttl.ts';

const MINUTE = 60_000;

it.each([
  [null, 'N/A', false],
  [-1, 'Expired', true],
  [0, 'Expired', true],
  [30_000, '1m', true],
  [59 * MINUTE, '59m', true],
  [60 * MINUTE, '1h 0m', true],
  [61 * MINUTE, '1h 1m', false],
  [8 * 60 * MINUTE, '8h 0m', false],
])('%s ms of life read %s', (left, text, urgent) => {
  const now = 1_000_000;
  expect(ttl(left === null ? null : now + left, now)).toEqual({ text, urgent });
});
