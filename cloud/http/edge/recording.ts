import type { Hono } from 'hono';
import { promptFileNameField } from '#shared/contract/runtime/index.ts';
import type { PromptFiles } from '../../provisioning/index.ts';
import type { RecordingRelay } from '../../site/index.ts';
import { refusal } from '../routing/refusal.ts';

interface RecordingEnv {
  Variables: { readonly uid: string; readonly tenant: string };
}

/**
 * GET /edge/v1/recording?name=: a recording for a host that has not made it; with `look` its size alone. Chosen: any recording of
 * the tenant, as for an application of the tenant. The bytes pass through the host, which keeps none of them.
 */
export function addRecordingForHost<E extends RecordingEnv>(
  app: Hono<E>,
  prompts: Pick<PromptFiles, 'open' | 'recordingFor'>,
  nowMs: () => number,
): void {
  app.get('/edge/v1/recording', async (c) => {
    const name = promptFileNameField.safeParse(c.req.query('name'));
    const unknown = {
      code: 'notFound',
      reason: 'The recording is not found: the tenant has none of that name. Check the name.',
    } as const;
    if (!name.success) return refusal(c, unknown);
    const actor = { name: `host:${c.get('uid')}`, address: '', requestId: '', at: nowMs() };
    const call = { tenant: c.get('tenant'), domain: '', actor };
    const size = await prompts.recordingFor(call, name.data);
    if (!size.ok) return refusal(c, unknown);
    if (c.req.query('look') === 'true') return c.json({ success: true, size: size.value });
    const opened = await prompts.open(call, name.data);
    return opened.ok
      ? c.body(opened.value.bytes, 200, {
          'Content-Type': 'application/octet-stream',
          'Content-Length': String(size.value),
        })
      : refusal(c, opened.error);
  });
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
    const taken = await relay.take(c.req.param('ticket'), c.get('uid'), bytes);
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
