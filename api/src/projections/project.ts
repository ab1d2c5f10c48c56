import type { Model } from 'mongoose';
import type { Event } from '#events/envelope.ts';
import type { Keyed } from '../store/collection.ts';
import type { Store } from '../store/store.ts';
import type { DeploymentDoc, DeploymentEventDoc, EnvironmentDoc } from '../store/views.ts';
import { evolveDeployment } from './deployment.ts';
import { evolveEnvironment } from './environment.ts';
import { describeEvent } from './messages.ts';

/** The views that an event concerns, as they are after it. */
export type Projected =
  | { kind: 'environment'; environment: EnvironmentDoc }
  | { kind: 'deployment'; deployment: DeploymentDoc; event: DeploymentEventDoc };

/**
 * Brings an event into the views. Any number of times: an event that a view has seen changes nothing. Rejects when the
 * database refuses or is away.
 */
export async function project(store: Store, event: Event): Promise<Projected> {
  if (event.kind === 'PreviewEnvironment') {
    const environment = await update(store, store.environments, event, evolveEnvironment);
    return { kind: 'environment', environment };
  }
  const record: DeploymentEventDoc = {
    _id: event.id,
    deployment_id: event.uid,
    seq: event.seq,
    type: event.type,
    message: describeEvent(event),
    data: event.data,
    at: new Date(event.at),
  };
  const { _id, ...fields } = record;
  await store.deploymentEvents.updateOne({ _id }, { $setOnInsert: fields }, { upsert: true });
  const deployment = await update(store, store.deployments, event, evolveDeployment);
  return { kind: 'deployment', deployment, event: record };
}

interface ViewDoc extends Keyed {
  seq: number;
  repository_id: string;
  repository_full_name: string;
}

async function update<T extends ViewDoc>(
  store: Store,
  model: Model<T>,
  event: Event,
  evolve: (current: T | undefined, event: Event) => T,
): Promise<T> {
  const current = (await model.findById(event.uid).lean<T>()) ?? undefined;
  if (current && current.seq >= event.seq) return current;
  const next = evolve(current, event);
  if (next.repository_full_name !== current?.repository_full_name) {
    next.repository_id = await repositoryId(store, next.repository_full_name);
  }
  if (!current) {
    // A second writer makes this fail with a duplicate key; the message then comes again and finds the view.
    await model.create([next]);
    return next;
  }
  const written = await model.replaceOne({ _id: event.uid, seq: current.seq } as never, next);
  if (written.matchedCount === 0)
    throw new Error(`the view of ${event.uid} changed while ${event.id} was applied`);
  return next;
}

async function repositoryId(store: Store, fullName: string): Promise<string> {
  if (!fullName) return '';
  const repository = await store.repositories.findOne({ full_name: fullName }, { _id: 1 }).lean<Keyed>();
  return repository?._id ?? '';
}
