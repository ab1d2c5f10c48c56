import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clone, clone, gitUrl, runGit } from './clone.ts';
import { startTestGitHub, type TestGitHub, tokens } from './start.ts';

let github: TestGitHub;
let shop: Clone;
let first: string;
let second: string;

beforeAll(async () => {
  github = await startTestGitHub();
  shop = await clone(gitUrl(github.url, 'demo/shop', tokens.demo));
  first = await shop.push('main', { 'a.txt': 'one\n', 'dir/b.txt': 'b\n' });
  second = await shop.push('main', { 'a.txt': 'two\n' });
});
afterAll(async () => {
  await shop.remove();
  await github.close();
});

describe('git over HTTP', () => {
  test('anybody clones a public repository', async () => {
    const copy = await clone(gitUrl(github.url, 'demo/shop'));
    expect(await copy.git('rev-parse', 'HEAD')).toBe(second);
    await copy.remove();
  });

  test('one commit comes by its SHA, shallow and without blobs', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'greenroom-fetch-'));
    await runGit(directory, 'init', '--quiet');
    await runGit(directory, 'remote', 'add', 'origin', gitUrl(github.url, 'demo/shop'));
    await runGit(directory, 'fetch', '--quiet', '--depth=1', '--filter=blob:none', 'origin', first);
    expect(await runGit(directory, 'rev-parse', 'FETCH_HEAD')).toBe(first);
    expect(await runGit(directory, 'rev-list', '--count', 'FETCH_HEAD')).toBe('1');
    const missing = await runGit(directory, 'rev-list', '--objects', '--missing=print', 'FETCH_HEAD');
    expect(missing.split('\n').filter(line => line.startsWith('?'))).toHaveLength(2);
    await rm(directory, { recursive: true });
  });

  test('protocol versions 0 and 2 both serve, and an unadvertised commit too', async () => {
    await shop.git('push', '--quiet', '--force', 'origin', `${first}:refs/heads/moved`);
    await shop.git('push', '--quiet', '--force', 'origin', `${second}:refs/heads/moved`);
    const copy = await clone(gitUrl(github.url, 'demo/shop'), '--depth=1');
    await copy.git('-c', 'protocol.version=0', 'fetch', '--quiet', 'origin', first);
    expect(await copy.git('cat-file', '-t', first)).toBe('commit');
    await copy.remove();
  });

  test('a private repository is for those who may read it', async () => {
    const url = (token?: string) => gitUrl(github.url, 'demo/secret', token);
    await expect(clone(url())).rejects.toThrow(
      /could not read Username|Authentication failed|terminal prompts/,
    );
    await expect(clone(url('wrong-token'))).rejects.toThrow(/Authentication failed/);
    await expect(clone(url(tokens.mallory))).rejects.toThrow(/not found/);
    await (await clone(url(tokens.demo))).remove();
  });

  test('the basic scheme is taken in any case, with the token as user name or password', async () => {
    const address = `${gitUrl(github.url, 'demo/secret')}/info/refs?service=git-upload-pack`;
    for (const pair of [`x-access-token:${tokens.demo}`, `${tokens.demo}:`]) {
      const authorization = `basic ${Buffer.from(pair).toString('base64')}`;
      expect((await fetch(address, { headers: { authorization } })).status).toBe(200);
    }
    const refused = await fetch(address);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="GitHub"']);
  });

  test('only those who may write push, and nobody pushes to refs/pull', async () => {
    const copy = await clone(gitUrl(github.url, 'demo/shop', tokens.mallory));
    await expect(copy.push('evil', { 'e.txt': 'e' })).rejects.toThrow(/403/);
    await copy.remove();
    await expect(shop.git('push', 'origin', `${first}:refs/pull/9/head`)).rejects.toThrow(/hidden ref/);
  });

  test('a large push arrives whole', async () => {
    const sha = await shop.push('large', { 'large.bin': randomBytes(3_000_000).toString('base64') });
    const { data } = await github.as().rest.repos.getBranch({ owner: 'demo', repo: 'shop', branch: 'large' });
    expect(data.commit.sha).toBe(sha);
  });

  test('a push that breaks off leaves the repository working', async () => {
    const stop = new AbortController();
    const push = fetch(`${gitUrl(github.url, 'demo/shop')}/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.demo}`,
        'content-type': 'application/x-git-receive-pack-request',
      },
      // A packet that announces more than ever comes.
      body: new ReadableStream({ start: controller => controller.enqueue(Buffer.from('00b4')) }),
      duplex: 'half',
      signal: stop.signal,
    } as RequestInit);
    setTimeout(() => stop.abort(), 200);
    await expect(push).rejects.toThrow();
    await shop.push('after', { 'after.txt': 'still here' });
  });
});
