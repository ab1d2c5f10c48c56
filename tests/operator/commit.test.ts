import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deployment } from '#crds/kinds.ts';
import { API_GROUP_VERSION } from '#crds/vocabulary.ts';
import { isConflict } from '../../operator/src/kube/client.ts';
import { EventRecorder } from '../../operator/src/kube/recorder.ts';
import { type CommitTools, commit } from '../../operator/src/outbox/commit.ts';
import type { Fact } from '../../operator/src/outbox/facts.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type OperatorCluster, openCluster, silent } from '../fixtures/operator-cluster.ts';
import { NOW } from '../fixtures/operator-objects.ts';

let cluster: OperatorCluster;
/** Sequence number up to which everything is published, as the test has it. */
let published = 0;
let tools: CommitTools;
let count = 0;

beforeAll(async () => {
  cluster = await openCluster();
  tools = {
    client: cluster.client,
    recorder: new EventRecorder(cluster.client, silent),
    publishedUpTo: () => published,
  };
});
afterAll(() => cluster?.remove());

/** A Deployment without an environment: an operator that runs beside the test has nothing to do with it. */
async function create(): Promise<Deployment> {
  published = 0;
  const made = await cluster.createDeployment({
    metadata: { name: `committed-${count++}` },
    spec: {
      environment: 'none',
      namespace: 'none',
      source: { url: 'https://git.example/x', commit: 'a'.repeat(40) },
    } as Deployment['spec'],
  });
  return { ...made, apiVersion: API_GROUP_VERSION, kind: 'Deployment' };
}
const live = async ({ metadata }: Deployment) => {
  const found = await cluster.deployment(metadata.name);
  if (!found) throw new Error('it is gone');
  return found;
};
const fact = (message: string, describe?: Fact['describe']): Fact => ({
  type: 'deployment.status-changed',
  data: { status: 'building', message },
  ...(describe && { describe }),
});
const facts = (number: number) => Array.from({ length: number }, (_, index) => fact(`fact ${index}`));
const write = (before: Deployment, status: Deployment['status'], stated: Fact[]) =>
  commit(tools, before, { ...before, ...(status && { status }) }, stated, NOW);
const outbox = ({ status }: Deployment) => status?.outbox?.map(({ seq }) => seq);

describe('commit', () => {
  it('writes the status, its facts and their numbers at once', async () => {
    const before = await create();
    const after = await write(before, { status: 'building' }, [fact('a'), fact('b')]);
    expect(await live(before)).toEqual(after);
    expect(after.status).toMatchObject({
      status: 'building',
      eventSeq: 2,
      outbox: [
        { seq: 1, type: 'deployment.status-changed', at: NOW.toISOString(), data: { message: 'a' } },
        { seq: 2, data: { message: 'b' } },
      ],
    });
  });

  it('counts on from what was counted before, and keeps what waits', async () => {
    const first = await write(await create(), { status: 'building' }, facts(2));
    const second = await write(first, { ...first.status, status: 'deploying' }, facts(3));
    expect(second.status?.eventSeq).toBe(5);
    expect(outbox(second)).toEqual([1, 2, 3, 4, 5]);
  });

  it('drops what is published by then', async () => {
    const first = await write(await create(), { status: 'building' }, facts(4));
    published = 3;
    const second = await write(first, { ...first.status, status: 'deploying' }, facts(1));
    expect(second.status?.eventSeq).toBe(5);
    expect(outbox(second)).toEqual([4, 5]);
  });

  it('holds no events where none are published at all, and counts them all the same', async () => {
    const before = await create();
    published = Number.POSITIVE_INFINITY;
    const after = await write(before, { status: 'building' }, facts(3));
    expect(after.status?.eventSeq).toBe(3);
    expect(outbox(after)).toEqual([]);
  });

  it('writes nothing when nothing changed', async () => {
    const before = await write(await create(), { status: 'building' }, facts(1));
    const after = await write(before, structuredClone(before.status), []);
    expect(after).toBe(before);
    expect((await live(before)).metadata.resourceVersion).toBe(before.metadata.resourceVersion);
  });

  it('writes a change that is no fact', async () => {
    const before = await write(await create(), { status: 'building' }, facts(1));
    const after = await write(before, { ...before.status, url: 'https://x' }, []);
    expect(after.status).toMatchObject({ url: 'https://x', eventSeq: 1 });
  });

  it('states nothing about an object that is no longer as it was seen', async () => {
    const before = await create();
    await write(before, { status: 'building' }, [fact('first')]);
    const error = await write(before, { status: 'failed' }, [fact('second')]).catch(refused => refused);
    expect(isConflict(error)).toBe(true);
    const { status } = await live(before);
    expect(status).toMatchObject({ status: 'building', eventSeq: 1 });
    expect(status?.outbox).toHaveLength(1);
  });

  it('makes no progress once the outbox is full, says so, and goes on when it empties', async () => {
    const full = await write(await create(), { status: 'building' }, facts(100));
    expect(outbox(full)).toHaveLength(100);
    const next: Deployment['status'] = { ...full.status, status: 'deploying' };
    await expect(write(full, next, facts(1))).rejects.toThrow('101 events wait for NATS');
    expect((await live(full)).status?.status).toBe('building');
    published = 99;
    expect(outbox(await write(full, next, facts(1)))).toEqual([100, 101]);
  });

  it('tells kubectl describe what is worth telling', async () => {
    const before = await create();
    const told = { type: 'Warning', reason: 'BuildFailed', message: 'no Dockerfile' } as const;
    await write(before, { status: 'failed' }, [fact('quiet'), fact('loud', told)]);
    const events = await eventually(async () => {
      const { items } = await cluster.core.listNamespacedEvent({
        namespace: cluster.name,
        fieldSelector: `involvedObject.uid=${before.metadata.uid}`,
      });
      expect(items).not.toEqual([]);
      return items;
    });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      ...told,
      involvedObject: { kind: 'Deployment', name: before.metadata.name },
      source: { component: 'greenroom-operator' },
    });
  });
});
