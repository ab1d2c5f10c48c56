import { git, gitOrNothing } from './git.ts';
import { toTime } from './state.ts';

export interface Signature {
  name: string;
  email: string;
  date: string;
}

export interface GitCommit {
  sha: string;
  tree: string;
  parents: string[];
  author: Signature;
  committer: Signature;
  message: string;
}

export interface FileChange {
  path: string;
  status: 'added' | 'removed' | 'modified';
  /** The blob after the change, or before it for a removed file. */
  sha: string;
  additions: number;
  deletions: number;
}

const separator = '\x1f';
const format = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x1f');
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Commits of a range, given as git's arguments (`[sha]`, `['base..head']`), newest first. */
export async function readCommits(
  directory: string,
  range: string[],
  { limit = 250, skip = 0, path }: { limit?: number; skip?: number; path?: string } = {},
): Promise<GitCommit[]> {
  const output = await git(directory, [
    'log',
    '-z',
    `--format=${format}`,
    `--max-count=${limit}`,
    `--skip=${skip}`,
    ...range,
    '--',
    ...(path ? [`:(literal)${path}`] : []),
  ]);
  return output.split('\0').filter(Boolean).map(parseCommit);
}

export async function readCommit(directory: string, sha: string): Promise<GitCommit> {
  const [commit] = await readCommits(directory, [sha], { limit: 1 });
  if (!commit) throw new Error(`commit ${sha} has no log entry in ${directory}`);
  return commit;
}

function parseCommit(record: string): GitCommit {
  const [sha = '', tree = '', parents = '', ...rest] = record.split(separator);
  const [an = '', ae = '', ad = '', cn = '', ce = '', cd = '', ...message] = rest;
  return {
    sha,
    tree,
    parents: parents.split(' ').filter(Boolean),
    author: { name: an, email: ae, date: toTime(new Date(ad)) },
    committer: { name: cn, email: ce, date: toTime(new Date(cd)) },
    message: message.join(separator).trimEnd(),
  };
}

export async function countCommits(directory: string, range: string): Promise<number> {
  return Number(await git(directory, ['rev-list', '--count', range, '--']));
}

/** Where two commits' histories part, or undefined where they share none. */
export async function mergeBase(directory: string, a: string, b: string): Promise<string | undefined> {
  return (await gitOrNothing(directory, ['merge-base', a, b]))?.trim();
}

export async function isAncestor(directory: string, older: string, newer: string): Promise<boolean> {
  return (await gitOrNothing(directory, ['merge-base', '--is-ancestor', older, newer])) !== undefined;
}

/** The files that differ between two commits; from nothing when `from` is undefined. Renames are two changes. */
export async function readChanges(
  directory: string,
  from: string | undefined,
  to: string,
): Promise<FileChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--numstat', '--no-renames', from ?? emptyTree, to];
  const fields = (await git(directory, args)).split('\0').filter(Boolean);
  const changes = new Map<string, FileChange>();
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] ?? '';
    if (field.startsWith(':')) {
      const change = parseRaw(field, fields[++index] ?? '');
      changes.set(change.path, change);
    } else {
      const [additions = '', deletions = '', path = ''] = field.split('\t');
      // A binary file's counts are dashes.
      Object.assign(changes.get(path) ?? {}, {
        additions: Number(additions) || 0,
        deletions: Number(deletions) || 0,
      });
    }
  }
  return [...changes.values()];
}

function parseRaw(field: string, path: string): FileChange {
  const [, , before = '', after = '', letter = 'M'] = field.slice(1).split(' ');
  const status = letter === 'A' ? 'added' : letter === 'D' ? 'removed' : 'modified';
  return { path, status, sha: status === 'removed' ? before : after, additions: 0, deletions: 0 };
}

/** Lines added and removed in all of some changes. */
export const totals = (changes: FileChange[]): { additions: number; deletions: number } => ({
  additions: changes.reduce((sum, each) => sum + each.additions, 0),
  deletions: changes.reduce((sum, each) => sum + each.deletions, 0),
});
