import { expect, test } from 'vitest';
import { createLimiter } from './limiter.ts';

test('the heaviest goes first and no more run at once than allowed', async () => {
  const limiter = createLimiter(2);
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const work = (name: string) => async () => {
    order.push(name);
    most = Math.max(most, ++running);
    await new Promise(resolve => setTimeout(resolve, 5));
    running--;
  };
  await Promise.all([
    limiter.run(1, work('light')),
    limiter.run(300, work('heavy')),
    limiter.run(20, work('middle')),
  ]);
  expect(order).toEqual(['heavy', 'middle', 'light']);
  expect(most).toBe(2);
});

test('a failure frees its place', async () => {
  const limiter = createLimiter(1);
  const failing = limiter.run(2, () => Promise.reject(new Error('failed')));
  const next = limiter.run(1, () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('done');
});
