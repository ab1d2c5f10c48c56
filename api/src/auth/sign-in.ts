import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { newToken, open, seal } from '../secrets.ts';

const PURPOSE = 'sign-in';
const LIFETIME_S = 10 * 60;
const SIGN_IN_COOKIE = 'greenroom_sign_in';

const attemptSchema = z.object({ state: z.string(), verifier: z.string(), expires: z.number() });

/** A sign-in that was started in one browser: only that browser, holding the cookie, can finish it. */
export interface Attempt {
  state: string;
  /** PKCE's code verifier, and the challenge that GitHub is shown. */
  verifier: string;
  challenge: string;
  cookie: string;
}

/** Starts a sign-in. State and verifier travel in a sealed, HttpOnly cookie, so no server needs to remember them. */
export function startAttempt(key: Buffer, secure: boolean, now: number): Attempt {
  const state = newToken();
  const verifier = newToken();
  const sealed = seal(key, PURPOSE, JSON.stringify({ state, verifier, expires: now + LIFETIME_S * 1000 }));
  return {
    state,
    verifier,
    challenge: createHash('sha256').update(verifier).digest('base64url'),
    cookie: cookie(sealed, LIFETIME_S, secure),
  };
}

/** The verifier of the sign-in whose cookie and state these are; undefined when they do not belong together or are too old. */
export function finishAttempt(key: Buffer, cookies: string, state: string, now: number): string | undefined {
  const value = cookies
    .split(';')
    .map(each => each.trim())
    .find(each => each.startsWith(`${SIGN_IN_COOKIE}=`))
    ?.slice(SIGN_IN_COOKIE.length + 1);
  const text = value && open(key, PURPOSE, value);
  const attempt = text ? attemptSchema.parse(JSON.parse(text)) : undefined;
  if (!attempt || attempt.expires < now || !same(attempt.state, state)) return undefined;
  return attempt.verifier;
}

/** Removes the cookie: a sign-in is finished once. */
export const clearAttempt = (secure: boolean) => cookie('', 0, secure);

const cookie = (value: string, maxAge: number, secure: boolean) =>
  `${SIGN_IN_COOKIE}=${value}; Path=/api; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

function same(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}
