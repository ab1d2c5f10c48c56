import type { Octokit } from 'octokit';
import type { Context } from '../context.ts';
import { asUser } from '../github/as-user.ts';
import { type RepositoryName, splitName } from '../github/contents.ts';
import { HttpError } from '../http/errors.ts';
import type { RepositoryDoc } from '../store/repositories.ts';
import type { UserDoc } from '../store/users.ts';

const TRUSTED_MS = 10 * 60_000;
const TRUSTED_WITHOUT_ANSWER_MS = 60_000;

/** A repository on GitHub that this person may push to: reading it is not enough to deploy it. Throws 404 or 403. */
export function writableRepository(context: Context, user: UserDoc, name: RepositoryName) {
  return asUser(context, user, 'Repository', octokit => readWritable(octokit, name));
}

async function readWritable(octokit: Octokit, name: RepositoryName) {
  const { data } = await octokit.rest.repos.get(name);
  if (data.permissions?.push) return data;
  throw new HttpError(403, `You need write access to ${data.full_name}`, 'write_access_required');
}

/** Until when a person's access to a repository is taken for granted, by `<user>:<repository>`. */
export type Trust = Map<string, number>;

/**
 * Asks GitHub again, now and then, whether a person may still push to a repository that they connected. Someone who may
 * not loses it, false; a GitHub that does not answer takes nothing away.
 */
export async function confirmAccess(
  context: Context,
  trust: Trust,
  user: UserDoc,
  repository: RepositoryDoc,
): Promise<boolean> {
  const key = `${user._id}:${repository._id}`;
  const now = Date.now();
  if ((trust.get(key) ?? 0) > now) return true;
  try {
    await writableRepository(context, user, splitName(repository.full_name));
    trust.set(key, now + TRUSTED_MS);
  } catch (error) {
    const isDenied = error instanceof HttpError && (error.status === 404 || error.status === 403);
    if (isDenied) {
      trust.delete(key);
      await context.store.repositories.updateOne({ _id: repository._id }, { $pull: { user_ids: user._id } });
      return false;
    }
    trust.set(key, now + TRUSTED_WITHOUT_ANSWER_MS);
  }
  return true;
}
