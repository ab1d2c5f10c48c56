import type { FastifyReply } from 'fastify';
import { SIGN_IN_ERRORS, type SignInError } from '#contract/routes.ts';
import { createSession, endSession } from '../auth/sessions.ts';
import { clearAttempt, finishAttempt, startAttempt } from '../auth/sign-in.ts';
import type { Context } from '../context.ts';
import { sealTokens } from '../github/as-user.ts';
import type { UserTokens } from '../github/clients.ts';
import type { Handlers } from '../http/handler.ts';

const isHttps = (context: Context) => context.config.PUBLIC_URL.startsWith('https:');

/** Starts a sign-in in the browser that gets this reply, and answers with GitHub's page for it. */
export function beginSignIn(context: Context, reply: FastifyReply): string {
  const attempt = startAttempt(context.config.ENCRYPTION_KEY, isHttps(context), Date.now());
  reply.header('set-cookie', attempt.cookie);
  return context.github.authorizeUrl(attempt.state, attempt.challenge);
}

export const auth: Pick<Handlers, 'startSignIn' | 'finishSignIn' | 'signOut'> = {
  startSignIn: async ({ context, reply }) => ({ auth_url: beginSignIn(context, reply) }),

  async finishSignIn({ context, request, reply }) {
    reply.header('set-cookie', clearAttempt(isHttps(context)));
    const login = `${context.config.PUBLIC_URL}/login`;
    try {
      const token = await signIn(context, request.headers.cookie ?? '', request.query as Callback);
      return reply.redirect(`${login}?token=${token}`);
    } catch (error) {
      if (!(error instanceof SignInFailure)) throw error;
      request.log.warn({ err: error.cause, reason: error.reason }, 'sign-in failed');
      return reply.redirect(`${login}?error=${error.reason}`);
    }
  },

  async signOut({ context, sessionId }) {
    await endSession(context.store, sessionId);
    return { message: 'Successfully logged out.' };
  },
};

interface Callback {
  code?: unknown;
  state?: unknown;
  error?: unknown;
}

class SignInFailure extends Error {
  readonly reason: SignInError;

  constructor(reason: SignInError, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

const failing = (reason: SignInError) => (cause: unknown) => {
  throw new SignInFailure(reason, cause);
};

/** The token of a new session, or a SignInFailure that says where it ended. */
async function signIn(context: Context, cookies: string, query: Callback): Promise<string> {
  const key = context.config.ENCRYPTION_KEY;
  const state = typeof query.state === 'string' ? query.state : '';
  const verifier = finishAttempt(key, cookies, state, Date.now());
  if (!verifier) throw new SignInFailure('invalid_state');
  if (query.error !== undefined) {
    // Only words of our own list go on to the browser.
    throw new SignInFailure(SIGN_IN_ERRORS.find(each => each === query.error) ?? 'server_error');
  }
  if (typeof query.code !== 'string') throw new SignInFailure('token_exchange_failed');
  const tokens = await context.github
    .exchangeCode(query.code, verifier)
    .catch(failing('token_exchange_failed'));
  const userId = await saveUser(context, tokens);
  return createSession(context.store, userId).catch(failing('session_creation_failed'));
}

async function saveUser(context: Context, tokens: UserTokens): Promise<string> {
  const { data } = await context.github
    .asUser(tokens.token)
    .rest.users.getAuthenticated()
    .catch(failing('user_info_failed'));
  const _id = String(data.id);
  await context.store.users
    .updateOne(
      { _id },
      {
        $set: {
          github_id: data.id,
          login: data.login,
          avatar_url: data.avatar_url,
          ...sealTokens(context.config.ENCRYPTION_KEY, tokens),
        },
        $setOnInsert: { beta_access: false, installations: [], created_at: new Date() },
      },
      { upsert: true },
    )
    .catch(failing('database_error'));
  return _id;
}
