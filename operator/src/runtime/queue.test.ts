import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WorkQueue } from './queue.ts';

let queue: WorkQueue;
beforeEach(() => {
  vi.useFakeTimers();
  queue = new WorkQueue();
});
afterEach(() => {
  queue.stop();
  vi.useRealTimers();
});

/** The next name, or `nothing` if none is there to be had now. */
const take = () => Promise.race([queue.next(), vi.advanceTimersByTimeAsync(0).then(() => 'nothing')]);

describe('work queue', () => {
  it('gives names in the order in which they came, each once', async () => {
    for (const key of ['a', 'b', 'a', 'c']) queue.add(key);
    expect([await take(), await take(), await take(), await take()]).toEqual(['a', 'b', 'c', 'nothing']);
  });

  it('gives a waiting worker what comes later', async () => {
    const waiting = queue.next();
    queue.add('a');
    expect(await waiting).toBe('a');
  });

  it('gives a name to one worker at a time, and once more when it came meanwhile', async () => {
    queue.add('a');
    expect(await take()).toBe('a');
    queue.add('a');
    queue.add('a');
    expect(await take()).toBe('nothing');
    queue.done('a');
  });

  it('does a name that came meanwhile once more, not twice', async () => {
    queue.add('a');
    const worker = queue.next();
    await worker;
    queue.add('a');
    queue.add('a');
    queue.done('a');
    expect(await take()).toBe('a');
    queue.done('a');
    expect(await take()).toBe('nothing');
  });

  it('adds a name when its time has come', async () => {
    queue.addAfter('a', 1000);
    const next = queue.next();
    await vi.advanceTimersByTimeAsync(999);
    queue.add('b');
    expect(await next).toBe('b');
    await vi.advanceTimersByTimeAsync(1);
    expect(await take()).toBe('a');
  });

  it('keeps the earlier of two times', async () => {
    queue.addAfter('a', 1000);
    queue.addAfter('a', 50);
    queue.addAfter('a', 5000);
    await vi.advanceTimersByTimeAsync(50);
    expect(await take()).toBe('a');
    queue.done('a');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await take()).toBe('nothing');
  });

  it('waits for a time that is farther off than a timer can count', async () => {
    const add = vi.spyOn(queue, 'add');
    queue.addAfter('a', 60 * 24 * 3600_000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(add).not.toHaveBeenCalled();
  });

  it('comes back to failures after twice as long each time, up to a minute', () => {
    const delays = Array.from({ length: 10 }, () => queue.retry('a'));
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('counts failures by name, and from the start after a success', () => {
    queue.retry('a');
    expect(queue.retry('b')).toBe(250);
    queue.succeeded('a');
    expect(queue.retry('a')).toBe(250);
  });

  it('lets workers go when it is stopped, and takes nothing more', async () => {
    const waiting = queue.next();
    queue.addAfter('a', 10);
    queue.stop();
    expect(await waiting).toBeUndefined();
    queue.add('b');
    await vi.advanceTimersByTimeAsync(100);
    expect(await queue.next()).toBeUndefined();
  });
});
