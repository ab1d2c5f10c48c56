import type { Deployment } from '#crds/kinds.ts';
import type { Reason } from '#crds/vocabulary.ts';
import { NotInRepository, whatGitSaid } from '../source/git.ts';
import type { Outcome } from './phase.ts';
import { type Plan, type PlanSettings, Undeployable } from './plan.ts';
import type { Plans } from './plans.ts';
import type { StepChange } from './steps.ts';

const STEP = { phase: 'Setup', name: 'Read compose file' } as const;
const RETRY_MS = 10_000;
const GIVE_UP_AFTER_MS = 10 * 60_000;

export type SetupOutcome = Pick<Outcome, 'state' | 'failure' | 'steps' | 'recheckMs'> & { plan?: Plan };

/** Setup: the commit is fetched and its compose file translated. The first call only says that it begins. */
export async function setup(
  deployment: Deployment,
  plans: Plans,
  settings: PlanSettings,
): Promise<SetupOutcome> {
  const begun = deployment.status?.steps?.find(({ phase }) => phase === STEP.phase);
  if (!begun) return { state: 'waiting', steps: [{ ...STEP, status: 'running' }] };
  try {
    const plan = await plans.get(deployment, settings);
    return { state: 'completed', plan, steps: [{ ...STEP, status: 'completed', message: plan.composeFile }] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const waitedMs = Date.now() - Date.parse(begun.startedAt ?? deployment.metadata.creationTimestamp);
    const reason = reasonOf(error);
    if (reason) return failed(reason, message);
    if (waitedMs > GIVE_UP_AFTER_MS)
      return failed('SourceUnavailable', `The repository cannot be read: ${message}`);
    const step: StepChange = {
      ...STEP,
      status: 'running',
      reason: 'SourceUnavailable',
      message: whatGitSaid(message),
    };
    return { state: 'waiting', steps: [step], recheckMs: RETRY_MS };
  }
}

function reasonOf(error: unknown): Reason | undefined {
  if (error instanceof Undeployable) return error.reason;
  return error instanceof NotInRepository ? 'CommitNotFound' : undefined;
}

function failed(reason: Reason, message: string): SetupOutcome {
  return {
    state: 'failed',
    failure: { reason, message },
    steps: [{ ...STEP, status: 'failed', reason, message }],
  };
}
