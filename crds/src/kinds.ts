import {
  type DeploymentSpec,
  type DeploymentStatusFields,
  deploymentSpec,
  deploymentStatus,
} from './deployment.ts';
import {
  type PreviewEnvironmentSpec,
  type PreviewEnvironmentStatus,
  previewEnvironmentSpec,
  previewEnvironmentStatus,
} from './preview-environment.ts';
import { cel } from './shared.ts';
import type { API_GROUP_VERSION } from './vocabulary.ts';

/** The part of Kubernetes' object metadata that Greenroom uses. */
export interface ObjectMeta {
  name: string;
  namespace: string;
  uid: string;
  resourceVersion: string;
  generation: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  finalizers?: string[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean }[];
}

export interface PreviewEnvironment {
  apiVersion: typeof API_GROUP_VERSION;
  kind: 'PreviewEnvironment';
  metadata: ObjectMeta;
  spec: PreviewEnvironmentSpec;
  status?: Partial<PreviewEnvironmentStatus>;
}

export interface Deployment {
  apiVersion: typeof API_GROUP_VERSION;
  kind: 'Deployment';
  metadata: ObjectMeta;
  spec: DeploymentSpec;
  status?: Partial<DeploymentStatusFields>;
}

export interface PrinterColumn {
  name: string;
  type: 'string' | 'integer' | 'date';
  jsonPath: string;
  description?: string;
  priority?: number;
}

/** The table of kinds from which the CRDs are generated. */
export const KINDS = [
  {
    kind: 'PreviewEnvironment',
    plural: 'previewenvironments',
    singular: 'previewenvironment',
    shortNames: ['penv'],
    description: 'A live environment for a pull request or branch of a repository with a compose file.',
    nameRule: cel(
      'self.metadata.name.size() <= 50',
      'metadata.name may have at most 50 characters: it is part of a namespace, a host name and labels',
    ),
    spec: previewEnvironmentSpec,
    status: previewEnvironmentStatus,
    columns: [
      { name: 'Phase', type: 'string', jsonPath: '.status.status' },
      { name: 'URL', type: 'string', jsonPath: '.status.url' },
      { name: 'Commit', type: 'string', jsonPath: '.status.commit' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      { name: 'Expires', type: 'string', jsonPath: '.status.expiresAt', priority: 1 },
      { name: 'Namespace', type: 'string', jsonPath: '.status.namespace', priority: 1 },
      {
        name: 'Message',
        type: 'string',
        jsonPath: ".status.conditions[?(@.type=='Ready')].message",
        priority: 1,
      },
    ],
  },
  {
    kind: 'Deployment',
    plural: 'deployments',
    singular: 'deployment',
    shortNames: ['pdep'],
    description: 'One attempt to deploy one commit into a PreviewEnvironment.',
    nameRule: cel('self.metadata.name.size() <= 63', 'metadata.name may have at most 63 characters'),
    spec: deploymentSpec,
    status: deploymentStatus,
    columns: [
      { name: 'Environment', type: 'string', jsonPath: '.spec.environment' },
      { name: 'Status', type: 'string', jsonPath: '.status.status' },
      { name: 'Commit', type: 'string', jsonPath: '.spec.source.commit' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      { name: 'Reason', type: 'string', jsonPath: '.status.failureReason', priority: 1 },
    ],
  },
] as const satisfies readonly {
  kind: string;
  plural: string;
  singular: string;
  shortNames: readonly string[];
  description: string;
  nameRule: object;
  spec: unknown;
  status: unknown;
  columns: readonly PrinterColumn[];
}[];
