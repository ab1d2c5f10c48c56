import { get } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clone, clone, gitUrl } from './clone.ts';
import { faultsOfAnswer } from './schemas.ts';
import { startTestGitHub, type TestGitHub, tokens } from './start.ts';

const shopAt = { owner: 'demo', repo: 'shop' };
const base = '/repos/{owner}/{repo}';
let github: TestGitHub;
let shop: Clone;
let first: string;
let head: string;

beforeAll(async () => {
  github = await startTestGitHub();
  shop = await clone(gitUrl(github.url, 'demo/shop', tokens.demo));
  first = await shop.push('main', { 'compose.yaml': 'services: {}\n', 'web/page.js': 'one\n' });
  head = await shop.push('feature/x', { 'web/page.js': 'two\n', 'web/näme with space.txt': 'ä' });
});
afterAll(async () => {
  await shop.remove();
  await github.close();
});

/** Calls under another host name, as a pod does. */
function askAs(host: string, path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    get(`${github.url}${path}`, { headers: { host } }, response => resolve(json(response))).on(
      'error',
      reject,
    );
  });
}

describe('repositories', () => {
  test('clone links follow the address the caller used, pages do not', async () => {
    const host = `host.internal:${new URL(github.url).port}`;
    const inside = await askAs(host, '/api/v3/repos/demo/shop');
    expect(inside).toMatchObject({
      clone_url: `http://${host}/demo/shop.git`,
      html_url: `${github.url}/demo/shop`,
    });
    const { data } = await github.as(tokens.demo).rest.repos.get(shopAt);
    expect(data.clone_url).toBe(`${github.url}/demo/shop.git`);
    expect(data.html_url).toBe(`${github.url}/demo/shop`);
    expect(data.permissions).toMatchObject({ admin: true });
    expect(faultsOfAnswer(`GET ${base}`, 200, data)).toEqual([]);
  });

  test('private ones are not there for others', async () => {
    const secretAt = { owner: 'demo', repo: 'secret' };
    for (const octokit of [github.as(), github.as(tokens.mallory)]) {
      await expect(octokit.rest.repos.get(secretAt)).rejects.toMatchObject({ status: 404 });
    }
    const mine = await github.as(tokens.demo).rest.repos.listForAuthenticatedUser();
    expect(mine.data.map(each => each.name)).toEqual(['shop', 'secret']);
    expect(faultsOfAnswer('GET /user/repos', 200, mine.data)).toEqual([]);
    const theirs = await github.as(tokens.mallory).rest.repos.listForAuthenticatedUser();
    expect(theirs.data).toEqual([]);
  });

  test('branches and refs, also those with slashes', async () => {
    const octokit = github.as();
    const list = await octokit.rest.repos.listBranches(shopAt);
    expect(list.data.map(each => each.name)).toEqual(['feature/x', 'main']);
    expect(faultsOfAnswer(`GET ${base}/branches`, 200, list.data)).toEqual([]);
    const branch = await octokit.rest.repos.getBranch({ ...shopAt, branch: 'feature/x' });
    expect(branch.data.commit.sha).toBe(head);
    expect(faultsOfAnswer(`GET ${base}/branches/{branch}`, 200, branch.data)).toEqual([]);
    const ref = await octokit.rest.git.getRef({ ...shopAt, ref: 'heads/feature/x' });
    expect(faultsOfAnswer(`GET ${base}/git/ref/{ref}`, 200, ref.data)).toEqual([]);
    await expect(octokit.rest.repos.getBranch({ ...shopAt, branch: 'none' })).rejects.toMatchObject({
      status: 404,
    });
    const created = await github
      .as(tokens.demo)
      .rest.git.createRef({ ...shopAt, ref: 'refs/heads/made', sha: first });
    expect(created.data.object.sha).toBe(first);
    await github.as(tokens.demo).rest.git.deleteRef({ ...shopAt, ref: 'heads/made' });
  });

  test('commits by SHA, short SHA and branch, listed and compared', async () => {
    const octokit = github.as();
    for (const ref of [head, head.slice(0, 8), 'feature/x', 'heads/feature/x']) {
      const { data } = await octokit.rest.repos.getCommit({ ...shopAt, ref });
      expect(data.sha).toBe(head);
      expect(data.author?.login).toBe('demo');
      expect(faultsOfAnswer(`GET ${base}/commits/{ref}`, 200, data)).toEqual([]);
    }
    for (const ref of ['main~1', 'HEAD^', 'none', '--help']) {
      await expect(octokit.rest.repos.getCommit({ ...shopAt, ref })).rejects.toMatchObject({ status: 422 });
    }
    const list = await octokit.rest.repos.listCommits({ ...shopAt, sha: 'feature/x' });
    expect(list.data.map(each => each.sha)).toEqual([head, first]);
    expect(faultsOfAnswer(`GET ${base}/commits`, 200, list.data)).toEqual([]);
    const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
      ...shopAt,
      basehead: 'main...feature/x',
    });
    expect(data).toMatchObject({ status: 'ahead', ahead_by: 1, behind_by: 0 });
    expect(data.files?.map(each => `${each.status} ${each.filename}`)).toEqual([
      'added web/näme with space.txt',
      'modified web/page.js',
    ]);
    expect(faultsOfAnswer(`GET ${base}/compare/{basehead}`, 200, data)).toEqual([]);
  });

  test('files, directories and trees at a ref', async () => {
    const octokit = github.as();
    const route = `GET ${base}/contents/{path}`;
    const file = await octokit.rest.repos.getContent({ ...shopAt, path: 'web/page.js', ref: 'feature/x' });
    expect(faultsOfAnswer(route, 200, file.data)).toEqual([]);
    expect(file.data).toMatchObject({ type: 'file', encoding: 'base64', content: 'dHdvCg==\n' });
    const odd = await octokit.rest.repos.getContent({
      ...shopAt,
      path: 'web/näme with space.txt',
      ref: head,
    });
    expect(odd.data).toMatchObject({ name: 'näme with space.txt' });
    const raw = await octokit.rest.repos.getContent({
      ...shopAt,
      path: 'web/page.js',
      mediaType: { format: 'raw' },
    });
    expect(raw.data).toBe('one\n');
    for (const [path, names] of [
      ['', ['compose.yaml', 'web']],
      ['web', ['page.js']],
    ] as const) {
      const { data } = await octokit.rest.repos.getContent({ ...shopAt, path });
      expect(Array.isArray(data) && data.map(each => each.name)).toEqual(names);
      expect(faultsOfAnswer(route, 200, data)).toEqual([]);
    }
    for (const path of ['none', '../secret', 'web/*']) {
      const missing = octokit.rest.repos.getContent({ ...shopAt, path });
      await expect(missing).rejects.toMatchObject({ status: 404 });
    }
    const tree = await octokit.rest.git.getTree({ ...shopAt, tree_sha: 'main', recursive: '1' });
    expect(tree.data.tree.map(each => each.path)).toEqual(['compose.yaml', 'web', 'web/page.js']);
    expect(faultsOfAnswer(`GET ${base}/git/trees/{tree_sha}`, 200, tree.data)).toEqual([]);
  });

  test('statuses and deployments', async () => {
    const octokit = github.as(tokens.demo);
    const created = await octokit.rest.repos.createCommitStatus({ ...shopAt, sha: head, state: 'success' });
    expect(faultsOfAnswer(`POST ${base}/statuses/{sha}`, 201, created.data)).toEqual([]);
    const combined = await octokit.rest.repos.getCombinedStatusForRef({ ...shopAt, ref: head });
    expect(combined.data.state).toBe('success');
    expect(faultsOfAnswer(`GET ${base}/commits/{ref}/status`, 200, combined.data)).toEqual([]);
    const deployment = await octokit.request('POST /repos/{owner}/{repo}/deployments', {
      ...shopAt,
      ref: 'feature/x',
      environment: 'pr-1',
      transient_environment: true,
    });
    expect(deployment.data).toMatchObject({ sha: head });
    expect(faultsOfAnswer(`POST ${base}/deployments`, 201, deployment.data)).toEqual([]);
    const id = 'id' in deployment.data ? Number(deployment.data.id) : 0;
    const status = await octokit.rest.repos.createDeploymentStatus({
      ...shopAt,
      deployment_id: id,
      state: 'success',
      environment_url: 'http://pr-1.localhost',
    });
    const route = `POST ${base}/deployments/{deployment_id}/statuses`;
    expect(faultsOfAnswer(route, 201, status.data)).toEqual([]);
    const refused = github.as(tokens.mallory).rest.repos.createCommitStatus({
      ...shopAt,
      sha: head,
      state: 'success',
    });
    await expect(refused).rejects.toMatchObject({ status: 403 });
  });

  test('answers carry rate limits, and 304 where nothing changed', async () => {
    const response = await fetch(`${github.api}/repos/demo/shop`);
    expect(Number(response.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0);
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(`${github.api}/repos/demo/shop`, { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  test('what is not served says so as GitHub does', async () => {
    const response = await fetch(`${github.api}/nothing/here`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      message: 'Not Found',
      documentation_url: expect.any(String),
    });
  });
});
