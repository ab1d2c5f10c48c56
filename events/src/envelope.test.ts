import { describe, expect, it } from 'vitest';
import { decode, type Event, encode } from './envelope.ts';
import { eventSubject } from './subjects.ts';

const event: Event = {
  id: 'u1.3',
  schema: 1,
  kind: 'Deployment',
  uid: 'u1',
  namespace: 'greenroom',
  name: 'shop-1',
  seq: 3,
  generation: 1,
  at: '2026-01-02T03:04:05.000Z',
  type: 'deployment.step-changed',
  data: { phase: 'Building', name: 'web', status: 'running', startedAt: '2026-01-02T03:04:05.000Z' },
};

describe('event codec', () => {
  it('reads back what it wrote', () => expect(decode(encode(event))).toEqual(event));

  it('refuses data that does not follow the catalogue, naming the field', () => {
    const bad = new TextEncoder().encode(
      JSON.stringify({ ...event, data: { ...event.data, phase: 'Cooking' } }),
    );
    expect(() => decode(bad)).toThrow(/deployment\.step-changed u1\.3[\s\S]*phase/);
  });

  it('refuses an unknown type', () => {
    const bad = new TextEncoder().encode(JSON.stringify({ ...event, type: 'deployment.exploded' }));
    expect(() => decode(bad)).toThrow(/type/);
  });

  it('gives each fact a subject of its own', () =>
    expect(eventSubject(event)).toBe('greenroom.events.deployment.u1.3'));
});
