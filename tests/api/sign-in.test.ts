import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorize, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ ADMIN_LOGINS: 'Demo, other' });
}, 30_000);
afterAll(() => world?.close());

const finish = async (callback: string, cookie: string) => {
  const answer = await fetch(callback, { headers: { cookie }, redirect: 'manual' });
  return { answer, location: new URL(answer.headers.get('location') ?? 'http://none') };
};

describe('signing in with GitHub', () => {
  it('asks for a state and a PKCE challenge, and keeps both from the page', async () => {
    const { body, headers } = await world.call('GET', '/api/auth/github');
    const url = new URL(body.auth_url);
    expect(url.origin).toBe(world.github.url);
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.searchParams.get('state')).toMatch(/^[\w-]{43}$/);
    expect(headers.get('set-cookie')).toMatch(
      /^greenroom_sign_in=[\w-]+; Path=\/api; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  it('ends at /login with a token that works, that goes into no referrer or cache', async () => {
    const { callback, cookie } = await authorize(world.url, 'demo');
    const { answer, location } = await finish(callback, cookie);
    expect(answer.status).toBe(302);
    expect(`${location.origin}${location.pathname}`).toBe(`${world.url}/login`);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');

    const token = location.searchParams.get('token') ?? '';
    const { status, body } = await world.call('GET', '/api/user', { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      username: 'demo',
      is_admin: true,
      has_beta_access: true,
      has_github_app_access: true,
      github_app_installations: ['demo'],
    });
  });

  it('keeps no token in clear', async () => {
    const token = await world.signIn('demo');
    const { users, sessions } = world.server.context.store;
    const stored = JSON.stringify([await users.find().lean(), await sessions.find().lean()]);
    expect(stored).not.toContain(token);
    expect(stored).not.toMatch(/gh[uor]_/);
  });

  it('refuses a callback that another browser started, or none', async () => {
    const first = await authorize(world.url, 'demo');
    const second = await authorize(world.url, 'mallory');
    for (const cookie of [second.cookie, '', 'greenroom_sign_in=x']) {
      const { location } = await finish(first.callback, cookie);
      expect(`${location.pathname}${location.search}${location.hash}`).toBe('/login?error=invalid_state');
    }
  });

  it('refuses a code for the second time', async () => {
    const { callback, cookie } = await authorize(world.url, 'demo');
    await finish(callback, cookie);
    expect((await finish(callback, cookie)).location.search).toBe('?error=token_exchange_failed');
  });

  it('says so when the person denied it, and passes on no words that it does not know', async () => {
    const denied = await authorize(world.url, '');
    expect(new URL(denied.callback).searchParams.get('error')).toBe('access_denied');
    expect((await finish(denied.callback, denied.cookie)).location.search).toBe('?error=access_denied');
    const forged = denied.callback.replace('access_denied', 'call+0900');
    expect((await finish(forged, denied.cookie)).location.search).toBe('?error=server_error');
  });

  it('ends the session at logout', async () => {
    const token = await world.signIn('mallory');
    expect((await world.call('GET', '/api/user', { token })).body.is_admin).toBe(false);
    expect((await world.call('POST', '/api/auth/logout', { token })).status).toBe(200);
    expect((await world.call('GET', '/api/user', { token })).status).toBe(401);
  });

  it('takes no session that is over', async () => {
    const token = await world.signIn('mallory');
    await world.server.context.store.sessions.updateMany({}, { $set: { expires_at: new Date(0) } });
    expect((await world.call('GET', '/api/user', { token })).status).toBe(401);
  });

  it('asks to authorize again when GitHub no longer takes the token', async () => {
    const token = await world.signIn('demo');
    await world.server.context.store.users.updateMany({}, { $unset: { github_token: 1 } });
    const { status, body, headers } = await world.call('GET', '/api/owners', { token });
    expect(status).toBe(401);
    expect(body).toMatchObject({ requires_reauth: true, error: 'GitHub re-authentication required' });
    expect(body.auth_url).toContain(`${world.github.url}/login/oauth/authorize?`);
    expect(headers.get('set-cookie')).toContain('greenroom_sign_in=');
  });
});
