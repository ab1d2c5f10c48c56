const memorySection = 5;
const pageSize = 64 * 1024;

/**
 * Gives a WebAssembly module's own memory an upper bound, which Go's linker leaves open: a hostile input then ends the
 * instance and not the process.
 * @param bytes the limit, a multiple of 64 KiB
 */
export function limitMemory(module: Uint8Array, bytes: number): Uint8Array {
  let at = 8;
  while (at < module.length) {
    const start = at;
    const id = module[at];
    const size = readNumber(module, at + 1);
    const end = size.next + size.value;
    if (id === memorySection) {
      const count = readNumber(module, size.next);
      if (count.value !== 1) throw new Error(`The reader has ${count.value} memories; one was expected`);
      const minimum = readNumber(module, count.next + 1);
      const body = [1, 1, ...encodeNumber(minimum.value), ...encodeNumber(bytes / pageSize)];
      const section = Uint8Array.from([memorySection, ...encodeNumber(body.length), ...body]);
      return Buffer.concat([module.subarray(0, start), section, module.subarray(end)]);
    }
    at = end;
  }
  throw new Error('The reader has no memory section');
}

/** Unsigned LEB128, the number format of WebAssembly. */
function readNumber(module: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = module[at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at };
  }
}

function encodeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...encodeNumber(Math.floor(value / 0x80))];
}
