import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';

const { isAbsolute, normalize } = posix;
const run = promisify(execFile);
const FETCH_TIMEOUT_MS = 120_000;
const LARGEST_FILE_BYTES = 2 * 1024 * 1024;

/** The repository answered, and what was asked for is not there: trying again does not help. */
export class NotInRepository extends Error {}

/** Where to fetch from. The token goes to git through its environment: never into an argument, a URL or a file. */
export interface Remote {
  url: string;
  token?: string;
}

/** One commit, of which only the trees are fetched; files come when they are read. */
export interface Checkout {
  /** Paths of all files. */
  files(): Promise<string[]>;
  /** Content of a file; undefined when there is none. Throws for symbolic links and files over 2 MiB. */
  readFile(path: string): Promise<string | undefined>;
  /** Hash of a folder's tree: the same exactly when all of its content is. Undefined when there is no such folder. */
  treeHash(folder: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The commit that a branch, tag or full ref points to now. */
export async function resolveRef(remote: Remote, ref: string): Promise<string> {
  const names = ref.startsWith('refs/')
    ? [ref, `${ref}^{}`]
    : [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/tags/${ref}^{}`];
  const lines = (await git(tmpdir(), remote, ['ls-remote', '--', remote.url, ...names])).trim().split('\n');
  const found = new Map(lines.map(line => line.split('\t').toReversed() as [string, string]));
  // The commit behind an annotated tag, not the tag object.
  const commit = names.toReversed().flatMap(name => found.get(name) ?? [])[0];
  if (!commit) throw new NotInRepository(`${remote.url} has no branch or tag ${ref}`);
  return commit;
}

/** Fetches one commit, without its files. Close the checkout afterwards. */
export async function fetchCommit(remote: Remote, commit: string): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-source-'));
  const close = () => rm(folder, { recursive: true, force: true });
  const at = (args: string[]) => git(folder, remote, args);
  try {
    await at(['init', '--quiet', '--bare', '.']);
    await at(['config', 'remote.origin.url', remote.url]);
    await at(['config', 'remote.origin.promisor', 'true']);
    await at(['config', 'remote.origin.partialclonefilter', 'blob:none']);
    await at(['fetch', '--quiet', '--depth=1', '--no-tags', '--filter=blob:none', 'origin', commit]);
  } catch (error) {
    await close();
    if (/not our ref|couldn't find remote ref|did not send all necessary/i.test(String(error))) {
      throw new NotInRepository(`${remote.url} has no commit ${commit}`);
    }
    throw error;
  }
  const entry = async (path: string) => {
    const clean = normalize(path);
    if (isAbsolute(clean) || /^\.\.(\/|$)/.test(clean))
      throw new NotInRepository(`${path} is outside the repository`);
    const [line = ''] = (await at(['ls-tree', '-l', '-z', commit, '--', clean])).split('\0');
    const [info = '', name] = line.split('\t', 2);
    const [mode, type, hash, size] = info.split(/\s+/, 4);
    // Of a folder with a slash at its end, git lists what is in it.
    return hash && name === clean ? { mode, type, hash, size: Number(size) } : undefined;
  };
  return {
    close,
    files: async () => (await at(['ls-tree', '-r', '-z', '--name-only', commit])).split('\0').filter(Boolean),
    readFile: async path => {
      const found = await entry(path);
      if (found?.type !== 'blob') return undefined;
      if (found.mode === '120000')
        throw new NotInRepository(`${path} is a symbolic link; Greenroom reads plain files only`);
      if (found.size > LARGEST_FILE_BYTES) throw new NotInRepository(`${path} is larger than 2 MiB`);
      return at(['cat-file', 'blob', found.hash]);
    },
    treeHash: async path => {
      const clean = path.replace(/^\.\/+/, '').replace(/\/+$/, '');
      if (clean === '' || clean === '.') return (await at(['rev-parse', `${commit}^{tree}`])).trim();
      const found = await entry(clean);
      return found?.type === 'tree' ? found.hash : undefined;
    },
  };
}

/** The line of a failed git command's message that says why; what comes before it is the command line. */
export function whatGitSaid(message: string): string {
  const lines = message.split('\n').filter(line => line.trim() !== '');
  return lines.find(line => /^(fatal|error|remote):/.test(line)) ?? lines[0] ?? message;
}

async function git(cwd: string, { token }: Remote, args: string[]): Promise<string> {
  const { stdout } = await run('git', ['-c', 'core.hooksPath=/dev/null', ...args], {
    cwd,
    timeout: FETCH_TIMEOUT_MS,
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_SSL_CAINFO: process.env.GIT_SSL_CAINFO,
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ALLOW_PROTOCOL: 'http:https',
      ...(token && {
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'http.extraHeader',
        GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`,
      }),
    },
  });
  return stdout;
}
