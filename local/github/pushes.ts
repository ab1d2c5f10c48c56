import { fullName, type GitHub, gitDirectory, pullsOf } from './context.ts';
import { emit } from './events.ts';
import { git, gitOrNothing, listRefs } from './git.ts';
import {
  type GitCommit,
  isAncestor,
  readChanges,
  readCommit,
  readCommits,
  type Signature,
} from './git-history.ts';
import type { Links } from './links.ts';
import { emitPull } from './pull-events.ts';
import { type Account, now, type Pull, type Repository } from './state.ts';

const none = '0'.repeat(40);

/** One moved ref: 40 zeros stand for "did not exist" and "does not exist any more", as in webhooks. */
interface RefChange {
  ref: string;
  before: string;
  after: string;
}

const queues = new Map<string, Promise<unknown>>();

/**
 * Runs what may move refs, then tells pull requests and webhooks about each ref that moved. One at a time per
 * repository, so that before and after are of this change alone.
 */
export function movingRefs<T>(
  github: GitHub,
  repository: Repository,
  pusher: Account,
  work: () => Promise<T>,
): Promise<T> {
  const directory = gitDirectory(github, repository);
  const run = async () => {
    const before = await listRefs(directory);
    const result = await work();
    for (const change of compare(before, await listRefs(directory))) {
      await announce(github, repository, pusher, change);
    }
    await github.store.flush();
    return result;
  };
  const result = (queues.get(directory) ?? Promise.resolve()).then(run, run);
  queues.set(directory, result);
  return result;
}

function compare(before: Map<string, string>, after: Map<string, string>): RefChange[] {
  const refs = [...new Set([...before.keys(), ...after.keys()])].filter(ref => !ref.startsWith('refs/pull/'));
  return refs
    .map(ref => ({ ref, before: before.get(ref) ?? none, after: after.get(ref) ?? none }))
    .filter(change => change.before !== change.after);
}

async function announce(github: GitHub, repository: Repository, pusher: Account, change: RefChange) {
  repository.pushedAt = now();
  repository.updatedAt = repository.pushedAt;
  github.store.changed();
  await adoptDefaultBranch(github, repository, change);
  await emit(github, {
    name: 'push',
    action: null,
    repository,
    sender: pusher,
    payload: links => renderPush(github, repository, pusher, change, links),
  });
  if (!change.ref.startsWith('refs/heads/')) return;
  const branch = change.ref.slice('refs/heads/'.length);
  for (const pull of pullsOf(github, repository).filter(each => each.state === 'open')) {
    await movePull(github, repository, pull, pusher, { ...change, ref: branch });
  }
}

/** The first branch pushed to an empty repository becomes its default branch. */
async function adoptDefaultBranch(github: GitHub, repository: Repository, change: RefChange) {
  if (!change.ref.startsWith('refs/heads/') || change.after === none) return;
  const directory = gitDirectory(github, repository);
  const current = `refs/heads/${repository.defaultBranch}`;
  if (await gitOrNothing(directory, ['show-ref', '--verify', '--hash', '--', current])) return;
  repository.defaultBranch = change.ref.slice('refs/heads/'.length);
  await git(directory, ['symbolic-ref', 'HEAD', change.ref]);
}

async function movePull(
  github: GitHub,
  repository: Repository,
  pull: Pull,
  sender: Account,
  move: RefChange,
) {
  const { ref, before, after } = move;
  if (after === none) {
    if (pull.headRef === ref || pull.baseRef === ref) await closePull(github, repository, pull, sender);
    return;
  }
  if (pull.baseRef === ref) {
    pull.baseSha = after;
    return;
  }
  if (pull.headRef !== ref) return;
  pull.headSha = after;
  pull.updatedAt = now();
  await updatePullRef(github, repository, pull);
  await emitPull(github, repository, pull, sender, { action: 'synchronize', before, after });
}

/** Keeps `refs/pull/N/head` at the pull request's head, where it stays when the branch is gone. */
export async function updatePullRef(github: GitHub, repository: Repository, pull: Pull): Promise<void> {
  const ref = `refs/pull/${pull.number}/head`;
  await git(gitDirectory(github, repository), ['update-ref', ref, pull.headSha]);
}

/** Closes a pull request; as merged where `pull.mergedAt` has been set. */
export async function closePull(github: GitHub, repository: Repository, pull: Pull, sender: Account) {
  pull.state = 'closed';
  pull.closedAt = now();
  pull.updatedAt = pull.closedAt;
  github.store.changed();
  await emitPull(github, repository, pull, sender, { action: 'closed' });
}

async function renderPush(
  github: GitHub,
  repository: Repository,
  pusher: Account,
  { ref, before, after }: RefChange,
  links: Links,
) {
  const directory = gitDirectory(github, repository);
  const path = fullName(github, repository);
  const created = before === none;
  const deleted = after === none;
  // A new branch's commits are those that no other branch has.
  const others = ['--not', `--exclude=${ref.slice('refs/heads/'.length)}`, '--branches'];
  const range = created ? [after, ...others] : [`${before}..${after}`];
  const commits = deleted ? [] : (await readCommits(directory, range, { limit: 20 })).reverse();
  const forced = !created && !deleted && !(await isAncestor(directory, before, after));
  const render = (commit: GitCommit) => renderPushedCommit(directory, `${links.html}/${path}`, commit);
  return {
    ref,
    before,
    after,
    created,
    deleted,
    forced,
    base_ref: null,
    compare: `${links.html}/${path}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: await Promise.all(commits.map(render)),
    head_commit: deleted ? null : await render(await readCommit(directory, after)),
    pusher: { name: pusher.login, email: pusher.email },
  };
}

async function renderPushedCommit(directory: string, html: string, commit: GitCommit) {
  const changes = await readChanges(directory, commit.parents[0], commit.sha);
  const paths = (status: string) => changes.filter(each => each.status === status).map(each => each.path);
  const person = ({ name, email }: Signature) => ({ name, email });
  return {
    id: commit.sha,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message,
    timestamp: commit.committer.date,
    url: `${html}/commit/${commit.sha}`,
    author: person(commit.author),
    committer: person(commit.committer),
    added: paths('added'),
    removed: paths('removed'),
    modified: paths('modified'),
  };
}
