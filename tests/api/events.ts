import { randomUUID } from 'node:crypto';
import type { EventData, EventType } from '#events/catalog.ts';
import type { Event } from '#events/envelope.ts';

/** Events of one object in their order, as the operator numbers them. */
export class Story {
  readonly uid = randomUUID();
  readonly kind: Event['kind'];
  readonly name: string;
  #seq = 0;

  constructor(kind: Event['kind'], name: string) {
    this.kind = kind;
    this.name = name;
  }

  next<T extends EventType>(type: T, data: EventData<T>, at = new Date()): Event {
    const seq = ++this.#seq;
    return {
      id: `${this.uid}.${seq}`,
      schema: 1,
      kind: this.kind,
      uid: this.uid,
      namespace: 'greenroom',
      name: this.name,
      seq,
      generation: 1,
      at: at.toISOString(),
      type,
      data,
    } as Event;
  }
}

export interface Chapter {
  environment: Story;
  deployment: Story;
  events: Event[];
}

/** A pull request's environment from its creation until it runs. */
export function runningEnvironment(repository: string, number: number, start = Date.now()): Chapter {
  const environment = new Story('PreviewEnvironment', `pr-${number}`);
  const deployment = new Story('Deployment', `pr-${number}-1`);
  const commit = 'c0ffee'.padEnd(40, '0');
  const at = (second: number) => new Date(start + second * 1000);
  const pullRequest = { number, title: 'Change', author: 'demo', url: 'http://github/pull' };
  const status = { message: '', namespace: `env-${number}`, commit, deployment: deployment.name };
  const events = [
    environment.next(
      'environment.created',
      { repository, pullRequest, branch: 'change', maxDurationMinutes: 480 },
      at(0),
    ),
    deployment.next(
      'deployment.created',
      { environment: environment.name, environmentUid: environment.uid, repository, commit },
      at(1),
    ),
    environment.next(
      'environment.status-changed',
      { ...status, status: 'building', message: 'Building' },
      at(1),
    ),
    deployment.next(
      'deployment.status-changed',
      { status: 'building', message: 'Building 2 services' },
      at(2),
    ),
    deployment.next(
      'deployment.step-changed',
      { phase: 'Building', name: 'web', status: 'running', startedAt: at(2).toISOString() },
      at(2),
    ),
    deployment.next(
      'deployment.step-changed',
      {
        phase: 'Building',
        name: 'web',
        status: 'completed',
        startedAt: at(2).toISOString(),
        completedAt: at(9).toISOString(),
        reason: 'Cached',
      },
      at(9),
    ),
    deployment.next('deployment.status-changed', { status: 'deploying', message: 'Rolling out' }, at(9)),
    deployment.next(
      'deployment.status-changed',
      { status: 'running', message: 'Ready', url: `http://env-${number}.localhost` },
      at(21),
    ),
    environment.next(
      'environment.status-changed',
      {
        ...status,
        status: 'running',
        url: `http://env-${number}.localhost`,
        expiresAt: at(28_800).toISOString(),
      },
      at(21),
    ),
  ];
  return { environment, deployment, events };
}
