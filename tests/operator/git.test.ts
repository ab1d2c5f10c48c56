import { chmod, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Checkout,
  fetchCommit,
  NotInRepository,
  type Remote,
  resolveRef,
} from '../../operator/src/source/git.ts';
import { type Clone, clone, gitUrl } from '../github/clone.ts';
import { startTestGitHub, type TestGitHub, tokens } from '../github/start.ts';

const MISSING = 'd'.repeat(40);

let github: TestGitHub;
let work: Clone;
let shop: Remote;
let secret: Remote;
/** Commits of main, oldest first: the second changes only `web/`. */
let first: string;
let second: string;
let branch: string;

beforeAll(async () => {
  github = await startTestGitHub();
  shop = { url: gitUrl(github.url, 'demo/shop') };
  secret = { url: gitUrl(github.url, 'demo/secret') };
  work = await clone(gitUrl(github.url, 'demo/shop', tokens.demo));
  await symlink('/etc/passwd', join(work.directory, 'link'));
  await symlink('api', join(work.directory, 'folder-link'));
  first = await work.push('main', {
    'compose.yaml': 'services: {}\n',
    'web/Dockerfile': 'FROM nginx\n',
    'web/page.html': 'one\n',
    'api/Dockerfile': 'FROM node\n',
    'naïve/ü$(x).txt': 'umlaut\n',
    'large.txt': 'x'.repeat(2 * 1024 * 1024 + 1),
  });
  await work.git('tag', 'light');
  await work.git('tag', '--annotate', '-m', 'A release', 'v1');
  second = await work.push('main', { 'web/page.html': 'two\n' });
  branch = await work.push('feature/login', { 'branch.txt': 'b\n' });
  await work.git('push', '--quiet', 'origin', '--tags');
  const other = await clone(gitUrl(github.url, 'demo/secret', tokens.demo));
  await other.push('main', { 'compose.yaml': 'services: {}\n' });
  await other.remove();
});
afterAll(async () => {
  await work?.remove();
  await github?.close();
});

describe('the commit of a ref', () => {
  it.each<[string, string, () => string]>([
    ['a branch', 'main', () => second],
    ['a branch with a slash', 'feature/login', () => branch],
    ['a tag', 'light', () => first],
    ['an annotated tag, not the tag object', 'v1', () => first],
    ['a full ref', 'refs/heads/main', () => second],
    ['the full ref of an annotated tag', 'refs/tags/v1', () => first],
  ])('%s', async (_what, ref, commit) => expect(await resolveRef(shop, ref)).toBe(commit()));

  it.each(['gone', 'login', 'HEAD', 'mai*', 'refs/heads/gone'])('%s is not there', async ref => {
    const refused = expect(resolveRef(shop, ref)).rejects;
    await refused.toThrow(NotInRepository);
    await refused.toThrow(`has no branch or tag ${ref}`);
  });

  it('is no option of git, whatever it is called', async () =>
    await expect(resolveRef(shop, '--upload-pack=touch /tmp/pwned')).rejects.toThrow(NotInRepository));

  it('cannot be had from a server that is away, which is no answer about the ref', async () => {
    const away = resolveRef({ url: 'http://127.0.0.1:1/demo/shop.git' }, 'main');
    await expect(away).rejects.toThrow(/Failed to connect|Connection refused|Couldn't connect/);
    await expect(away).rejects.not.toBeInstanceOf(NotInRepository);
  });

  it.each(['/etc', 'file:///etc', 'ssh://git@127.0.0.1/x', 'ext::touch /tmp/pwned'])(
    'is not read from %s',
    async url => await expect(resolveRef({ url }, 'main')).rejects.toThrow(/not allowed/),
  );
});

describe('a checkout', () => {
  let one: Checkout;
  let two: Checkout;
  beforeAll(async () => {
    [one, two] = await Promise.all([fetchCommit(shop, first), fetchCommit(shop, second)]);
  });
  afterAll(() => Promise.all([one?.close(), two?.close()]));

  it('is of exactly that commit, also where a branch has moved on', async () => {
    expect(await one.readFile('web/page.html')).toBe('one\n');
    expect(await two.readFile('web/page.html')).toBe('two\n');
  });

  it('lists all files', async () =>
    expect((await one.files()).toSorted()).toEqual(
      [
        'api/Dockerfile',
        'compose.yaml',
        'folder-link',
        'large.txt',
        'link',
        'naïve/ü$(x).txt',
        'web/Dockerfile',
        'web/page.html',
      ].toSorted(),
    ));

  it('reads a file, whatever its name', async () =>
    expect(await one.readFile('naïve/ü$(x).txt')).toBe('umlaut\n'));

  it.each([
    'gone.txt',
    'web',
    'web/gone',
    'folder-link/Dockerfile',
    'compose.yaml/x',
    'web/',
    'api/',
    '.',
    '',
  ])('has no file "%s"', async path => expect(await one.readFile(path)).toBeUndefined());

  it.each(['../../../../etc/passwd', '/etc/passwd', 'web/../../x'])(
    'reads nothing at %s, outside',
    async path => await expect(one.readFile(path)).rejects.toThrow(NotInRepository),
  );

  it('refuses symbolic links, and files that are too large', async () => {
    await expect(one.readFile('link')).rejects.toThrow('link is a symbolic link');
    await expect(one.readFile('large.txt')).rejects.toThrow('large.txt is larger than 2 MiB');
  });

  it('takes a submodule for no file', async () => {
    await work.git('switch', '--quiet', '--detach', first);
    await work.git('update-index', '--add', '--cacheinfo', `160000,${MISSING},module`);
    await work.git('commit', '--quiet', '-m', 'A submodule');
    await work.git('push', '--quiet', 'origin', 'HEAD:refs/heads/module');
    const checkout = await fetchCommit(shop, await work.git('rev-parse', 'HEAD'));
    expect(await checkout.readFile('module')).toBeUndefined();
    expect(await checkout.treeHash('module')).toBeUndefined();
    await checkout.close();
  });

  it('gives a folder the same hash while its content is the same, and another when it is not', async () => {
    expect(await one.treeHash('api')).toMatch(/^[0-9a-f]{40}$/);
    expect(await one.treeHash('api')).toBe(await two.treeHash('api'));
    expect(await one.treeHash('web')).not.toBe(await two.treeHash('web'));
    expect(await one.treeHash('.')).not.toBe(await two.treeHash('.'));
    for (const spelling of ['./web', 'web/', './web//']) {
      expect(await one.treeHash(spelling)).toBe(await one.treeHash('web'));
    }
  });

  it.each(['gone', 'compose.yaml', 'folder-link', 'web/gone'])('has no folder %s', async path =>
    expect(await one.treeHash(path)).toBeUndefined(),
  );

  it('leaves nothing behind', async () => {
    const folders = async () =>
      (await readdir(tmpdir())).filter(name => name.startsWith('greenroom-source-'));
    const before = await folders();
    await (await fetchCommit(shop, first)).close();
    await fetchCommit(shop, MISSING).catch(() => {});
    expect((await folders()).filter(name => !before.includes(name))).toEqual([]);
  });

  it('there is none of a commit that does not exist', async () => {
    const missing = expect(fetchCommit(shop, MISSING)).rejects;
    await missing.toThrow(NotInRepository);
    await missing.toThrow(`has no commit ${MISSING}`);
  });
});

describe('a private repository', () => {
  const TOKEN = tokens.demo;
  const encoded = Buffer.from(`x-access-token:${TOKEN}`).toString('base64');

  it('needs a token, and says so without waiting for one to be typed', async () =>
    await expect(resolveRef(secret, 'main')).rejects.toThrow(/terminal prompts disabled/));

  it('cannot be told from one that is not there with a stranger’s token', async () =>
    await expect(resolveRef({ ...secret, token: tokens.mallory }, 'main')).rejects.toThrow(/not found/));

  it('is read with a token that is in no argument and in no file', async () => {
    const { argv, result } = await recordingGit(async () => {
      const commit = await resolveRef({ ...secret, token: TOKEN }, 'main');
      const checkout = await fetchCommit({ ...secret, token: TOKEN }, commit);
      const content = await checkout.readFile('compose.yaml');
      const folder =
        (await readdir(tmpdir())).filter(name => name.startsWith('greenroom-source-')).at(-1) ?? '';
      const config = await readFile(join(tmpdir(), folder, 'config'), 'utf8');
      await checkout.close();
      return { content, config };
    });
    expect(result.content).toBe('services: {}\n');
    expect(argv).toContain('ls-remote');
    expect(argv).toContain('fetch');
    for (const text of [argv, result.config]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(encoded);
    }
  });

  it.each<[string, (remote: Remote) => Promise<unknown>]>([
    ['a ref that is missing', remote => resolveRef(remote, 'gone')],
    [
      'a repository that is missing',
      remote => resolveRef({ ...remote, url: gitUrl(github.url, 'demo/gone') }, 'main'),
    ],
    ['a commit that is missing', remote => fetchCommit(remote, MISSING)],
    ['a server that is away', remote => resolveRef({ ...remote, url: 'http://127.0.0.1:1/x.git' }, 'main')],
  ])('%s: the error does not give the token away', async (_what, call) => {
    const error: Error = await call({ ...secret, token: TOKEN }).then(
      () => expect.fail('it was to be refused'),
      refused => refused,
    );
    const told = JSON.stringify({ ...error, message: error.message, stack: error.stack });
    expect(told).not.toContain(TOKEN);
    expect(told).not.toContain(encoded);
  });
});

/** Runs with a `git` first in the path that writes its arguments down and then is git. */
async function recordingGit<T>(run: () => Promise<T>): Promise<{ argv: string; result: T }> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-argv-'));
  const path = process.env.PATH ?? '';
  const log = join(folder, 'argv');
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" >> '${log}'\nPATH='${path}'\nexec git "$@"\n`;
  await writeFile(join(folder, 'git'), script);
  await chmod(join(folder, 'git'), 0o755);
  process.env.PATH = folder + delimiter + path;
  try {
    const result = await run();
    return { argv: await readFile(log, 'utf8'), result };
  } finally {
    process.env.PATH = path;
    await rm(folder, { recursive: true, force: true });
  }
}
