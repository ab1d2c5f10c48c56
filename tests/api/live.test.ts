import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveMessage, liveMessage } from '#contract/entities.ts';
import { eventually } from '../fixtures/eventually.ts';
import { runningEnvironment } from './events.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let demo: string;
let mallory: string;

beforeAll(async () => {
  world = await startWorld();
  demo = await world.signIn('demo');
  mallory = await world.signIn('mallory');
  await world.connect(demo, 'demo', world.shop.repo);
  await world.connect(mallory, 'mallory', 'own');
}, 30_000);
afterAll(() => world?.close());

/** Opens the stream and keeps what it brings. */
async function listen(token: string) {
  const stop = new AbortController();
  const response = await fetch(`${world.url}/api/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  const messages: LiveMessage[] = [];
  const read = async () => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk as Uint8Array);
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        if (part.startsWith('data: ')) messages.push(liveMessage.parse(JSON.parse(part.slice(6))));
      }
    }
  };
  const ended = read().catch(() => {});
  return { response, messages, ended, close: () => stop.abort() };
}

describe('the live stream', () => {
  it('brings each change to those who may see it, and to nobody else', async () => {
    const [mine, others] = [await listen(demo), await listen(mallory)];
    expect(mine.response.headers.get('content-type')).toBe('text/event-stream');
    const { environment, deployment, events } = runningEnvironment(world.shop.fullName, 21);
    for (const event of events) await world.stream.publish(event);
    await eventually(async () => {
      const environments = mine.messages.flatMap(each =>
        each.kind === 'environment' ? [each.environment] : [],
      );
      expect(environments.filter(each => each.id === environment.uid).at(-1)).toMatchObject({
        status: 'running',
        deployment_count: 1,
      });
    });
    const deployments = mine.messages.flatMap(each => (each.kind === 'deployment' ? [each.deployment] : []));
    const statuses = deployments.filter(each => each.id === deployment.uid).map(each => each.status);
    expect(statuses).toEqual(['pending', 'building', 'building', 'building', 'deploying', 'running']);
    const told = mine.messages.filter(
      each => each.kind === 'deployment-event' && each.deployment_id === deployment.uid,
    );
    expect(told).toHaveLength(6);
    expect(JSON.stringify(others.messages)).not.toContain(environment.uid);
    mine.close();
    others.close();
  });

  it('comes with the security headers of every answer', async () => {
    const { response, close } = await listen(demo);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    close();
  });

  it('ends when the server stops', async () => {
    const stream = await listen(demo);
    await world.restart();
    await stream.ended;
  });

  it('shows a repository no longer when it is forgotten, and at once when it is connected', async () => {
    const stream = await listen(demo);
    const { repo, fullName } = world.shop;
    const told = () => stream.messages.filter(each => each.kind === 'environment').length;
    let number = 40;
    const publish = async () => {
      number += 1;
      for (const event of runningEnvironment(fullName, number).events) await world.stream.publish(event);
    };
    const id = await world.connect(demo, 'demo', repo);
    await world.call('DELETE', `/api/repositories/${id}`, { token: demo });
    await eventually(async () => {
      const before = told();
      await publish();
      await new Promise(done => setTimeout(done, 500));
      expect(told()).toBe(before);
    }, 5_000);
    await world.connect(demo, 'demo', repo);
    await eventually(async () => {
      await publish();
      expect(told()).toBeGreaterThan(0);
    }, 5_000);
    stream.close();
  });
});
