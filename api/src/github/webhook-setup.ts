import { type Octokit, RequestError } from 'octokit';
import type { RepositoryName } from './contents.ts';

const HOOK_EVENTS = ['push', 'pull_request', 'issue_comment'];

/** Makes the repository's webhook, or finds the one that is there already, and answers with its id. */
export async function ensureHook(
  octokit: Octokit,
  name: RepositoryName,
  hook: { url: string; secret: string },
): Promise<{ id: number; created: boolean }> {
  const settings = {
    ...name,
    active: true,
    events: HOOK_EVENTS,
    config: { url: hook.url, secret: hook.secret, content_type: 'json', insecure_ssl: '0' },
  };
  try {
    const { data } = await octokit.rest.repos.createWebhook({ ...settings, name: 'web' });
    return { id: data.id, created: true };
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
  }
  const hooks = await octokit.paginate(octokit.rest.repos.listWebhooks, { ...name, per_page: 100 });
  const existing = hooks.find(each => each.config.url === hook.url);
  if (!existing) throw new Error(`GitHub says that ${hook.url} is a webhook already, and does not list it`);
  // Its secret and events may be those of an earlier installation.
  await octokit.rest.repos.updateWebhook({ ...settings, hook_id: existing.id });
  return { id: existing.id, created: false };
}

const isAlreadyThere = (error: unknown) =>
  error instanceof RequestError && error.status === 422 && /already exists/.test(error.message);
