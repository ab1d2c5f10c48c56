import { accountById, botLogin, findAccount, fullName, type GitHub } from '../context.ts';
import { type Links, nodeId } from '../links.ts';
import type { Installation, Repository } from '../state.ts';
import { renderAccount } from './account.ts';

/** GitHub's `integration`: the app itself. */
export function renderApp(github: GitHub, links: Links) {
  const { app } = github.config;
  const bot = findAccount(github, botLogin(github));
  const createdAt = bot?.createdAt ?? '';
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('App', app.id),
    client_id: app.clientId,
    owner: bot ? renderAccount(bot, links) : null,
    name: app.name ?? app.slug,
    description: null,
    external_url: links.html,
    html_url: `${links.html}/apps/${app.slug}`,
    created_at: createdAt,
    updated_at: createdAt,
    permissions: app.permissions,
    events: app.events,
    installations_count: github.store.state.installations.length,
  };
}

export function renderInstallation(github: GitHub, installation: Installation, links: Links) {
  const { app } = github.config;
  const account = accountById(github, installation.accountId);
  return {
    id: installation.id,
    account: renderAccount(account, links),
    repository_selection: installation.repositoryIds === null ? ('all' as const) : ('selected' as const),
    access_tokens_url: `${links.api}/app/installations/${installation.id}/access_tokens`,
    repositories_url: `${links.api}/installation/repositories`,
    html_url: `${links.html}/settings/installations/${installation.id}`,
    app_id: app.id,
    app_slug: app.slug,
    client_id: app.clientId,
    target_id: account.id,
    target_type: account.type,
    permissions: app.permissions,
    events: app.events,
    created_at: installation.createdAt,
    updated_at: installation.createdAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: null,
  };
}

/** The few fields of a repository that installation events carry. */
export const renderRepositoryName = (github: GitHub, repository: Repository) => ({
  id: repository.id,
  node_id: nodeId('Repository', repository.id),
  name: repository.name,
  full_name: fullName(github, repository),
  private: repository.private,
});
