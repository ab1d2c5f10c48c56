/**
 * Reads server-sent events from chunks of text, however they are cut. Feed it each chunk; it returns the data of the
 * events that the chunk completed. Comments (heartbeats) and fields other than `data` are skipped.
 */
export function createEventReader(): (chunk: string) => string[] {
  let rest = '';
  let data: string[] = [];
  return chunk => {
    const events: string[] = [];
    const lines = (rest + chunk).split(/\r\n|\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
      else if (line === '' && data.length > 0) {
        events.push(data.join('\n'));
        data = [];
      }
    }
    return events;
  };
}
