import { expect, it } from 'vitest';
import { createEventReader } from './sse.ts';

const STREAM = 'retry: 2000\n\n: heartbeat\n\ndata: {"a":1}\n\ndata: one\r\ndata: two\r\n\r\n';

it('reads the same events however the stream is cut', () => {
  for (let size = 1; size <= STREAM.length; size += 1) {
    const read = createEventReader();
    const events: string[] = [];
    for (let at = 0; at < STREAM.length; at += size) events.push(...read(STREAM.slice(at, at + size)));
    expect(events).toEqual(['{"a":1}', 'one\ntwo']);
  }
});
