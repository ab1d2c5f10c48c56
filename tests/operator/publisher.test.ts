import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutboxEntry } from '#crds/shared.ts';
import { Publisher } from '../../operator/src/outbox/publisher.ts';
import { eventually } from '../fixtures/eventually.ts';
import { silent } from '../fixtures/operator-cluster.ts';
import { newNats, type OwnNats } from '../fixtures/operator-nats.ts';
import { deployment, minutesAgo } from '../fixtures/operator-objects.ts';
import { TOOL_TIMEOUT_MS } from '../fixtures/operator-tools.ts';

let nats: OwnNats;
const publishers: Publisher[] = [];

beforeAll(async () => {
  nats = await newNats();
  await nats.start();
}, TOOL_TIMEOUT_MS);
afterAll(async () => {
  await Promise.all(publishers.map(each => each.stop()));
  await nats?.remove();
});

/** What an operator that has just started publishes with. */
function newPublisher(to = nats): Publisher {
  const publisher = new Publisher({ servers: to.url }, silent);
  publishers.push(publisher);
  return publisher;
}

const entry = (seq: number, more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  seq,
  type: 'deployment.status-changed',
  at: minutesAgo(1),
  data: { status: 'building', message: `fact ${seq}` },
  ...more,
});
/** An object whose outbox holds these events. */
const object = (uid: string, ...outbox: OutboxEntry[]) =>
  deployment({ metadata: { uid, generation: 2 }, status: { outbox } });
const seqs = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => entry(from + index));

/** Sequence numbers in the stream of an object, in the order in which they came. */
const inStream = async (uid: string, of = nats) =>
  (await of.events()).filter(({ event }) => event.uid === uid).map(({ event }) => event.seq);
const published = (publisher: Publisher, uid: string, seq: number) =>
  eventually(async () => expect(publisher.publishedUpTo(uid)).toBe(seq));

describe('publisher', () => {
  it('puts each fact of an object into the stream, in order, on a subject of its own', async () => {
    const publisher = newPublisher();
    publisher.offer(object('one', ...seqs(1, 20)));
    await published(publisher, 'one', 20);
    const events = (await nats.events()).filter(({ event }) => event.uid === 'one');
    expect(events.map(({ event }) => event.seq)).toEqual(seqs(1, 20).map(({ seq }) => seq));
    expect(events[2]).toEqual({
      subject: 'greenroom.events.deployment.one.3',
      event: {
        id: 'one.3',
        schema: 1,
        kind: 'Deployment',
        uid: 'one',
        namespace: 'greenroom',
        name: 'shop-1',
        seq: 3,
        generation: 2,
        at: minutesAgo(1),
        type: 'deployment.status-changed',
        data: { status: 'building', message: 'fact 3' },
      },
    });
  });

  it('publishes what is new of an outbox that is offered again and again', async () => {
    const publisher = newPublisher();
    for (let last = 1; last <= 10; last++) publisher.offer(object('growing', ...seqs(1, last)));
    await published(publisher, 'growing', 10);
    publisher.offer(object('growing', ...seqs(6, 12)));
    await published(publisher, 'growing', 12);
    publisher.offer(object('growing', ...seqs(1, 3)));
    expect(await inStream('growing')).toEqual(seqs(1, 12).map(({ seq }) => seq));
    expect(publisher.publishedUpTo('growing')).toBe(12);
  });

  it('publishes nothing twice after a restart, and knows then what is published', async () => {
    const before = newPublisher();
    before.offer(object('restarted', ...seqs(1, 5)));
    await published(before, 'restarted', 5);
    await before.stop();
    const after = newPublisher();
    expect(after.publishedUpTo('restarted')).toBe(0);
    after.offer(object('restarted', ...seqs(3, 8)));
    await published(after, 'restarted', 8);
    expect(await inStream('restarted')).toEqual(seqs(1, 8).map(({ seq }) => seq));
  });

  it('publishes nothing twice where two do it at a time', async () => {
    const both = [newPublisher(), newPublisher()];
    for (const publisher of both) publisher.offer(object('shared', ...seqs(1, 30)));
    await Promise.all(both.map(publisher => published(publisher, 'shared', 30)));
    expect((await inStream('shared')).toSorted((a, b) => a - b)).toEqual(seqs(1, 30).map(({ seq }) => seq));
  });
});

/** A test with a server of its own, beside the others: they spend most of their time waiting. */
const own = (name: string, run: (nats: OwnNats) => Promise<void>) =>
  it.concurrent(name, async () => {
    const server = await newNats();
    try {
      await server.start();
      await run(server);
    } finally {
      await server.remove();
    }
  });

describe('publisher in trouble', () => {
  own('is not held up by a fact that is none of the catalogue', async nats => {
    const publisher = newPublisher(nats);
    publisher.offer(object('poison', entry(1, { type: 'deployment.exploded' })));
    publisher.offer(object('healthy', ...seqs(1, 2)));
    await published(publisher, 'healthy', 2);
    expect(publisher.publishedUpTo('poison')).toBe(0);
    expect(await inStream('poison', nats)).toEqual([]);
  });

  own('makes the stream again when NATS lost it', async nats => {
    const publisher = newPublisher(nats);
    publisher.offer(object('before-loss', ...seqs(1, 1)));
    await published(publisher, 'before-loss', 1);
    await nats.loseStream();
    publisher.offer(object('after-loss', ...seqs(1, 2)));
    await published(publisher, 'after-loss', 2);
    expect(await inStream('after-loss', nats)).toEqual([1, 2]);
  });

  own('waits while NATS is away, and delivers all of it in order when it is back', async nats => {
    const publisher = newPublisher(nats);
    publisher.offer(object('away', ...seqs(1, 2)));
    await published(publisher, 'away', 2);
    await nats.kill();
    for (let last = 3; last <= 9; last++) publisher.offer(object('away', ...seqs(1, last)));
    publisher.offer(object('other', ...seqs(1, 3)));
    await sleep(300);
    expect(publisher.publishedUpTo('away')).toBe(2);
    await nats.start();
    await published(publisher, 'away', 9);
    await published(publisher, 'other', 3);
    expect(await inStream('away', nats)).toEqual(seqs(1, 9).map(({ seq }) => seq));
    expect(await inStream('other', nats)).toEqual([1, 2, 3]);
  });

  own('needs no NATS to begin with', async nats => {
    await nats.kill();
    const publisher = newPublisher(nats);
    publisher.offer(object('early', ...seqs(1, 2)));
    await sleep(300);
    await nats.start();
    await published(publisher, 'early', 2);
    expect(await inStream('early', nats)).toEqual([1, 2]);
  });

  own('goes on when NATS refuses it for a while', async nats => {
    const publisher = newPublisher(nats);
    publisher.offer(object('welcome', ...seqs(1, 1)));
    await published(publisher, 'welcome', 1);
    await nats.kill();
    await nats.start('a-token-that-nobody-was-told');
    publisher.offer(object('refused', ...seqs(1, 2)));
    const fresh = newPublisher(nats);
    fresh.offer(object('refused-at-first', ...seqs(1, 1)));
    await sleep(4_500);
    await nats.kill();
    await nats.start();
    await published(publisher, 'refused', 2);
    await published(fresh, 'refused-at-first', 1);
  });

  own('stops also while NATS is away', async nats => {
    await nats.kill();
    const publisher = newPublisher(nats);
    publisher.offer(object('never', ...seqs(1, 2)));
    await sleep(100);
    await publisher.stop();
    await nats.start();
    await sleep(2_500);
    expect(publisher.publishedUpTo('never')).toBe(0);
  });
});
