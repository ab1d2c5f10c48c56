import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { GitHub } from './context.ts';
import { ApiError } from './errors.ts';

const headerSchema = z.object({ alg: z.literal('RS256') });
const claimsSchema = z.object({
  iss: z.union([z.string(), z.number()]),
  iat: z.number(),
  exp: z.number(),
});

/** The public half of a PEM key, private or public. */
export async function readAppKey(file: string): Promise<KeyObject> {
  return createPublicKey(await readFile(file, 'utf8'));
}

/** Checks an app's JWT as GitHub does: RS256, issued by the app's id or client id, at most 10 minutes long. */
export function verifyAppToken(github: GitHub, token: string): void {
  const undecodable = new ApiError(401, 'A JSON web token could not be decoded');
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = claimsSchema.safeParse(decode(payload));
  if (!headerSchema.safeParse(decode(header)).success || !claims.success) throw undecodable;
  const signed = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${payload}`),
    github.appKey,
    Buffer.from(signature, 'base64url'),
  );
  if (!signed) throw undecodable;

  const { iss, iat, exp } = claims.data;
  const seconds = Date.now() / 1000;
  if (![String(github.config.app.id), github.config.app.clientId].includes(String(iss))) {
    throw new ApiError(401, "'Issuer' claim ('iss') must be an Integer or the client ID of the app");
  }
  if (exp <= seconds) throw new ApiError(401, "'Expiration time' claim ('exp') must be in the future");
  if (exp - seconds > 660)
    throw new ApiError(401, "'Expiration time' claim ('exp') is too far in the future");
  if (iat > seconds + 60) throw new ApiError(401, "'Issued at' claim ('iat') must be in the past");
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
