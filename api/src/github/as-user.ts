import { type Octokit, RequestError } from 'octokit';
import type { Context } from '../context.ts';
import { HttpError, ReauthRequired } from '../http/errors.ts';
import { open, seal } from '../secrets.ts';
import type { UserDoc } from '../store/users.ts';
import type { UserTokens } from './clients.ts';

const PURPOSE = 'github-token';
const REFRESH_BEFORE_MS = 5 * 60_000;

/** The fields of a user that hold GitHub's tokens, sealed. */
export function sealTokens(key: Buffer, tokens: UserTokens) {
  return {
    github_token: seal(key, PURPOSE, tokens.token),
    github_token_expires_at: tokens.expiresAt,
    github_refresh_token: tokens.refreshToken && seal(key, PURPOSE, tokens.refreshToken),
  };
}

/**
 * Calls GitHub with the person's own token, so that GitHub decides what they may see. Throws ReauthRequired when GitHub
 * no longer takes the token, a 404 HttpError for `what`, and a 502 when GitHub does not answer properly.
 */
export async function asUser<T>(
  context: Context,
  user: UserDoc,
  what: string,
  call: (octokit: Octokit) => Promise<T>,
): Promise<T> {
  const token = await currentToken(context, user);
  try {
    return await call(context.github.asUser(token));
  } catch (error) {
    if (error instanceof RequestError && error.status === 401) {
      await context.store.users.updateOne({ _id: user._id }, { $unset: { github_token: 1 } });
    }
    throw translate(error, what);
  }
}

async function currentToken(context: Context, user: UserDoc): Promise<string> {
  const key = context.config.ENCRYPTION_KEY;
  const token = user.github_token && open(key, PURPOSE, user.github_token);
  if (!token) throw new ReauthRequired();
  const expires = user.github_token_expires_at?.getTime();
  if (expires === undefined || expires - REFRESH_BEFORE_MS > Date.now()) return token;
  const refresh = user.github_refresh_token && open(key, PURPOSE, user.github_refresh_token);
  if (!refresh) throw new ReauthRequired();
  const tokens = await context.github.refresh(refresh).catch(error => {
    throw error instanceof RequestError && error.status < 500 ? new ReauthRequired() : translate(error, '');
  });
  await context.store.users.updateOne({ _id: user._id }, { $set: sealTokens(key, tokens) });
  return tokens.token;
}

function translate(error: unknown, what: string): unknown {
  if (error instanceof HttpError) return error;
  if (!(error instanceof RequestError)) return error;
  if (error.status === 401) return new ReauthRequired();
  if (error.status === 404) return new HttpError(404, `${what} not found`, 'not_found');
  if (error.status === 403 || error.status === 429) {
    return new HttpError(502, `GitHub refused: ${error.message}`, 'github_refused');
  }
  if (error.status >= 500) {
    return new HttpError(
      502,
      'GitHub cannot be reached at the moment. Please try again shortly.',
      'github_away',
    );
  }
  return new HttpError(502, `GitHub answered: ${error.message}`, 'github_refused');
}
