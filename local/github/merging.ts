import { fullName, type GitHub, gitDirectory } from './context.ts';
import { ApiError } from './errors.ts';
import { git, gitOrNothing } from './git.ts';
import { closePull, movingRefs } from './pushes.ts';
import { type Account, now, type Pull, type Repository } from './state.ts';

/** Merges with a merge commit on the base branch. Throws 405 where it is closed or conflicts. */
export function mergePull(
  github: GitHub,
  repository: Repository,
  pull: Pull,
  merger: Account,
): Promise<string> {
  const directory = gitDirectory(github, repository);
  return movingRefs(github, repository, merger, async () => {
    if (pull.state !== 'open') throw new ApiError(405, 'Pull Request is not mergeable');
    const tree = await gitOrNothing(directory, ['merge-tree', '--write-tree', pull.baseSha, pull.headSha]);
    if (!tree) throw new ApiError(405, 'Merge conflict');
    const [owner] = fullName(github, repository).split('/');
    const message = `Merge pull request #${pull.number} from ${owner}/${pull.headRef}\n\n${pull.title}`;
    const args = ['commit-tree', tree.trim(), '-p', pull.baseSha, '-p', pull.headSha, '-m', message];
    const sha = (await git(directory, args, authorship(merger))).trim();
    await git(directory, ['update-ref', `refs/heads/${pull.baseRef}`, sha, pull.baseSha]);
    pull.mergedAt = now();
    pull.mergedById = merger.id;
    pull.mergeCommitSha = sha;
    await closePull(github, repository, pull, merger);
    return sha;
  });
}

interface Person {
  name: string;
  email: string;
}

/** Git's environment variables for who wrote a commit. */
export const authorship = ({ name, email }: Person): NodeJS.ProcessEnv => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});
