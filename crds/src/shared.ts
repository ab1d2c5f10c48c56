import { z } from 'zod';
import { DEFAULTS, EXPOSURES } from './vocabulary.ts';

/** A CEL rule of the generated schema: `rule` over `self`, and the message that a person sees. */
export const cel = (rule: string, message: string) => ({ 'x-kubernetes-validations': [{ rule, message }] });

export const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
export const COMMIT = /^[0-9a-f]{40}$/;

const quantity = (what: string) =>
  z
    .string()
    .regex(/^[0-9]+(\.[0-9]+)?(m|Ki|Mi|Gi)?$/)
    .describe(`${what}, as a Kubernetes quantity`);

export const limits = (defaults: { cpu: string; memory: string }) =>
  z.object({
    cpu: quantity('CPU limit').default(defaults.cpu),
    memory: quantity('Memory limit').default(defaults.memory),
  });

export const serviceSettings = z
  .object({
    name: z.string().min(1).max(63).describe('Name of the service in the compose file'),
    exposure: z
      .enum(EXPOSURES)
      .default('Internal')
      .describe(
        'Internal: reachable by the other services only. External: has a URL. Primary: the URL of the environment',
      ),
    disabled: z.boolean().default(false).describe('A disabled service is not deployed'),
    cpu: quantity('CPU limit of the running service').optional(),
    memory: quantity('Memory limit of the running service').optional(),
    buildCpu: quantity('CPU limit of the build').optional(),
    buildMemory: quantity('Memory limit of the build').optional(),
  })
  .describe('Settings of one compose service');
export type ServiceSettings = z.infer<typeof serviceSettings>;

export const source = z.object({
  url: z
    .string()
    .max(2048)
    .regex(/^https?:\/\/[^@\s]+$/)
    .describe('Git URL, http or https, without credentials'),
  ref: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\s~^:?*[\\-][^\s~^:?*[\\]*$/)
    .optional()
    .describe('Branch, tag or full ref. Read once per generation, when no commit is given'),
  commit: z.string().regex(COMMIT).optional().describe('Full commit SHA. Takes precedence over ref'),
  secretRef: z
    .object({ name: z.string().regex(DNS_LABEL).max(63).describe('Name of a Secret in the same namespace') })
    .optional()
    .describe('Secret whose key `token` is a token that may read the repository'),
});

/** What both kinds share: what to deploy and how. A Deployment copies them from its environment, once. */
export const inputs = {
  repository: z.string().max(255).optional().describe('Repository as people name it, owner/name'),
  composeFile: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .describe(
      'Path of the compose file in the repository. Default: the first of compose.yaml, compose.yml, docker-compose.yaml, docker-compose.yml',
    ),
  services: z.array(serviceSettings).max(200).default([]).describe('Settings per compose service'),
  serviceLimits: limits(DEFAULTS.serviceLimits)
    .prefault({})
    .describe('Limits of services that have none of their own'),
  buildLimits: limits(DEFAULTS.buildLimits)
    .prefault({})
    .describe('Limits of builds that have none of their own'),
};

export const condition = z.object({
  type: z.string(),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
  lastTransitionTime: z.string().meta({ format: 'date-time' }),
  observedGeneration: z.int().optional(),
});
export type Condition = z.infer<typeof condition>;

/** An event that is committed with the status and not yet known to be published. */
export const outboxEntry = z.object({
  seq: z.int(),
  type: z.string(),
  at: z.string().meta({ format: 'date-time' }),
  data: z.record(z.string(), z.unknown()).meta({ 'x-kubernetes-preserve-unknown-fields': true }),
});
export type OutboxEntry = z.infer<typeof outboxEntry>;

/** What the status of both kinds has in common: how it stands, and what it still has to tell. */
export const commonStatus = {
  observedGeneration: z.int().optional().describe('Generation of the spec that the status is about'),
  conditions: z
    .array(condition)
    .default([])
    .describe(
      'Ready: it is as wanted. Reconciling: it is being worked on. Stalled: it will not get on without a change',
    )
    .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] }),
  eventSeq: z.int().default(0).describe('Sequence number of the newest event of this object'),
  outbox: z.array(outboxEntry).max(100).default([]).describe('Events that wait to be published'),
};
