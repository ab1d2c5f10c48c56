import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GitHub } from './context.ts';
import { notFound, parseBody } from './errors.ts';
import { html, page } from './page.ts';
import { hashOf } from './secrets.ts';
import { toTime } from './state.ts';

const codeLifetime = 600_000;

const authorizeQuery = z.object({
  client_id: z.string(),
  redirect_uri: z.string().optional(),
  state: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.string().optional(),
});
const decision = authorizeQuery.extend({ login: z.string().optional() });

/** The sign-in page: whoever sits at the machine chooses who to be, and goes back with a code. */
export function oauthRoutes(app: FastifyInstance, github: GitHub): void {
  const { state } = github.store;

  app.get('/login/oauth/authorize', (request, reply) => {
    const query = parseBody(authorizeQuery, request.query, 'Authorization');
    const redirect = redirectOf(github, query);
    if (redirect.error) return reply.redirect(redirect.url);
    const hidden = Object.entries(query).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value ?? ''}">`,
    );
    const people = state.accounts.filter(each => each.type === 'User' && !each.login.endsWith('[bot]'));
    const buttons = people.map(
      each =>
        html`<p><button class="main" name="login" value="${each.login}">Continue as ${each.login}</button></p>`,
    );
    const name = github.config.app.name ?? github.config.app.slug;
    reply.header('cache-control', 'no-store');
    return page(
      `Authorize ${name}`,
      html`<p>${name} asks who you are. Choose one of this stand-in's users.</p>
<form method="post" action="/login/oauth/authorize">${hidden}${buttons}
<p><button name="login" value="">Cancel</button></p></form>`,
    );
  });

  app.post('/login/oauth/authorize', (request, reply) => {
    const { login, ...query } = parseBody(decision, request.body, 'Authorization');
    const redirect = redirectOf(github, query);
    if (redirect.error) return reply.redirect(redirect.url, 303);
    if (!login) {
      const denied = {
        error: 'access_denied',
        error_description: 'The user has denied your application access.',
      };
      return reply.redirect(withQuery(redirect.url, { ...denied, state: query.state }), 303);
    }
    const person = state.accounts.find(each => each.login === login && each.type === 'User');
    if (!person) throw notFound();
    const code = randomBytes(10).toString('hex');
    state.codes = state.codes.filter(each => Date.parse(each.expiresAt) > Date.now());
    state.codes.push({
      hash: hashOf(code),
      userId: person.id,
      redirectUri: redirect.url,
      challenge: query.code_challenge || null,
      expiresAt: toTime(new Date(Date.now() + codeLifetime)),
    });
    github.store.changed();
    return reply.redirect(withQuery(redirect.url, { code, state: query.state }), 303);
  });
}

/** Where the browser goes back to: the registered callback asked for, or the first with an error. */
function redirectOf(github: GitHub, query: z.output<typeof authorizeQuery>): { url: string; error: boolean } {
  const { clientId, callbackUrls } = github.config.app;
  if (query.client_id !== clientId) throw notFound();
  const [first = ''] = callbackUrls;
  const state = { state: query.state };
  if (query.redirect_uri && !callbackUrls.includes(query.redirect_uri)) {
    const fault = {
      error: 'redirect_uri_mismatch',
      error_description: 'The redirect_uri MUST match the registered callback URL for this application.',
    };
    return { url: withQuery(first, { ...fault, ...state }), error: true };
  }
  const url = query.redirect_uri || first;
  if (query.code_challenge && query.code_challenge_method !== 'S256') {
    const fault = { error: 'invalid_request', error_description: 'code_challenge_method must be S256.' };
    return { url: withQuery(url, { ...fault, ...state }), error: true };
  }
  return { url, error: false };
}

function withQuery(address: string, values: Record<string, string | undefined>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(values)) if (value) url.searchParams.set(name, value);
  return url.href;
}
