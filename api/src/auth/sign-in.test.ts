import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { finishAttempt, startAttempt } from './sign-in.ts';

describe('a sign-in', () => {
  const key = randomBytes(32);
  const now = Date.parse('2026-01-02T03:04:05Z');
  const attempt = startAttempt(key, true, now);
  const cookie = attempt.cookie.split(';')[0] ?? '';

  it('is finished by the browser and state that started it', () => {
    expect(finishAttempt(key, `other=1; ${cookie}`, attempt.state, now + 1000)).toBe(attempt.verifier);
    expect(createHash('sha256').update(attempt.verifier).digest('base64url')).toBe(attempt.challenge);
  });

  it('is not finished with another state, another browser, another key, or after ten minutes', () => {
    expect(finishAttempt(key, cookie, 'x', now)).toBeUndefined();
    expect(finishAttempt(key, '', attempt.state, now)).toBeUndefined();
    expect(finishAttempt(randomBytes(32), cookie, attempt.state, now)).toBeUndefined();
    expect(finishAttempt(key, cookie, attempt.state, now + 601_000)).toBeUndefined();
  });

  it('keeps its cookie from scripts and from clear-text connections', () => {
    expect(attempt.cookie).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
    expect(attempt.cookie).not.toContain(attempt.state);
  });
});
