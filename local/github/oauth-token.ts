import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GitHub } from './context.ts';
import { hashOf, newToken, sameSecret } from './secrets.ts';

const exchange = z.object({
  client_id: z.string().default(''),
  client_secret: z.string().default(''),
  code: z.string().default(''),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
});

/** The exchange of a sign-in's code for a token. Form or JSON, as the caller accepts. */
export function tokenRoutes(app: FastifyInstance, github: GitHub): void {
  app.post('/login/oauth/access_token', (request, reply) => {
    const answer = redeem(github, { ...(request.query as object), ...(request.body as object) });
    if (request.headers.accept?.includes('json')) return answer;
    return reply
      .type('application/x-www-form-urlencoded; charset=utf-8')
      .send(new URLSearchParams(answer).toString());
  });
}

/** GitHub's answer, which is 200 for errors too. A code works once, whatever came of it. */
function redeem(github: GitHub, body: object): Record<string, string> {
  const wanted = exchange.parse(body);
  const { state } = github.store;
  const { app } = github.config;
  if (!sameSecret(wanted.client_id, app.clientId) || !sameSecret(wanted.client_secret, app.clientSecret)) {
    return fault('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.');
  }
  const hash = hashOf(wanted.code);
  const code = state.codes.find(each => each.hash === hash);
  state.codes = state.codes.filter(each => each !== code);
  github.store.changed();
  const proven = !code?.challenge || code.challenge === challengeOf(wanted.code_verifier ?? '');
  if (!code || !proven || Date.parse(code.expiresAt) <= Date.now()) {
    return fault('bad_verification_code', 'The code passed is incorrect or expired.');
  }
  if (wanted.redirect_uri && wanted.redirect_uri !== code.redirectUri) {
    return fault(
      'redirect_uri_mismatch',
      'The redirect_uri MUST match the registered callback URL for this application.',
    );
  }
  const token = newToken('ghu');
  state.tokens.push({
    hash: hashOf(token),
    kind: 'app-user',
    subjectId: code.userId,
    expiresAt: null,
    repositoryIds: null,
    permissions: null,
  });
  return { access_token: token, token_type: 'bearer', scope: '' };
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

const fault = (error: string, description: string) => ({
  error,
  error_description: description,
  error_uri:
    'https://docs.github.com/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors',
});
