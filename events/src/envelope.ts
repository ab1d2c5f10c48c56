import { z } from 'zod';
import { CATALOG, type EventData, type EventType } from './catalog.ts';

const KINDS = ['PreviewEnvironment', 'Deployment'] as const;

const header = z.object({
  id: z.string().describe('<uid>.<seq>, unique for ever'),
  schema: z.int().describe('Version of the catalogue that the data follows'),
  kind: z.enum(KINDS),
  uid: z.string().describe('UID of the object that the fact is about'),
  namespace: z.string(),
  name: z.string(),
  seq: z.int().min(1).describe('1, 2, 3 … per object, without gaps'),
  generation: z.int().describe('metadata.generation that was acted on'),
  at: z.iso.datetime().describe('When it happened, UTC'),
  type: z.enum(Object.keys(CATALOG) as [EventType, ...EventType[]]),
});
export type EventHeader = z.infer<typeof header>;

/** One fact about one object, as it travels through JetStream. Narrow on `type` to know `data`. */
export type Event = {
  [T in EventType]: Omit<EventHeader, 'type'> & { type: T; data: EventData<T> };
}[EventType];

/** Bytes of an event for the wire. Throws when the data does not follow the catalogue. */
export function encode(event: Event): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(parse(event)));
}

/** The event in a message. Throws an Error that names the offending field when it is not one of the catalogue. */
export function decode(bytes: Uint8Array): Event {
  return parse(JSON.parse(new TextDecoder().decode(bytes)));
}

function parse(value: unknown): Event {
  const head = header.safeParse(value);
  if (!head.success) throw new Error(`not an event: ${z.prettifyError(head.error)}`);
  const data = CATALOG[head.data.type].safeParse((value as { data?: unknown }).data);
  if (!data.success) throw new Error(`${head.data.type} ${head.data.id}: ${z.prettifyError(data.error)}`);
  return { ...head.data, data: data.data } as Event;
}
