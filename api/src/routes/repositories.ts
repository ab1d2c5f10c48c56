import { asUser } from '../github/as-user.ts';
import { listInstalledOwners, listReachable, toOwner } from '../github/installations.ts';
import { ensureHook } from '../github/webhook-setup.ts';
import { notFound } from '../http/errors.ts';
import type { Handlers } from '../http/handler.ts';
import { writableRepository } from '../repositories/access.ts';
import { abandon, adopt } from '../repositories/lifecycle.ts';
import type { RepositoryDoc } from '../store/repositories.ts';
import { toRepositories } from '../views.ts';

export const repositories: Pick<
  Handlers,
  | 'listOwners'
  | 'listOwnerRepositories'
  | 'listRepositories'
  | 'connectRepository'
  | 'getRepository'
  | 'forgetRepository'
  | 'setupWebhook'
> = {
  async listOwners({ context, user }) {
    const installed = await asUser(context, user, 'Owners', listInstalledOwners);
    return installed.map(each => each.owner);
  },

  async listOwnerRepositories({ context, user, params }) {
    const reachable = await asUser(context, user, 'Owner', async octokit => {
      const installed = await listInstalledOwners(octokit);
      const found = installed.find(each => each.owner.login.toLowerCase() === params.owner.toLowerCase());
      if (!found) throw notFound('Owner');
      return listReachable(octokit, found.installation);
    });
    const writable = reachable.filter(each => each.permissions?.push);
    const ids = writable.map(each => String(each.id));
    const connected = await context.store.repositories
      .find({ _id: { $in: ids }, user_ids: user._id }, { _id: 1 })
      .lean();
    const connectedIds = new Set(connected.map(each => each._id));
    return writable.map(each => ({
      owner: each.owner.login,
      name: each.name,
      full_name: each.full_name,
      private: each.private,
      connected_id: connectedIds.has(String(each.id)) ? String(each.id) : null,
    }));
  },

  async listRepositories({ context, user }) {
    const found = await context.store.repositories
      .find({ user_ids: user._id })
      .sort({ full_name: 1 })
      .lean<RepositoryDoc[]>();
    return toRepositories(context.store, found);
  },

  async connectRepository({ context, user, body }) {
    const data = await writableRepository(context, user, body);
    const repository = await adopt(context.store, user._id, {
      _id: String(data.id),
      name: data.name,
      full_name: data.full_name,
      private: data.private,
      owner: toOwner(data.owner),
      html_url: data.html_url,
      clone_url: data.clone_url,
      default_branch: data.default_branch,
    });
    context.live.accessChanged(user._id);
    return one(await toRepositories(context.store, [repository]));
  },

  async getRepository({ context, repository }) {
    return one(await toRepositories(context.store, [repository]));
  },

  async forgetRepository({ context, repository, user }) {
    await abandon(context, repository, user._id);
    context.live.accessChanged(user._id);
    return { message: 'Repository forgotten successfully' };
  },

  async setupWebhook({ context, user, body }) {
    const { WEBHOOK_URL: url, GITHUB_WEBHOOK_SECRET: secret } = context.config;
    const repository = await writableRepository(context, user, body);
    const hook = await asUser(context, user, 'Repository', octokit =>
      ensureHook(octokit, body, { url, secret }),
    );
    await context.store.repositories.updateOne(
      { _id: String(repository.id), user_ids: user._id },
      { $set: { webhook_id: hook.id, updated_at: new Date() } },
    );
    return { message: hook.created ? 'Webhook created' : 'Webhook updated', webhook_id: hook.id };
  },
};

function one<T>(list: T[]): T {
  const [first] = list;
  if (first === undefined) throw notFound('Repository');
  return first;
}
