import type { Hono } from 'hono';
import type { RecordingRelay } from '../../site/index.ts';
import { refusal } from '../routing/refusal.ts';

interface RecordingEnv {
  Variables: { readonly uid: string };
}

/** PUT /edge/v1/recording/{ticket}: a recording that is read at the control plane. The bytes pass through and are not kept. */
export function addRecordingRelay<E extends RecordingEnv>(
  app: Hono<E>,
  relay: Pick<RecordingRelay, 'take'>,
): void {
  app.put('/edge/v1/recording/:ticket', async (c) => {
    const { body } = c.req.raw;
    const over = Promise.withResolvers<void>();
    const bytes = passing(body, over.resolve);
    const taken = relay.take(c.req.param('ticket'), c.get('uid'), bytes);
    if (!taken.ok) {
      await bytes.cancel();
      return refusal(c, taken.error);
    }
    // The request of the host ends with its last byte, or when the reader leaves.
    await over.promise;
    return c.json({ success: true });
  });
}

/** The same bytes, one piece at a time; `over` is called after the last one, or when the reader leaves. */
function passing(body: ReadableStream<Uint8Array> | null, over: () => void): ReadableStream<Uint8Array> {
  const reader = body?.getReader();
  return new ReadableStream({
    async pull(out) {
      try {
        const next = await reader?.read();
        if (next?.value !== undefined) {
          out.enqueue(next.value);
          return;
        }
        out.close();
      } catch (cause) {
        out.error(cause);
      }
      over();
    },
    async cancel(reason) {
      over();
      await reader?.cancel(reason);
    },
  });
}
