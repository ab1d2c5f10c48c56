import { z } from 'zod';

/** The part of a pull_request payload that is acted on; all else that GitHub sends is left unread. */
export const pullRequestPayload = z.object({
  action: z.string(),
  repository: z.object({ id: z.int(), full_name: z.string(), clone_url: z.string(), private: z.boolean() }),
  pull_request: z.object({
    number: z.int(),
    title: z.string(),
    state: z.enum(['open', 'closed']),
    html_url: z.string(),
    updated_at: z.coerce.date(),
    user: z.object({ login: z.string() }).nullable(),
    head: z.object({
      sha: z.string().regex(/^[0-9a-f]{40}$/),
      ref: z.string(),
      // Null when the fork was deleted.
      repo: z.object({ id: z.int() }).nullable(),
    }),
  }),
});
export type PullRequestPayload = z.infer<typeof pullRequestPayload>;

const envelope = z.object({
  action: z.string().default(''),
  repository: z.object({ id: z.int() }).optional(),
  pull_request: z.object({ number: z.int() }).optional(),
  issue: z.object({ number: z.int() }).optional(),
});

/** What a delivery is about: enough to file it, whatever the event. Throws on a body that is no JSON object. */
export function fileDelivery(body: string): { action: string; repositoryId: string; key: string } {
  const payload = envelope.parse(JSON.parse(body));
  const repositoryId = String(payload.repository?.id ?? '');
  const number = payload.pull_request?.number ?? payload.issue?.number ?? 0;
  return { action: payload.action, repositoryId, key: `${repositoryId}#${number}` };
}

export type PullRequestDecision = { do: 'apply' } | { do: 'delete' } | { do: 'ignore'; reason: string };

const APPLIED = ['opened', 'reopened', 'synchronize', 'edited'];

/** What a pull request's delivery asks for. A fork's code is not built: its author may have no right to our cluster. */
export function decidePullRequest(payload: PullRequestPayload): PullRequestDecision {
  // Whatever happened to it: a closed pull request has no environment.
  if (payload.pull_request.state === 'closed') return { do: 'delete' };
  if (!APPLIED.includes(payload.action)) {
    return { do: 'ignore', reason: `nothing to do for pull_request ${payload.action}` };
  }
  const head = payload.pull_request.head.repo;
  if (head === null) return { do: 'ignore', reason: 'the repository of its branch is gone' };
  if (head.id !== payload.repository.id) {
    return { do: 'ignore', reason: 'a pull request from a fork is not built without approval' };
  }
  return { do: 'apply' };
}
