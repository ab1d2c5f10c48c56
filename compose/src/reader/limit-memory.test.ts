import { expect, it } from 'vitest';
import { limitMemory } from './limit-memory.ts';

const page = 64 * 1024;

it('bounds the memory of a module that sets no bound', async () => {
  const memoryOfOnePage = [5, 3, 1, 0, 1];
  const exportedAsM = [7, 5, 1, 1, 'm'.charCodeAt(0), 2, 0];
  const module = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...memoryOfOnePage, ...exportedAsM]);
  const limited = await WebAssembly.instantiate(Uint8Array.from(limitMemory(module, 300 * page)));
  const memory = limited.instance.exports.m as WebAssembly.Memory;
  expect(memory.grow(299)).toBe(1);
  expect(() => memory.grow(1)).toThrow(RangeError);
});
