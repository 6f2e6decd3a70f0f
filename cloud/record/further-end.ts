import { z } from 'zod';
import type { TraceStep } from '#shared/contract/session-record/index.ts';
import type { SessionRecordRow } from '../store/index.ts';

/** Ends beside the one that counts; a site has few hosts. */
const MOST = 8;

const furtherEndSchema = z.object({
  uid: z.string(),
  hostId: z.string(),
  seq: z.number(),
  result: z.string(),
  reason: z.string().optional(),
  at: z.number(),
});
/** The end of a session by a host whose record does not count. */
export type FurtherEnd = z.output<typeof furtherEndSchema>;

const bodySchema = z.object({ furtherEnds: z.array(furtherEndSchema).optional() });

export const furtherEndsOf = ({ body }: Pick<SessionRecordRow, 'body'>): readonly FurtherEnd[] =>
  bodySchema.safeParse(body).data?.furtherEnds ?? [];

/** The row with the end of another one beside its own; undefined: that end is known. */
export function withFurtherEnd(row: SessionRecordRow, other: SessionRecordRow): SessionRecordRow | undefined {
  const ends = furtherEndsOf(row);
  const known = ends.find(({ uid }) => uid === other.uid);
  if (known !== undefined && known.seq >= other.seq) return undefined;
  const furtherEnds = [...ends.filter((end) => end !== known), endOf(other)].slice(-MOST);
  return { ...row, body: { ...row.body, furtherEnds } };
}

function endOf({ uid, hostId, seq, result, receivedAt, body }: SessionRecordRow): FurtherEnd {
  const { times, reason } = (body.record ?? {}) as { times?: { ended?: number }; reason?: string };
  return {
    uid,
    hostId,
    seq,
    result,
    ...(reason !== undefined && { reason }),
    at: times?.ended ?? receivedAt,
  };
}

/** Further ends as steps of the trace. */
export const furtherEndSteps = (row: SessionRecordRow): TraceStep[] =>
  furtherEndsOf(row).map(({ at, hostId, result, reason }) => ({
    ...{ at, hostId, party: 'host', direction: 'own', kind: 'furtherEnd' },
    detail: { result, ...(reason !== undefined && { reason }), counts: row.hostId },
  }));
