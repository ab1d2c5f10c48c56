import { describe, expect, it } from 'vitest';
import type { Deployment, DeploymentStep } from '#contract/entities.ts';
import type { Phase, StepStatus } from '#crds/vocabulary.ts';
import { failedStep, shownPhases } from './phases.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function step(
  phase: Phase,
  step_name: string,
  status: StepStatus,
  from?: number,
  to?: number,
): DeploymentStep {
  return {
    phase,
    step_name,
    status,
    started_at: from === undefined ? null : at(from),
    completed_at: status === 'completed' && to !== undefined ? at(to) : null,
    failed_at: status === 'failed' && to !== undefined ? at(to) : null,
    failed_reason: null,
    reason: null,
    message: null,
  };
}

function deployment(steps: DeploymentStep[], rest: Partial<Deployment> = {}): Deployment {
  return {
    id: 'd',
    name: 'd',
    repository_id: 'r',
    environment_id: 'e',
    commit_sha: '0123456789',
    status: 'building',
    message: '',
    failure_reason: null,
    external_url: null,
    steps,
    created_at: at(0),
    started_at: null,
    ready_at: null,
    ended_at: null,
    ...rest,
  };
}

const statuses = (value: Deployment) => shownPhases(value).map(({ status }) => status);

describe('shownPhases', () => {
  it('has four pending phases before anything happened', () => {
    expect(statuses(deployment([], { status: 'pending' }))).toEqual([
      'pending',
      'pending',
      'pending',
      'pending',
    ]);
  });

  it('derives running from any running step, and from a pause between two steps', () => {
    const building = [step('Setup', 'source', 'completed', 0, 1), step('Building', 'web', 'running', 1)];
    expect(statuses(deployment(building))).toEqual(['completed', 'running', 'pending', 'pending']);
    const pause = [step('Setup', 'source', 'completed', 0, 1), step('Setup', 'compose', 'pending')];
    expect(statuses(deployment(pause))[0]).toBe('running');
  });

  it('skips what comes after a failure, and keeps the failed step to be found', () => {
    const failed = deployment(
      [
        step('Building', 'web', 'failed', 0, 5),
        step('Building', 'db', 'pending'),
        step('Deploying', 'web', 'pending'),
      ],
      { status: 'failed', ended_at: at(5) },
    );
    const phases = shownPhases(failed);
    expect(phases.map(({ status }) => status)).toEqual(['skipped', 'failed', 'skipped', 'skipped']);
    expect(phases[1]?.steps.map(({ status }) => status)).toEqual(['failed', 'skipped']);
    expect(failedStep(phases)).toMatchObject({ phase: 'Building', step: { name: 'web' } });
  });

  it('shows later phases as skipped as soon as a step failed, before the deployment says so', () => {
    expect(statuses(deployment([step('Setup', 'source', 'failed', 0, 1)]))).toEqual([
      'failed',
      'skipped',
      'skipped',
      'skipped',
    ]);
  });

  it('freezes what a cancellation cut off', () => {
    const [, building] = shownPhases(
      deployment([step('Building', 'web', 'running', 2)], { status: 'canceled', ended_at: at(9) }),
    );
    expect(building).toMatchObject({ status: 'canceled', startedAt: at(2), endedAt: at(9) });
  });

  it('spans parallel steps from the first start to the last end, whatever order they arrived in', () => {
    const steps = [step('Building', 'web', 'completed', 2, 9), step('Building', 'api', 'completed', 1, 4)];
    const expected = { startedAt: at(1), endedAt: at(9) };
    expect(shownPhases(deployment(steps))[1]).toMatchObject(expected);
    expect(shownPhases(deployment(steps.reverse()))[1]).toMatchObject(expected);
  });

  it('marks cached steps, and takes phases without steps as done once the deployment runs', () => {
    const cached = { ...step('Building', 'web', 'completed', 0, 1), reason: 'Cached' };
    const phases = shownPhases(deployment([cached], { status: 'running' }));
    expect(phases[1]?.steps[0]?.cached).toBe(true);
    expect(phases.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
  });
});
