import { hasBetaAccess, isAdmin } from '../auth/roles.ts';
import type { Context } from '../context.ts';
import { asUser } from '../github/as-user.ts';
import { listInstalledOwners } from '../github/installations.ts';
import type { Handlers } from '../http/handler.ts';
import type { UserDoc } from '../store/users.ts';

export const user: Pick<Handlers, 'getUser'> = {
  async getUser({ context, user, request }) {
    const installations = await currentInstallations(context, user).catch(error => {
      // A GitHub that does not answer takes nothing away: what was known stays.
      request.log.warn({ err: error }, 'GitHub was asked in vain for installations');
      return user.installations;
    });
    return {
      user_id: user._id,
      username: user.login,
      github_id: user.github_id,
      avatar_url: user.avatar_url,
      has_beta_access: hasBetaAccess(context.config, user),
      is_admin: isAdmin(context.config, user),
      has_github_app_access: installations.length > 0,
      github_app_installations: installations,
      github_app_install_url: context.github.installUrl,
    };
  },
};

async function currentInstallations(context: Context, user: UserDoc): Promise<string[]> {
  const installed = await asUser(context, user, 'Installations', listInstalledOwners);
  const logins = installed.map(each => each.owner.login);
  if (logins.join() !== user.installations.join()) {
    await context.store.users.updateOne({ _id: user._id }, { $set: { installations: logins } });
  }
  return logins;
}
