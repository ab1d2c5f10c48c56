import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '#tests/fixtures/eventually.ts';
import { Controller, type Reconcile } from './controller.ts';

const controllers: Controller[] = [];
afterEach(() => Promise.all(controllers.splice(0).map(each => each.stop())));

function start(reconcile: Reconcile, workers = 2): Controller {
  const controller = new Controller('test', reconcile, pino({ level: 'silent' }));
  controllers.push(controller);
  controller.start(workers);
  return controller;
}

describe('controller', () => {
  it('calls with namespace and name, and again when asked to', async () => {
    const calls: string[] = [];
    const controller = start(async (namespace, name) => {
      calls.push(`${namespace} ${name}`);
      return calls.length < 3 ? { requeueAfterMs: 5 } : {};
    });
    controller.enqueue('ns', 'one');
    await eventually(async () => expect(calls).toEqual(['ns one', 'ns one', 'ns one']));
  });

  it('tries again after an error, and others go on meanwhile', async () => {
    const calls: string[] = [];
    const controller = start(async (_namespace, name) => {
      calls.push(name);
      if (name === 'bad' && calls.filter(each => each === 'bad').length < 2) throw new Error('not yet');
      return {};
    }, 1);
    controller.enqueue('ns', 'bad');
    controller.enqueue('ns', 'good');
    await eventually(async () => expect(calls).toEqual(['bad', 'good', 'bad']));
  });

  it('never runs two reconciles of one name at a time, nor more than it has workers', async () => {
    const running = new Set<string>();
    let most = 0;
    let overlap = false;
    let done = 0;
    const controller = start(async (_namespace, name) => {
      overlap ||= running.has(name);
      running.add(name);
      most = Math.max(most, running.size);
      await new Promise(resolve => setTimeout(resolve, 5));
      running.delete(name);
      done++;
      return {};
    }, 2);
    for (let round = 0; round < 5; round++) {
      for (const name of ['a', 'b', 'c']) controller.enqueue('ns', name);
      await new Promise(resolve => setTimeout(resolve, 3));
    }
    await eventually(async () => expect(done).toBeGreaterThanOrEqual(6));
    await controller.stop();
    expect({ overlap, most }).toEqual({ overlap: false, most: 2 });
  });

  it('ends what is under way before it stops', async () => {
    let ended = false;
    const begun = Promise.withResolvers<void>();
    const controller = start(async () => {
      begun.resolve();
      await new Promise(resolve => setTimeout(resolve, 30));
      ended = true;
      return {};
    });
    controller.enqueue('ns', 'a');
    await begun.promise;
    await controller.stop();
    expect(ended).toBe(true);
  });
});
