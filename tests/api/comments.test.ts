import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../fixtures/eventually.ts';
import { clone, gitUrl } from '../github/clone.ts';
import { tokens } from '../github/start.ts';
import { runningEnvironment } from './events.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let number: number;

beforeAll(async () => {
  world = await startWorld();
  await world.connect(await world.signIn('demo'), 'demo', world.shop.repo);
  const work = await clone(gitUrl(world.github.url, world.shop.fullName, tokens.demo));
  await work.push('cart', { 'README.md': 'A cart' });
  await work.remove();
  const { data } = await world.github
    .as(tokens.demo)
    .rest.pulls.create({ owner: 'demo', repo: world.shop.repo, title: 'Cart', head: 'cart', base: 'main' });
  number = data.number;
}, 30_000);
afterAll(() => world?.close());

const comments = async () => {
  const { data } = await world.github
    .as(tokens.demo)
    .rest.issues.listComments({ owner: 'demo', repo: world.shop.repo, issue_number: number });
  return data;
};

it('a pull request gets one comment that follows its environment, whatever happens', async () => {
  const { environment, deployment, events } = runningEnvironment(world.shop.fullName, number);
  for (const event of events.slice(0, 4)) await world.stream.publish(event);
  const first = await eventually(async () => {
    const [comment, ...more] = await comments();
    expect(more).toEqual([]);
    expect(comment?.body).toContain('🟡 Building');
    return comment;
  });
  expect(first?.user?.login).toBe('greenroom[bot]');

  for (const event of events.slice(4)) await world.stream.publish(event);
  await eventually(async () => {
    const [comment, ...more] = await comments();
    expect(more).toEqual([]);
    expect(comment?.id).toBe(first?.id);
    expect(comment?.body).toContain('🟢 Running');
    expect(comment?.body).toContain(`[http://env-${number}.localhost](http://env-${number}.localhost)`);
    expect(comment?.body).toContain('`c0ffee00`');
    expect(comment?.body).toContain(`/environment/${environment.uid}/deployment/${deployment.uid})`);
  });

  // The id is lost: the marker finds it again.
  await world.server.context.store.pullRequests.updateMany({}, { $set: { comment_id: null } });
  await world.stream.publish(environment.next('environment.deleted', {}));
  await eventually(async () => {
    const [comment, ...more] = await comments();
    expect(more).toEqual([]);
    expect(comment?.id).toBe(first?.id);
    expect(comment?.body).toContain('The environment was removed');
  });
}, 30_000);

it('is not edited when nothing in it changed', async () => {
  const [before] = await comments();
  await world.server.context.store.pullRequests.updateMany({}, { $inc: { comment_wanted: 1 } });
  await eventually(async () => {
    const pull = await world.server.context.store.pullRequests.findOne({ number }).lean();
    expect(pull).not.toBeNull();
    expect(pull?.comment_written).toBe(pull?.comment_wanted);
  });
  await sleep(1100);
  expect((await comments())[0]?.updated_at).toBe(before?.updated_at);
}, 20_000);
