import { DEFAULTS } from '#crds/vocabulary.ts';
import type { Context } from '../context.ts';
import { sourceSecretName } from '../github/environment-resource.ts';
import type { RepositoryDoc } from '../store/repositories.ts';
import type { Store } from '../store/store.ts';
import type { EnvironmentDoc } from '../store/views.ts';

/** What GitHub says about a repository. */
export type Identity = Pick<
  RepositoryDoc,
  '_id' | 'name' | 'full_name' | 'private' | 'owner' | 'html_url' | 'clone_url' | 'default_branch'
>;

/** Connects a repository for a person; one that was forgotten comes back with its settings and records. */
export async function adopt(store: Store, userId: string, identity: Identity): Promise<RepositoryDoc> {
  const { _id, ...fields } = identity;
  const repository = await store.repositories
    .findOneAndUpdate(
      { _id },
      {
        $set: { ...fields, updated_at: new Date() },
        $addToSet: { user_ids: userId },
        $setOnInsert: {
          compose_file: null,
          services: [],
          environment_prefix: DEFAULTS.prefix,
          max_duration_minutes: DEFAULTS.maxDurationMinutes,
          webhook_id: null,
        },
      },
      { upsert: true, returnDocument: 'after' },
    )
    .lean<RepositoryDoc>();
  if (!repository) throw new Error(`${identity.full_name} was not stored`);
  // Environments that kubectl made before the repository was connected.
  const orphans = { repository_full_name: identity.full_name, repository_id: { $ne: _id } };
  await store.environments.updateMany(orphans, { $set: { repository_id: _id } });
  await store.deployments.updateMany(orphans, { $set: { repository_id: _id } });
  return repository;
}

/** Disconnects a repository from a person. When nobody is left who sees it, its environments are removed from the cluster. */
export async function abandon(context: Context, repository: RepositoryDoc, userId: string): Promise<void> {
  const { store, cluster } = context;
  const left = await store.repositories
    .findOneAndUpdate(
      { _id: repository._id },
      { $pull: { user_ids: userId }, $set: { updated_at: new Date() } },
      { returnDocument: 'after' },
    )
    .lean<RepositoryDoc>();
  if (left && left.user_ids.length > 0) return;
  const live = await store.environments
    .find({ repository_id: repository._id, status: { $ne: 'stopped' } })
    .lean<EnvironmentDoc[]>();
  // Only those in the namespace that is ours to write to.
  const ours = live.filter(each => each.resource_namespace === context.config.ENVIRONMENT_NAMESPACE);
  for (const { resource_namespace: namespace, name } of ours) {
    await cluster.deleteEnvironment(namespace, name);
    await cluster.deleteSecret(namespace, sourceSecretName(name));
  }
}
