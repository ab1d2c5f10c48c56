import { createHash, randomBytes } from 'node:crypto';
import { exchangeWebFlowCode } from '@octokit/oauth-methods';
import { request } from '@octokit/request';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultsOfAnswer } from './schemas.ts';
import { app, startTestGitHub, type TestGitHub } from './start.ts';

const callback = 'http://127.0.0.1:1/callback';
let github: TestGitHub;

beforeAll(async () => {
  github = await startTestGitHub();
});
afterAll(() => github.close());

/** Presses a button of the sign-in page, and gives where the browser goes. */
async function authorize(query: Record<string, string>, login: string): Promise<URL> {
  const parameters = new URLSearchParams({ client_id: app.clientId, ...query });
  const page = await fetch(`${github.url}/login/oauth/authorize?${parameters}`, { redirect: 'manual' });
  if (page.status !== 200) return new URL(page.headers.get('location') ?? '');
  const hidden = [...(await page.text()).matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const form = new URLSearchParams({ login });
  for (const [, name = '', value = ''] of hidden) form.set(name, value.replaceAll('&amp;', '&'));
  const answer = await fetch(`${github.url}/login/oauth/authorize`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  return new URL(answer.headers.get('location') ?? '');
}

const exchange = (code: string, more: object = {}) =>
  exchangeWebFlowCode({
    clientType: 'oauth-app',
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    code,
    request: request.defaults({ baseUrl: github.api }),
    ...more,
  });

async function exchangeByHand(body: Record<string, string>) {
  const response = await fetch(`${github.url}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id: app.clientId, client_secret: app.clientSecret, ...body }),
  });
  return response.json();
}

const codeOf = (url: URL) => url.searchParams.get('code') ?? '';

describe('signing in', () => {
  test('a code, the state and a token that is the person chosen', async () => {
    const url = await authorize({ redirect_uri: callback, state: 'a&b' }, 'demo');
    expect(url.href.startsWith(callback)).toBe(true);
    expect(url.searchParams.get('state')).toBe('a&b');
    const { authentication } = await exchange(codeOf(url));
    const octokit = github.as(authentication.token);
    const user = await octokit.rest.users.getAuthenticated();
    expect(user.data).toMatchObject({ login: 'demo', email: 'demo@example.org' });
    expect(faultsOfAnswer('GET /user', 200, user.data)).toEqual([]);
    const installations = await octokit.rest.apps.listInstallationsForAuthenticatedUser();
    expect(installations.data.installations.map(each => each.app_slug)).toEqual(['greenroom']);
    expect(faultsOfAnswer('GET /user/installations', 200, installations.data)).toEqual([]);
    const [first] = installations.data.installations;
    const repositories = await octokit.rest.apps.listInstallationReposForAuthenticatedUser({
      installation_id: first?.id ?? 0,
    });
    expect(repositories.data.repositories.map(each => each.full_name)).toEqual(['demo/shop', 'demo/secret']);
    const route = 'GET /user/installations/{installation_id}/repositories';
    expect(faultsOfAnswer(route, 200, repositories.data)).toEqual([]);
  });

  test('a code works once', async () => {
    const code = codeOf(await authorize({}, 'demo'));
    await exchange(code);
    await expect(exchange(code)).rejects.toThrow(/bad_verification_code/);
  });

  test('PKCE: only the verifier of the challenge redeems the code', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const start = () =>
      authorize({ code_challenge: challenge, code_challenge_method: 'S256' }, 'demo').then(codeOf);
    expect(await exchangeByHand({ code: await start() })).toMatchObject({ error: 'bad_verification_code' });
    expect(await exchangeByHand({ code: await start(), code_verifier: 'guess' })).toHaveProperty('error');
    expect(await exchangeByHand({ code: await start(), code_verifier: verifier })).toMatchObject({
      token_type: 'bearer',
      access_token: expect.stringMatching(/^ghu_\w{36}$/),
    });
    const plain = await authorize({ code_challenge: 'x', code_challenge_method: 'plain' }, 'demo');
    expect(plain.searchParams.get('error')).toBe('invalid_request');
  });

  test('cancelling, a foreign redirect, a wrong secret and an unknown client', async () => {
    const denied = await authorize({ state: 's' }, '');
    expect([denied.searchParams.get('error'), denied.searchParams.get('state')]).toEqual([
      'access_denied',
      's',
    ]);
    const foreign = await authorize({ redirect_uri: `${callback}/../evil` }, 'demo');
    expect(foreign.href).toMatch(/^http:\/\/127\.0\.0\.1:1\/callback\?error=redirect_uri_mismatch/);
    expect(await exchangeByHand({ code: 'x', client_secret: 'wrong' })).toMatchObject({
      error: 'incorrect_client_credentials',
    });
    const unknown = await fetch(`${github.url}/login/oauth/authorize?client_id=nobody`);
    expect(unknown.status).toBe(404);
  });
});
