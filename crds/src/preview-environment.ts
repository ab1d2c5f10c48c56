import { z } from 'zod';
import { cel, commonStatus, inputs, source } from './shared.ts';
import { DEFAULTS, ENVIRONMENT_STATUSES } from './vocabulary.ts';

export const previewEnvironmentSpec = z
  .object({
    source: source
      .meta(cel('has(self.ref) || has(self.commit)', 'source needs a ref (branch or tag) or a commit'))
      .describe('Where the code is'),
    ...inputs,
    pullRequest: z
      .object({
        number: z.int().min(1).describe('Number of the pull request'),
        title: z.string().max(512).default('').describe('Title of the pull request'),
        author: z.string().max(100).default('').describe('Login of its author'),
        url: z.string().max(2048).default('').describe('Its page'),
      })
      .optional()
      .describe('The pull request that the environment is for; absent for a branch'),
    branch: z.string().max(255).optional().describe('Branch, for display'),
    prefix: z
      .string()
      .max(20)
      .regex(/^[a-z0-9]([-a-z0-9]*)$/)
      .default(DEFAULTS.prefix)
      .meta(cel('self == oldSelf', 'prefix cannot be changed: it is part of the namespace and the URL'))
      .describe('Start of the namespace and host name'),
    maxDurationMinutes: z
      .int()
      .min(5)
      .max(10080)
      .default(DEFAULTS.maxDurationMinutes)
      .describe(
        'Lifetime in minutes, counted from the newest deployment. When it ends, all of it is removed from the cluster',
      ),
  })
  .describe('The environment that is wanted');
export type PreviewEnvironmentSpec = z.infer<typeof previewEnvironmentSpec>;

export const previewEnvironmentStatus = z.object({
  status: z.enum(ENVIRONMENT_STATUSES).optional().describe('building, running, failed or stopped'),
  url: z.string().optional().describe('URL of the primary service, once it answers'),
  namespace: z.string().optional().describe('Namespace that holds the environment'),
  commit: z.string().optional().describe('Commit that is served, else the one that is being deployed'),
  deployment: z.string().optional().describe('Name of the newest Deployment'),
  expiresAt: z.string().meta({ format: 'date-time' }).optional().describe('End of its lifetime'),
  ...commonStatus,
});
export type PreviewEnvironmentStatus = z.infer<typeof previewEnvironmentStatus>;
