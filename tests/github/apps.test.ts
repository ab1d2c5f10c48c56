import { verify } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clone, clone, gitUrl } from './clone.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { faultsOfAnswer, faultsOfWebhook } from './schemas.ts';
import { startTestGitHub, type TestGitHub, tokens } from './start.ts';

const shopAt = { owner: 'demo', repo: 'shop' };
const secretAt = { owner: 'demo', repo: 'secret' };
let github: TestGitHub;
let receiver: Receiver;
let shop: Clone;

beforeAll(async () => {
  receiver = await startReceiver();
  github = await startTestGitHub({ app: { webhookUrl: receiver.url, webhookSecret: 'app-secret' } });
  shop = await clone(gitUrl(github.url, 'demo/shop', tokens.demo));
  await shop.push('main', { 'a.txt': 'a\n' });
});
afterAll(async () => {
  await shop.remove();
  await receiver.close();
  await github.close();
});

/** A token of the installation on demo, as wide as asked. */
async function tokenFor(wanted: { repositories?: string[]; permissions?: Record<string, 'read' | 'write'> }) {
  const { octokit } = github.app();
  const { data } = await octokit.rest.apps.getRepoInstallation(shopAt);
  const route = 'POST /app/installations/{installation_id}/access_tokens';
  const created = await octokit.request(route, { installation_id: data.id, ...wanted });
  expect(faultsOfAnswer(route, 201, created.data)).toEqual([]);
  return created.data.token;
}

describe('the app', () => {
  test('knows itself and its installations by its JWT', async () => {
    const { octokit } = github.app();
    const self = await octokit.rest.apps.getAuthenticated();
    expect(self.data).toMatchObject({ slug: 'greenroom' });
    expect(faultsOfAnswer('GET /app', 200, self.data)).toEqual([]);
    const installations = await octokit.rest.apps.listInstallations();
    // The description of the list asks for an account that is a user and an enterprise at once.
    const one = 'GET /app/installations/{installation_id}';
    expect(installations.data.flatMap(each => faultsOfAnswer(one, 200, each))).toEqual([]);
    expect(installations.data).toMatchObject([{ account: { login: 'demo' }, repository_selection: 'all' }]);
    const user = await octokit.rest.apps.getUserInstallation({ username: 'demo' });
    expect(user.data.id).toBe(installations.data[0]?.id);
    const missing = octokit.rest.apps.getOrgInstallation({ org: 'acme' });
    await expect(missing).rejects.toMatchObject({ status: 404 });
  });

  test('a JWT signed by another key, or by nobody, is refused', async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const seconds = Math.floor(Date.now() / 1000);
    const claims = encode({ iss: 7, iat: seconds, exp: seconds + 60 });
    for (const alg of ['none', 'RS256']) {
      const authorization = `Bearer ${encode({ alg })}.${claims}.c2lnbmF0dXJl`;
      const response = await fetch(`${github.api}/app`, { headers: { authorization } });
      expect(response.status).toBe(401);
    }
  });

  test('acts through its installation: comments as its bot, clones private repositories', async () => {
    const { octokit } = github.app();
    const { data: installation } = await octokit.rest.apps.getRepoInstallation(secretAt);
    const installed = await github.app().getInstallationOctokit(installation.id);
    const repositories = await installed.rest.apps.listReposAccessibleToInstallation();
    expect(repositories.data.repositories.map(each => each.full_name)).toEqual(['demo/shop', 'demo/secret']);
    expect(faultsOfAnswer('GET /installation/repositories', 200, repositories.data)).toEqual([]);
    await shop.push('feature', { 'b.txt': 'b\n' });
    const { data: pull } = await github
      .as(tokens.demo)
      .rest.pulls.create({ ...shopAt, title: 'Feature', head: 'feature', base: 'main' });
    const comment = await installed.rest.issues.createComment({
      ...shopAt,
      issue_number: pull.number,
      body: 'Building',
    });
    expect(comment.data.user).toMatchObject({ login: 'greenroom[bot]', type: 'Bot' });
    const edited = await installed.rest.issues.updateComment({
      ...shopAt,
      comment_id: comment.data.id,
      body: 'Running',
    });
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
    expect(faultsOfAnswer(route, 200, edited.data)).toEqual([]);
    const copy = await clone(gitUrl(github.url, 'demo/secret', await tokenFor({})));
    await copy.remove();
  });

  test('a token may have fewer repositories and permissions than the installation, never more', async () => {
    const narrow = await tokenFor({ repositories: ['shop'], permissions: { contents: 'read' } });
    const octokit = github.as(narrow);
    await octokit.rest.repos.get(shopAt);
    await expect(octokit.rest.repos.get(secretAt)).rejects.toMatchObject({ status: 404 });
    await expect(clone(gitUrl(github.url, 'demo/secret', narrow))).rejects.toThrow(/not found/);
    await expect(octokit.rest.repos.listWebhooks(shopAt)).rejects.toMatchObject({
      status: 403,
      response: { data: { message: 'Resource not accessible by integration' } },
    });
    const copy = await clone(gitUrl(github.url, 'demo/shop', narrow));
    await expect(copy.push('evil', { 'e.txt': 'e' })).rejects.toThrow(/403/);
    await copy.remove();
    await expect(tokenFor({ repositories: ['elsewhere'] })).rejects.toMatchObject({ status: 422 });
    await expect(tokenFor({ permissions: { contents: 'write' } })).rejects.toMatchObject({ status: 422 });
  });

  test('its own webhook hears what happens where it is installed', async () => {
    const created = await receiver.next('installation', 'created');
    expect(created.payload.repositories?.map(each => each.full_name)).toEqual(['demo/shop', 'demo/secret']);
    expect(faultsOfWebhook('installation-created', created.payload)).toEqual([]);
    expect(await verify('app-secret', created.body, created.signature)).toBe(true);
    const { payload } = await receiver.next('pull_request', 'opened');
    expect(payload.installation?.id).toBe(created.payload.installation.id);
    expect(faultsOfWebhook('pull-request-opened', payload)).toEqual([]);
  });

  test('is installed through a page and uninstalled by itself, and its tokens end with it', async () => {
    const path = `${github.url}/apps/greenroom/installations/new`;
    expect(await (await fetch(path)).text()).toContain('Install on acme as demo');
    const form = { method: 'POST', body: new URLSearchParams({ login: 'demo', account: 'acme' }) };
    expect((await fetch(path, form)).status).toBe(200);
    const created = await receiver.next('installation', 'created');
    expect(created.payload.installation.account.login).toBe('acme');
    const others = { ...form, body: new URLSearchParams({ login: 'mallory', account: 'acme' }) };
    expect((await fetch(path, others)).status).toBe(403);

    const { octokit } = github.app();
    const { data } = await octokit.rest.apps.getOrgInstallation({ org: 'acme' });
    const at = { installation_id: data.id };
    const token = (await octokit.rest.apps.createInstallationAccessToken(at)).data.token;
    await github.as(token).rest.apps.listReposAccessibleToInstallation();
    await octokit.rest.apps.deleteInstallation(at);
    const deleted = await receiver.next('installation', 'deleted');
    expect(faultsOfWebhook('installation-deleted', deleted.payload)).toEqual([]);
    const late = github.as(token).rest.apps.listReposAccessibleToInstallation();
    await expect(late).rejects.toMatchObject({ status: 401 });
  });
});
