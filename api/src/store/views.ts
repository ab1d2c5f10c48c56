import type { Connection } from 'mongoose';
import type { DeploymentStatus, EnvironmentStatus, Phase, StepStatus } from '#crds/vocabulary.ts';
import { collection, type Keyed } from './collection.ts';

/** What every view of an object keeps, so that an event changes it once and in order. */
interface View extends Keyed {
  /** Sequence number of the newest event that was applied. */
  seq: number;
}

/** View of a PreviewEnvironment; `_id` is its UID. */
export interface EnvironmentDoc extends View {
  name: string;
  /** Namespace of the PreviewEnvironment, not of what it deploys. */
  resource_namespace: string;
  /** Empty when no repository of that name is connected. */
  repository_id: string;
  repository_full_name: string;
  pull_request: { number: number; title: string; author: string; url: string } | null;
  branch_name: string;
  namespace: string | null;
  status: EnvironmentStatus;
  status_message: string;
  preview_url: string | null;
  commit: string | null;
  created_at: Date;
  updated_at: Date;
  expires_at: Date | null;
}

export interface StepView {
  phase: Phase;
  step_name: string;
  status: StepStatus;
  started_at: Date | null;
  completed_at: Date | null;
  failed_at: Date | null;
  failed_reason: string | null;
  reason: string | null;
  message: string | null;
}

/** View of a Deployment; `_id` is its UID. */
export interface DeploymentDoc extends View {
  name: string;
  resource_namespace: string;
  repository_id: string;
  repository_full_name: string;
  environment_id: string;
  commit: string;
  status: DeploymentStatus;
  message: string;
  failure_reason: string | null;
  external_url: string | null;
  steps: StepView[];
  created_at: Date;
  started_at: Date | null;
  ready_at: Date | null;
  ended_at: Date | null;
}

/** One event of a Deployment; `_id` is the event's id. */
export interface DeploymentEventDoc extends Keyed {
  deployment_id: string;
  seq: number;
  type: string;
  message: string;
  data: Record<string, unknown>;
  at: Date;
}

/** A message of the stream that could not be projected, set aside. `_id` is its sequence number in the stream. */
export interface PoisonDoc extends Keyed {
  subject: string;
  body: string;
  error: string;
  at: Date;
}

const viewFields = {
  seq: Number,
  name: String,
  resource_namespace: String,
  repository_id: String,
  repository_full_name: String,
  commit: String,
  status: String,
  created_at: Date,
};

export const environments = (connection: Connection) =>
  collection<EnvironmentDoc>(
    connection,
    'environments',
    {
      ...viewFields,
      pull_request: { type: Object, default: null },
      branch_name: String,
      namespace: String,
      status_message: String,
      preview_url: String,
      updated_at: Date,
      expires_at: Date,
    },
    [
      [{ repository_id: 1, created_at: -1 }],
      [{ repository_id: 1, 'pull_request.number': 1, created_at: -1 }],
      [{ repository_full_name: 1 }],
    ],
  );

export const deployments = (connection: Connection) =>
  collection<DeploymentDoc>(
    connection,
    'deployments',
    {
      ...viewFields,
      environment_id: String,
      message: String,
      failure_reason: String,
      external_url: String,
      steps: { type: [Object], default: [] },
      started_at: Date,
      ready_at: Date,
      ended_at: Date,
    },
    [[{ environment_id: 1, created_at: -1 }], [{ repository_full_name: 1 }]],
  );

export const deploymentEvents = (connection: Connection) =>
  collection<DeploymentEventDoc>(
    connection,
    'deploymentevents',
    { deployment_id: String, seq: Number, type: String, message: String, data: Object, at: Date },
    [[{ deployment_id: 1, seq: 1 }]],
  );

export const poison = (connection: Connection) =>
  collection<PoisonDoc>(connection, 'poisonevents', {
    subject: String,
    body: String,
    error: String,
    at: Date,
  });
