import { execFile } from 'node:child_process';
import { ApiError } from './errors.ts';

const outputLimit = 64 * 1024 * 1024;

/** Git's environment: nobody's own configuration, no prompts, no messages in another language. */
export const gitEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
});

interface GitError extends Error {
  code?: number | string;
}

/** Runs git in a bare repository and gives its output's bytes. Rejects with git's own words. */
export function gitBytes(
  directory: string,
  args: string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    execFile(
      'git',
      ['--git-dir', directory, ...args],
      { env: { ...gitEnvironment(), ...environment }, maxBuffer: outputLimit, encoding: 'buffer' },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
  });
}

export async function git(
  directory: string,
  args: string[],
  environment?: NodeJS.ProcessEnv,
): Promise<string> {
  return (await gitBytes(directory, args, environment)).toString('utf8');
}

/** As `git`, but undefined where git says no (exit code 1 or 128) instead of failing. */
export async function gitOrNothing(directory: string, args: string[]): Promise<string | undefined> {
  try {
    return await git(directory, args);
  } catch (error) {
    const { code } = error as GitError;
    if (code === 1 || code === 128) return undefined;
    throw error;
  }
}

/** Makes a bare repository that lets clients fetch any commit, shallow and without blobs, as GitHub does. */
export async function createBareRepository(directory: string, branch: string): Promise<void> {
  await git(directory, ['init', '--quiet', '--bare', `--initial-branch=${branch}`, directory]);
  const settings = {
    'http.receivepack': 'true',
    'http.getanyfile': 'false',
    'uploadpack.allowFilter': 'true',
    'uploadpack.allowAnySHA1InWant': 'true',
    'receive.hideRefs': 'refs/pull',
    'gc.auto': '0',
  };
  for (const [key, value] of Object.entries(settings)) await git(directory, ['config', key, value]);
}

/** Every ref and the commit it points to. */
export async function listRefs(directory: string, prefix = 'refs'): Promise<Map<string, string>> {
  const output = await git(directory, ['for-each-ref', '--format=%(objectname) %(refname)', prefix]);
  return new Map(
    lines(output).map(line => {
      const [sha = '', name = ''] = line.split(' ', 2);
      return [name, sha];
    }),
  );
}

export const lines = (text: string): string[] => text.split('\n').filter(line => line !== '');

/** The commit a branch, tag, `heads/…`, `pull/N/head` or (short) SHA names, or undefined. */
export async function findCommit(directory: string, ref: string): Promise<string | undefined> {
  // Only names and SHAs: git itself would also take `main~3` or `@{yesterday}`, which GitHub does not.
  for (const name of [`refs/heads/${ref}`, `refs/tags/${ref}`, `refs/${ref}`, ref]) {
    const sha = await gitOrNothing(directory, ['show-ref', '--verify', '--hash', '--', name]);
    if (sha) return peel(directory, sha.trim());
  }
  return /^[0-9a-f]{4,40}$/i.test(ref) ? peel(directory, ref) : undefined;
}

async function peel(directory: string, sha: string): Promise<string | undefined> {
  return (await gitOrNothing(directory, ['rev-parse', '--verify', '--quiet', `${sha}^{commit}`]))?.trim();
}

/** As `findCommit`; throws GitHub's 422 for a commit that is not there. */
export async function commitOf(directory: string, ref: string): Promise<string> {
  const sha = await findCommit(directory, ref);
  if (!sha) throw new ApiError(422, `No commit found for SHA: ${ref}`);
  return sha;
}
