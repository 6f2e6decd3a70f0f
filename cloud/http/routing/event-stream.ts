/** A browser that lost the stream comes back after this. */
const RETRY_MS = 2_000;

/** No proxy keeps anything of a stream back. */
export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** `beat`: nothing new; `over`: the end. */
type StreamedEvent =
  | { readonly event: 'beat' | 'over' }
  | { readonly event: string; readonly id: string; readonly data: unknown };

interface Streamed {
  readonly next: () => Promise<StreamedEvent>;
  readonly close: () => void;
}

/**
 * Server-sent events (HTML Living Standard 9.2). One event is made when the one before was taken: a slow reader holds up no
 * other reader and fills no memory. `stays`: each sign of life is also the moment where a caller is let go who may not
 * listen any more.
 */
export function eventsOf(listening: Streamed, stays: () => Promise<boolean>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start: (stream) => stream.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`)),
      pull: async (stream) => {
        const item = await listening.next();
        if (item.event === 'over' || (item.event === 'beat' && !(await stays()))) {
          listening.close();
          stream.close();
          return;
        }
        const text =
          'id' in item
            ? `id: ${item.id}\nevent: ${item.event}\ndata: ${JSON.stringify(item.data)}\n\n`
            : ':\n\n';
        stream.enqueue(encoder.encode(text));
      },
      cancel: () => listening.close(),
    },
    { highWaterMark: 1 },
  );
}
