import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A working copy made by the machine's own git, over HTTP. */
export interface Clone {
  readonly directory: string;
  git(...args: string[]): Promise<string>;
  /** Writes files, commits them on a branch (made from main if new) and pushes it. Resolves to the commit's SHA. */
  push(branch: string, files: Record<string, string>): Promise<string>;
  remove(): Promise<void>;
}

export const gitUrl = (base: string, repository: string, token?: string): string =>
  `${token ? base.replace('://', `://any:${token}@`) : base}/${repository}.git`;

/** Runs git with no configuration of the machine's and no prompts. */
export async function runGit(directory: string, ...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Demo',
    GIT_AUTHOR_EMAIL: 'demo@example.org',
    GIT_COMMITTER_NAME: 'Demo',
    GIT_COMMITTER_EMAIL: 'demo@example.org',
  };
  const { stdout } = await run('git', args, { cwd: directory, env });
  return stdout.trim();
}

export async function clone(url: string, ...options: string[]): Promise<Clone> {
  const directory = await mkdtemp(join(tmpdir(), 'greenroom-clone-'));
  const git = (...args: string[]) => runGit(directory, ...args);
  await git('clone', '--quiet', ...options, url, '.');
  return {
    directory,
    git,
    async push(branch, files) {
      await git('switch', '--quiet', branch)
        .catch(() => git('switch', '--quiet', '--no-track', '-c', branch, 'origin/main'))
        .catch(() => git('switch', '--quiet', '-c', branch));
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(directory, path)), { recursive: true });
        await writeFile(join(directory, path), text);
      }
      await git('add', '--all');
      await git('commit', '--quiet', '-m', `Change ${Object.keys(files).join(', ')}`);
      await git('push', '--quiet', 'origin', branch);
      return git('rev-parse', 'HEAD');
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
