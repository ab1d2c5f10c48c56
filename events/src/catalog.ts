import { z } from 'zod';
import { step } from '#crds/deployment.ts';
import { DEPLOYMENT_STATUSES, ENVIRONMENT_STATUSES } from '#crds/vocabulary.ts';

/** Raised when a payload changes in a way that older readers cannot take. Adding an optional field is no such change. */
export const SCHEMA_VERSION = 1;

const environmentSnapshot = z.object({
  repository: z.string().default('').describe('owner/name'),
  pullRequest: z
    .object({ number: z.int(), title: z.string(), author: z.string(), url: z.string() })
    .optional()
    .describe('Absent for a branch environment'),
  branch: z.string().default(''),
  maxDurationMinutes: z.int(),
});

const deploymentSnapshot = z.object({
  environment: z.string().describe('Name of the PreviewEnvironment'),
  environmentUid: z.string(),
  repository: z.string().default(''),
  commit: z.string(),
});

/** Event type → schema of its data. The only list of facts that Greenroom states. */
export const CATALOG = {
  'environment.created': environmentSnapshot,
  'environment.updated': environmentSnapshot,
  'environment.status-changed': z.object({
    status: z.enum(ENVIRONMENT_STATUSES),
    message: z.string(),
    url: z.string().optional(),
    namespace: z.string(),
    commit: z.string().optional(),
    deployment: z.string().optional(),
    expiresAt: z.iso.datetime().optional(),
  }),
  'environment.deleted': z.object({}),
  'deployment.created': deploymentSnapshot,
  'deployment.status-changed': z.object({
    status: z.enum(DEPLOYMENT_STATUSES),
    message: z.string(),
    failureReason: z.string().optional(),
    url: z.string().optional(),
  }),
  'deployment.step-changed': step.describe('A step of a phase after its change'),
} as const;

export type EventType = keyof typeof CATALOG;
export type EventData<T extends EventType> = z.infer<(typeof CATALOG)[T]>;
