/** Name of the JetStream stream that holds every event. */
export const STREAM = 'GREENROOM_EVENTS';
/** What the stream captures. */
export const STREAM_SUBJECTS = ['greenroom.events.>'];

/**
 * The subject of one event. It ends in `<uid>.<seq>`, so that publishing with `lastSubjectSequence: 0` is refused the
 * second time, whenever that is: JetStream then holds each fact once, without relying on a de-duplication window.
 */
export function eventSubject(event: { kind: string; uid: string; seq: number }): string {
  return `greenroom.events.${event.kind.toLowerCase()}.${event.uid}.${event.seq}`;
}
