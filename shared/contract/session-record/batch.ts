import { z } from 'zod';
import { ulidField } from '../feed/index.ts';
import { sessionRecordSchema } from './record.ts';

const count = z.number().int().nonnegative();

/** The word in `cap` of cp/state: this control plane takes records. Without it a host keeps them. */
export const RECORD_CAPABILITY = 'lane.record';

/** Most records of one batch; the payload's limit of bytes counts, too. */
export const RECORD_BATCH_LIMIT = 50;

/**
 * up/rec (QoS 1): records of sessions, in the order of their own counter; resent until `rec` of dn/ack covers them. Not a lane of
 * the outbox: records never wait in it, and a batch of them goes only while no event waits.
 */
export const recordBatchSchema = z.object({
  v: z.literal(1),
  sid: ulidField,
  items: z
    .array(
      z.object({
        /** Counter of the record store of this host, ascending; a start and its end have one each. */
        seq: count,
        /** The seq sent before it; 0 = the first one. Rows that the quota dropped are skipped. */
        prev: count,
        record: sessionRecordSchema,
      }),
    )
    .min(1)
    .max(RECORD_BATCH_LIMIT),
});

export type RecordBatch = z.output<typeof recordBatchSchema>;
