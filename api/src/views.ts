import type { Deployment, DeploymentEvent, Environment, Repository } from '#contract/entities.ts';
import type { RepositoryDoc } from './store/repositories.ts';
import type { Store } from './store/store.ts';
import type { DeploymentDoc, DeploymentEventDoc, EnvironmentDoc, StepView } from './store/views.ts';

const text = (date: Date) => date.toISOString();
const textOrNull = (date: Date | null) => date?.toISOString() ?? null;

/** What an environment shows of its deployments. */
interface Summary {
  _id: string;
  count: number;
  newest: string;
  /** Of the newest deployment that became ready, milliseconds. */
  readied: { created_at: Date; ready_at: Date }[];
}

/** Environments as the contract has them, in the given order; their deployments are counted in one query. */
export async function toEnvironments(store: Store, environments: EnvironmentDoc[]): Promise<Environment[]> {
  const summaries = await store.deployments.aggregate<Summary>([
    { $match: { environment_id: { $in: environments.map(each => each._id) } } },
    { $sort: { created_at: 1 } },
    {
      $group: {
        _id: '$environment_id',
        count: { $sum: 1 },
        newest: { $last: '$_id' },
        readied: { $push: { created_at: '$created_at', ready_at: '$ready_at' } },
      },
    },
  ]);
  const byId = new Map(summaries.map(summary => [summary._id, summary]));
  return environments.map(each => toEnvironment(each, byId.get(each._id)));
}

function toEnvironment(doc: EnvironmentDoc, summary: Summary | undefined): Environment {
  const readied = summary?.readied.findLast(each => each.ready_at);
  return {
    id: doc._id,
    name: doc.name,
    repository_id: doc.repository_id,
    repository_full_name: doc.repository_full_name,
    environment_type: doc.pull_request ? 'pull_request' : 'branch',
    pull_request_number: doc.pull_request?.number ?? null,
    pull_request_title: doc.pull_request?.title ?? null,
    pull_request_author: doc.pull_request?.author ?? null,
    pull_request_url: doc.pull_request?.url ?? null,
    branch_name: doc.branch_name,
    namespace: doc.namespace,
    status: doc.status,
    status_message: doc.status_message,
    preview_url: doc.preview_url,
    last_commit_sha: doc.commit,
    deployment_count: summary?.count ?? 0,
    last_deployment_id: summary?.newest ?? null,
    last_deployment_duration_seconds: readied
      ? (readied.ready_at.getTime() - readied.created_at.getTime()) / 1000
      : null,
    created_at: text(doc.created_at),
    last_updated_at: text(doc.updated_at),
    expires_at: textOrNull(doc.expires_at),
  };
}

const toStep = (step: StepView): Deployment['steps'][number] => ({
  ...step,
  started_at: textOrNull(step.started_at),
  completed_at: textOrNull(step.completed_at),
  failed_at: textOrNull(step.failed_at),
});

export const toDeployment = (doc: DeploymentDoc): Deployment => ({
  id: doc._id,
  name: doc.name,
  repository_id: doc.repository_id,
  environment_id: doc.environment_id,
  commit_sha: doc.commit,
  status: doc.status,
  message: doc.message,
  failure_reason: doc.failure_reason,
  external_url: doc.external_url,
  steps: doc.steps.map(toStep),
  created_at: text(doc.created_at),
  started_at: textOrNull(doc.started_at),
  ready_at: textOrNull(doc.ready_at),
  ended_at: textOrNull(doc.ended_at),
});

export const toDeploymentEvent = (doc: DeploymentEventDoc): DeploymentEvent => ({
  id: doc._id,
  type: doc.type,
  message: doc.message,
  data: doc.data,
  timestamp: text(doc.at),
});

/** Repositories as the contract has them, in the given order; their environments are counted in one query. */
export async function toRepositories(store: Store, repositories: RepositoryDoc[]): Promise<Repository[]> {
  const counts = await store.environments.aggregate<{ _id: string; count: number }>([
    { $match: { repository_id: { $in: repositories.map(each => each._id) }, status: { $ne: 'stopped' } } },
    { $group: { _id: '$repository_id', count: { $sum: 1 } } },
  ]);
  const byId = new Map(counts.map(each => [each._id, each.count]));
  return repositories.map(doc => ({
    id: doc._id,
    name: doc.name,
    full_name: doc.full_name,
    private: doc.private,
    owner: doc.owner,
    html_url: doc.html_url,
    clone_url: doc.clone_url,
    default_branch: doc.default_branch,
    composeFilePath: doc.compose_file,
    hasPrimaryService: doc.services.some(service => service.isPrimary),
    webhookConfigured: doc.webhook_id !== null,
    activeEnvironmentsCount: byId.get(doc._id) ?? 0,
    lastUpdated: text(doc.updated_at),
  }));
}
