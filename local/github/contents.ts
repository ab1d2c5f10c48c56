import type { FastifyInstance } from 'fastify';
import { openRepository, type RepositoryParams } from './access.ts';
import { fullName, type GitHub, gitDirectory } from './context.ts';
import { notFound } from './errors.ts';
import { findCommit, git, gitBytes, gitOrNothing } from './git.ts';
import { type Links, linksFor } from './links.ts';

type WithPath = { Params: RepositoryParams & { '*': string }; Querystring: { ref?: string } };

/** Above this a file's content comes only in the raw form, as on GitHub. */
const inlineLimit = 1024 * 1024;

interface Entry {
  mode: string;
  type: 'blob' | 'tree' | 'commit';
  sha: string;
  size: number;
  path: string;
}

/** Files and directories of a commit. */
export function contentRoutes(app: FastifyInstance, github: GitHub): void {
  app.get<WithPath & { Params: { sha: string }; Querystring: { recursive?: string } }>(
    '/repos/:owner/:repo/git/trees/:sha',
    async request => {
      const { repository } = openRepository(github, request, 'contents', 'read');
      const directory = gitDirectory(github, repository);
      const name = request.params.sha;
      const commit = await findCommit(directory, name);
      const sha = (
        await gitOrNothing(directory, ['rev-parse', '--verify', '--quiet', `${commit ?? name}^{tree}`])
      )?.trim();
      if (!sha || !(commit || /^[0-9a-f]{40}$/.test(name))) throw notFound();
      const url = `${linksFor(github, request).api}/repos/${fullName(github, repository)}/git`;
      const entries = await listTree(directory, sha, request.query.recursive !== undefined);
      return {
        sha,
        url: `${url}/trees/${sha}`,
        truncated: false,
        tree: entries.map(entry => ({
          path: entry.path,
          mode: entry.mode,
          type: entry.type,
          sha: entry.sha,
          ...(entry.type === 'blob' && { size: entry.size }),
          url: `${url}/${entry.type}s/${entry.sha}`,
        })),
      };
    },
  );

  app.get<WithPath>('/repos/:owner/:repo/contents', (request, reply) => reply.redirect(`${request.url}/`));

  app.get<WithPath>('/repos/:owner/:repo/contents/*', async (request, reply) => {
    const { repository } = openRepository(github, request, 'contents', 'read');
    const directory = gitDirectory(github, repository);
    const ref = request.query.ref ?? repository.defaultBranch;
    const commit = await findCommit(directory, ref);
    const path = request.params['*'].replace(/^\/+|\/+$/g, '');
    const entry = commit && (await findEntry(directory, commit, path));
    if (!entry) throw notFound();

    const base = { links: linksFor(github, request), repository: fullName(github, repository), ref };
    if (entry.type === 'tree') {
      const prefix = path ? `${path}/` : '';
      const entries = await listTree(directory, entry.sha, false);
      return entries.map(each => renderEntry({ ...each, path: `${prefix}${each.path}` }, base));
    }
    if (entry.type === 'commit') return renderEntry(entry, base);
    const bytes = await gitBytes(directory, ['cat-file', 'blob', entry.sha]);
    if (request.headers.accept?.includes('raw')) {
      return reply.type('application/vnd.github.raw+json; charset=utf-8').send(bytes);
    }
    return { ...renderEntry(entry, base), ...inline(bytes) };
  });
}

/** Base64 in lines of 60, as GitHub writes it. */
const inline = (bytes: Buffer) =>
  bytes.length > inlineLimit
    ? { content: '', encoding: 'none' }
    : { content: bytes.toString('base64').replace(/.{1,60}/g, '$&\n'), encoding: 'base64' };

async function listTree(directory: string, tree: string, recursive: boolean): Promise<Entry[]> {
  const flags = recursive ? ['-r', '-t'] : [];
  const output = await git(directory, ['ls-tree', '-z', '-l', ...flags, tree]);
  return output.split('\0').filter(Boolean).map(parseEntry);
}

async function findEntry(directory: string, commit: string, path: string): Promise<Entry | undefined> {
  if (path === '') {
    const sha = (await git(directory, ['rev-parse', `${commit}^{tree}`])).trim();
    return { mode: '040000', type: 'tree', sha, size: 0, path };
  }
  const output = await gitOrNothing(directory, ['ls-tree', '-z', '-l', '--full-tree', commit, '--', path]);
  const entry = output?.split('\0').filter(Boolean).map(parseEntry)[0];
  return entry?.path === path ? entry : undefined;
}

function parseEntry(record: string): Entry {
  const [head = '', path = ''] = record.split(/\t(.*)/s, 2);
  const [mode = '', type = 'blob', sha = '', size = ''] = head.split(/ +/);
  return { mode, type: type as Entry['type'], sha, size: Number(size) || 0, path };
}

const kinds = { blob: 'file', tree: 'dir', commit: 'submodule' } as const;

function renderEntry(entry: Entry, base: { links: Links; repository: string; ref: string }) {
  const file = encodeURI(entry.path);
  const api = `${base.links.api}/repos/${base.repository}`;
  const html = `${base.links.html}/${base.repository}`;
  const url = `${api}/contents/${file}?ref=${base.ref}`;
  const gitUrl = `${api}/git/${entry.type === 'tree' ? 'trees' : 'blobs'}/${entry.sha}`;
  const htmlUrl = `${html}/${entry.type === 'tree' ? 'tree' : 'blob'}/${base.ref}/${file}`;
  return {
    type: entry.mode === '120000' ? 'symlink' : kinds[entry.type],
    name: entry.path.split('/').at(-1) ?? '',
    path: entry.path,
    sha: entry.sha,
    size: entry.size,
    url,
    git_url: gitUrl,
    html_url: htmlUrl,
    download_url: entry.type === 'blob' ? `${html}/raw/${base.ref}/${file}` : null,
    _links: { self: url, git: gitUrl, html: htmlUrl },
  };
}
