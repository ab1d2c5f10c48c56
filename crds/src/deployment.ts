import { z } from 'zod';
import { cel, commonStatus, inputs, source } from './shared.ts';
import { DEPLOYMENT_STATUSES, PHASES, STEP_STATUSES } from './vocabulary.ts';

const immutable = (field: string) =>
  cel('self == oldSelf', `${field} cannot be changed: create a new Deployment instead`);

export const deploymentSpec = z
  .object({
    environment: z
      .string()
      .min(1)
      .max(253)
      .meta(immutable('environment'))
      .describe('Name of the PreviewEnvironment, in the same namespace'),
    source: source
      .meta({
        'x-kubernetes-validations': [
          { rule: 'has(self.commit)', message: 'a Deployment needs source.commit, a full SHA' },
          { rule: 'self == oldSelf', message: 'source cannot be changed: create a new Deployment instead' },
        ],
      })
      .describe('The commit to deploy'),
    ...inputs,
    namespace: z
      .string()
      .min(1)
      .max(63)
      .meta(immutable('namespace'))
      .describe('Namespace of the environment'),
    cancel: z.boolean().default(false).describe('Set to true to stop a deployment that is in flight'),
  })
  .describe('One attempt at one commit');
export type DeploymentSpec = z.infer<typeof deploymentSpec>;

export const step = z.object({
  phase: z.enum(PHASES),
  name: z.string().describe('What is done; the service name in Building and Deploying'),
  status: z.enum(STEP_STATUSES),
  startedAt: z.string().meta({ format: 'date-time' }).optional(),
  completedAt: z.string().meta({ format: 'date-time' }).optional(),
  failedAt: z.string().meta({ format: 'date-time' }).optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
});
export type Step = z.infer<typeof step>;

export const deploymentStatus = z.object({
  status: z.enum(DEPLOYMENT_STATUSES).optional(),
  steps: z
    .array(step)
    .max(500)
    .default([])
    .describe('Steps of the phases Setup, Building, Deploying, Booting'),
  images: z
    .array(z.object({ service: z.string(), image: z.string() }))
    .default([])
    .describe('Image of each service that is built; its tag is the identity of what it was built from'),
  url: z.string().optional().describe('URL of the primary service'),
  failureReason: z.string().optional().describe('One sentence that a developer can act on'),
  startedAt: z.string().meta({ format: 'date-time' }).optional(),
  readyAt: z.string().meta({ format: 'date-time' }).optional(),
  endedAt: z.string().meta({ format: 'date-time' }).optional(),
  ...commonStatus,
});
export type DeploymentStatusFields = z.infer<typeof deploymentStatus>;
