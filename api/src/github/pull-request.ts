import type { Context } from '../context.ts';
import { isDuplicateKey } from '../http/errors.ts';
import { newPullRequest, pullRequestId } from '../store/pull-requests.ts';
import type { RepositoryDoc } from '../store/repositories.ts';
import { splitName } from './contents.ts';
import { decidePullRequest, type PullRequestPayload } from './deliveries.ts';
import {
  environmentName,
  environmentResource,
  sourceSecret,
  sourceSecretName,
} from './environment-resource.ts';

/** What became of a delivery. */
export type Outcome = { status: 'done' | 'ignored'; reason: string };

const ignored = (reason: string): Outcome => ({ status: 'ignored', reason });

/** Brings the cluster to what a pull request's delivery says, unless a newer one was heard before. */
export async function handlePullRequest(context: Context, payload: PullRequestPayload): Promise<Outcome> {
  const repositoryId = String(payload.repository.id);
  const repository = await context.store.repositories
    .findOneAndUpdate(
      { _id: repositoryId, 'user_ids.0': { $exists: true } },
      { $set: { full_name: payload.repository.full_name, private: payload.repository.private } },
      { returnDocument: 'after' },
    )
    .lean<RepositoryDoc>();
  if (!repository) return ignored('the repository is not connected');

  const { number, updated_at: updatedAt } = payload.pull_request;
  if (!(await isNewest(context, repositoryId, number, updatedAt))) {
    return ignored('a newer delivery of this pull request was handled before');
  }
  const decision = decidePullRequest(payload);
  if (decision.do === 'ignore') return ignored(decision.reason);

  const namespace = context.config.ENVIRONMENT_NAMESPACE;
  if (decision.do === 'delete') {
    const name = environmentName(repository.full_name, number);
    await context.cluster.deleteEnvironment(namespace, name);
    await context.cluster.deleteSecret(namespace, sourceSecretName(name));
    return { status: 'done', reason: `removed ${name}` };
  }
  const name = await applyEnvironment(context, repository, payload);
  return { status: 'done', reason: `applied ${name}` };
}

/** Notes the delivery's time; false when a newer one is noted already. Equal times count as newer: GitHub's have no fractions. */
async function isNewest(context: Context, repositoryId: string, number: number, updatedAt: Date) {
  const _id = pullRequestId(repositoryId, number);
  try {
    await context.store.pullRequests.updateOne(
      { _id, $or: [{ github_updated_at: null }, { github_updated_at: { $lte: updatedAt } }] },
      {
        $set: { github_updated_at: updatedAt },
        $setOnInsert: {
          ...without(newPullRequest, 'github_updated_at'),
          repository_id: repositoryId,
          number,
        },
      },
      { upsert: true },
    );
    return true;
  } catch (error) {
    // The document is there and its time is newer, so the upsert tried to insert a second one.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

async function applyEnvironment(context: Context, repository: RepositoryDoc, payload: PullRequestPayload) {
  const { pull_request: pull } = payload;
  const namespace = context.config.ENVIRONMENT_NAMESPACE;
  const token = await sourceToken(context, repository);
  const resource = environmentResource(
    repository,
    {
      number: pull.number,
      title: pull.title,
      author: pull.user?.login ?? 'ghost',
      url: pull.html_url,
      branch: pull.head.ref,
      commit: pull.head.sha,
    },
    { namespace, withSecret: token !== undefined },
  );
  const { name } = resource.metadata;
  // The token is there before the environment asks for it, and gets its owner once that has a uid.
  if (token) await context.cluster.apply(sourceSecret(namespace, name, token));
  const stored = await context.cluster.apply(resource);
  // Closed and reopened at once: what was applied goes with the old environment. The worker tries again.
  if (stored.metadata.deletionTimestamp) throw new Error(`${name} is still being removed`);
  if (token) await context.cluster.apply(sourceSecret(namespace, name, token, stored.metadata.uid));
  return name;
}

/** A short-lived token for the operator; undefined for a public repository where the app is not installed. */
async function sourceToken(context: Context, repository: RepositoryDoc): Promise<string | undefined> {
  const { owner, repo } = splitName(repository.full_name);
  const installation = await context.github.installationOf(owner, repo);
  if (installation !== undefined) {
    return context.github.repositoryToken(installation, Number(repository._id));
  }
  if (!repository.private) return undefined;
  throw new Error(
    `${repository.full_name} is private and the GitHub App is not installed on it. Install it at ${context.github.installUrl}`,
  );
}

function without<T extends object, K extends keyof T>(object: T, key: K): Omit<T, K> {
  const { [key]: _, ...rest } = object;
  return rest;
}
