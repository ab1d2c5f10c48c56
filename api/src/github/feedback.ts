import { type Octokit, RequestError } from 'octokit';
import type { Context } from '../context.ts';
import { hash } from '../secrets.ts';
import { newPullRequest, type PullRequestDoc, pullRequestId } from '../store/pull-requests.ts';
import type { DeploymentDoc, EnvironmentDoc } from '../store/views.ts';
import { startWorker, type Worker } from '../worker.ts';
import { COMMENT_MARKER, renderComment } from './comment.ts';
import { type RepositoryName, splitName } from './contents.ts';

/** At most one edit of a comment in this time; what happens meanwhile goes into the next edit. */
const PAUSE_MS = 2000;
const LEASE_MS = 60_000;
const ATTEMPTS = 12;

const without = ({ comment_wanted: _, ...rest }: typeof newPullRequest) => rest;

/** Notes that a pull request's comment should be looked at. The worker does the rest, in its own time. */
export async function requestComment(
  { store }: Context,
  repositoryId: string,
  number: number,
): Promise<void> {
  await store.pullRequests.updateOne(
    { _id: pullRequestId(repositoryId, number) },
    {
      $inc: { comment_wanted: 1 },
      $setOnInsert: { ...without(newPullRequest), repository_id: repositoryId, number },
    },
    { upsert: true },
  );
}

/** Keeps one comment per pull request up to date, edited in place. */
export function startFeedbackWorker(context: Context): Worker {
  return startWorker('pull request comments', context.log, 500, async () => {
    const pull = await claim(context);
    if (!pull) return false;
    await write(context, pull);
    return true;
  });
}

async function claim({ store }: Context): Promise<PullRequestDoc | undefined> {
  const now = new Date();
  const claimed = await store.pullRequests
    .findOneAndUpdate(
      {
        $expr: { $gt: ['$comment_wanted', '$comment_written'] },
        comment_due_at: { $lte: now },
        comment_lease_until: { $lte: now },
      },
      { $set: { comment_lease_until: new Date(now.getTime() + LEASE_MS) }, $inc: { comment_attempts: 1 } },
      { returnDocument: 'after' },
    )
    .lean<PullRequestDoc>();
  return claimed ?? undefined;
}

async function write(context: Context, pull: PullRequestDoc): Promise<void> {
  const log = context.log.child({ pull_request: pull._id });
  const finish = (change: Partial<PullRequestDoc>, delay: number) =>
    context.store.pullRequests.updateOne(
      { _id: pull._id },
      { $set: { ...change, comment_lease_until: new Date(0), comment_due_at: new Date(Date.now() + delay) } },
    );
  const done = { comment_written: pull.comment_wanted, comment_attempts: 0 };
  try {
    const written = await bringUpToDate(context, pull);
    await finish({ ...done, ...written }, PAUSE_MS);
  } catch (error) {
    const over = pull.comment_attempts >= ATTEMPTS;
    log.warn(
      { err: error, attempt: pull.comment_attempts },
      over ? 'comment given up' : 'comment not written',
    );
    await finish(over ? done : {}, over ? PAUSE_MS : delayAfter(error, pull.comment_attempts));
  }
}

async function bringUpToDate(context: Context, pull: PullRequestDoc): Promise<Partial<PullRequestDoc>> {
  const { store } = context;
  const repository = await store.repositories.findById(pull.repository_id).lean();
  const environment = await store.environments
    .findOne({ repository_id: pull.repository_id, 'pull_request.number': pull.number })
    .sort({ created_at: -1 })
    .lean<EnvironmentDoc>();
  if (!repository || !environment) return {};
  const deployment = await store.deployments
    .findOne({ environment_id: environment._id })
    .sort({ created_at: -1 })
    .lean<DeploymentDoc>();
  const body = renderComment({
    environment,
    deployment: deployment ?? undefined,
    dashboard: context.config.PUBLIC_URL,
  });
  if (hash(body) === pull.comment_hash) return {};
  const name = splitName(repository.full_name);
  const installation = await context.github.installationOf(name.owner, name.repo);
  // Without the app there is nobody to comment as; it is no error, the dashboard shows the same.
  if (installation === undefined) return {};
  const octokit = await context.github.asInstallation(installation);
  const id = await upsertComment(octokit, name, pull, body);
  return { comment_id: id, comment_hash: hash(body) };
}

async function upsertComment(octokit: Octokit, name: RepositoryName, pull: PullRequestDoc, body: string) {
  const known = pull.comment_id ?? (await findComment(octokit, name, pull.number));
  if (known !== undefined) {
    try {
      await octokit.rest.issues.updateComment({ ...name, comment_id: known, body });
      return known;
    } catch (error) {
      // Somebody deleted it.
      if (!(error instanceof RequestError && error.status === 404)) throw error;
    }
  }
  const { data } = await octokit.rest.issues.createComment({ ...name, issue_number: pull.number, body });
  return data.id;
}

/** Our comment on a pull request, when we no longer know its id: a bot's that starts with the marker. */
async function findComment(
  octokit: Octokit,
  name: RepositoryName,
  number: number,
): Promise<number | undefined> {
  const comments = await octokit.paginate(octokit.rest.issues.listComments, {
    ...name,
    issue_number: number,
    per_page: 100,
  });
  const ours = comments.find(each => each.user?.type === 'Bot' && each.body?.startsWith(COMMENT_MARKER));
  return ours?.id;
}

/** What GitHub asks for, else 2 s, 4 s, 8 s … at most 10 minutes. */
function delayAfter(error: unknown, attempts: number): number {
  const asked = error instanceof RequestError ? Number(error.response?.headers['retry-after']) : Number.NaN;
  return Number.isFinite(asked) ? asked * 1000 : Math.min(1000 * 2 ** attempts, 600_000);
}
