import type { ComposeProject } from '../project.ts';
import type { RolloutStep } from '../translation.ts';
import { compare, type Report, sortedEntries } from './report.ts';

type Waits = RolloutStep['waitsFor'];

const conditions = {
  service_started: 'started',
  service_healthy: 'healthy',
  service_completed_successfully: 'completed',
} as const;

/** What a service waits for, without services that are left out of the environment. */
export function waitsFor(project: ComposeProject, service: string, report: Report): Waits {
  const waits: Waits = [];
  for (const [name, dependency] of sortedEntries(project.services[service]?.depends_on)) {
    const other = project.services[name];
    if (!other) {
      report.add(service, `depends_on.${name}`, 'approximated', `${name} is not part of this environment.`);
      continue;
    }
    const condition = conditions[dependency.condition];
    if (condition === 'healthy' && (!other.healthcheck || other.healthcheck.disable)) {
      const reason = `${name} has no healthcheck in this file; it counts as healthy once it is ready.`;
      report.add(service, `depends_on.${name}`, 'approximated', reason);
    }
    if (Object.hasOwn(project.positions, `services.${service}.depends_on.${name}.restart`)) {
      const reason = `${service} is not restarted when ${name} is replaced.`;
      report.add(service, `depends_on.${name}.restart`, 'approximated', reason);
    }
    waits.push({ service: name, condition });
  }
  return waits;
}

/** The services whose completion others wait for. */
export function oneShots(project: ComposeProject): Set<string> {
  const waits = Object.values(project.services).flatMap(service => Object.entries(service.depends_on ?? {}));
  const completed = waits.filter(([, { condition }]) => condition === 'service_completed_successfully');
  return new Set(completed.map(([name]) => name));
}

/** Dependencies first, alphabetical among equals. compose-go has refused cycles. */
export function inOrder<T extends { service: string; waitsFor: Waits }>(steps: T[]): T[] {
  const byName = new Map(steps.map(step => [step.service, step]));
  const done = new Set<T>();
  const visit = (step: T | undefined) => {
    if (!step || done.has(step)) return;
    for (const { service } of step.waitsFor) visit(byName.get(service));
    done.add(step);
  };
  for (const step of steps.toSorted((a, b) => compare(a.service, b.service))) visit(step);
  return [...done];
}
