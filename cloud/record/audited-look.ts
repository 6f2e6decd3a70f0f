import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  mutate,
  recordAudit,
  recordsOf,
  type SessionRecordRow,
  type Store,
} from '../store/index.ts';
import { unknownRecord } from './record-queries.ts';

/** A record with its trace. */
export type TracedRecord = SessionRecordRow & { readonly traceId: string };

/**
 * The record whose trace, capture or evidence a person looks at; the look stands in the audit log before anything is shown. Fails
 * with `notFound` for an unknown record, that of another tenant, and one without a trace.
 */
export async function auditedLook(
  store: Store,
  call: Call,
  recordId: string,
  entity: 'trace' | 'capture' | 'evidence' | 'transcript',
  more: Readonly<Record<string, unknown>> = {},
): Promise<Result<TracedRecord>> {
  const { tenant } = call;
  const [row] = await recordsOf(store, tenant, [recordId]);
  if (row === undefined) return unknownRecord(recordId);
  const { traceId, siteId } = row;
  if (traceId === null)
    return fail('notFound', `The record ${recordId} has no trace: its session noted none, or was erased.`);
  const detail = { recordId, siteId, ...more };
  await mutate(store, call, async (tx) => {
    await recordAudit(tx, call.actor, { tenant, action: 'read', entity, entityId: traceId, detail });
    return ok(null);
  });
  return ok({ ...row, traceId });
}
