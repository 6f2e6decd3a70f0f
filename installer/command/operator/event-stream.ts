/** One event of a stream. */
export interface StreamEvent {
  /** Absent where the stream never gave one. */
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

const LINE_END = /\r\n|\n|\r/;

/**
 * The events of `text/event-stream` (HTML Living Standard 9.2.6), however the bytes are cut. Comments are signs of life
 * and come as nothing; an event that is cut off by the end of the stream is none.
 */
export async function* eventsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let text = '';
  let id: string | undefined;
  let event = '';
  let data: string[] = [];
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = LINE_END.exec(text); end !== null; end = LINE_END.exec(text)) {
      // The other half of this line end may come with the next chunk.
      if (end[0] === '\r' && end.index === text.length - 1) break;
      const line = text.slice(0, end.index);
      text = text.slice(end.index + end[0].length);
      if (line === '') {
        if (data.length > 0) yield { id, event: event === '' ? 'message' : event, data: data.join('\n') };
        event = '';
        data = [];
        continue;
      }
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'event') event = value;
      else if (field === 'data') data.push(value);
      else if (field === 'id' && !value.includes('\0')) id = value;
    }
  }
}
