import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Tokens and codes are kept as this hash, never in clear. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A random secret in GitHub's form: `ghs_`, `ghu_` and so on, then 36 letters and digits. */
export const newToken = (prefix: string): string =>
  `${prefix}_${randomBytes(48)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 36)}`;

/** Compares without telling by its time how much was right. */
export const sameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(a)), Buffer.from(hashOf(b)));
