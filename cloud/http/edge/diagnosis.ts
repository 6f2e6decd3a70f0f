import type { Hono } from 'hono';
import {
  CAPTURE_LIMIT_BYTES,
  type CaptureRelay,
  TRACE_LIMIT_BYTES,
  type TraceRelay,
} from '../../record/index.ts';
import { DIAGNOSIS_LIMIT_BYTES, type DiagnosisBundles } from '../../site/index.ts';
import { refusal } from '../routing/refusal.ts';

interface DiagnosisEnv {
  Variables: { readonly uid: string };
}

/** PUT /edge/v1/diagnosis/{id}: the support bundle a host was asked for (control plane, section 3.5), once. */
export function addDiagnosis<E extends DiagnosisEnv>(
  app: Hono<E>,
  bundles: Pick<DiagnosisBundles, 'put'>,
): void {
  app.put('/edge/v1/diagnosis/:id', async (c) => {
    const bytes = await bytesOf(c.req.raw.body, DIAGNOSIS_LIMIT_BYTES);
    const result = await bundles.put(c.req.param('id'), c.get('uid'), bytes);
    return result.ok ? c.json({ success: true }) : refusal(c, result.error);
  });
}

/** PUT /edge/v1/trace/{id}: the trace of a session that a host was asked for, once. */
export function addTrace<E extends DiagnosisEnv>(app: Hono<E>, traces: Pick<TraceRelay, 'put'>): void {
  app.put('/edge/v1/trace/:id', async (c) => {
    const bytes = await bytesOf(c.req.raw.body, TRACE_LIMIT_BYTES);
    const result = await traces.put(c.req.param('id'), c.get('uid'), bytes);
    return result.ok ? c.json({ success: true }) : refusal(c, result.error);
  });
}

/** PUT /edge/v1/capture/{id}: the captured messages of a session that a host was asked for, once. */
export function addCapture<E extends DiagnosisEnv>(app: Hono<E>, captures: Pick<CaptureRelay, 'put'>): void {
  app.put('/edge/v1/capture/:id', async (c) => {
    const bytes = await bytesOf(c.req.raw.body, CAPTURE_LIMIT_BYTES);
    const result = await captures.put(c.req.param('id'), c.get('uid'), bytes);
    return result.ok ? c.json({ success: true }) : refusal(c, result.error);
  });
}

/** A body that is too long is not read to its end: one byte more than may be is enough to refuse it. */
async function bytesOf(
  body: ReadableStream<Uint8Array> | null,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    size += part.byteLength;
    if (size > mostBytes) break;
  }
  return new Uint8Array(Buffer.concat(parts));
}
