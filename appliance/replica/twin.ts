import { type Twin, twinSchema } from '#shared/contract/feed/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';

export type TwinFailure = Failure<'signatureInvalid' | 'foreignTwin' | 'olderTwin'>;

/**
 * Whether what came is the wanted state of this host. `payload` is what the signature covers, undefined when it did not
 * verify; `currentRev` is the highest one accepted so far: a lower one is a replay.
 */
export function acceptTwin(payload: unknown, uid: string, currentRev: number): Result<Twin, TwinFailure> {
  if (payload === undefined) return fail('signatureInvalid', 'the twin is not signed by a pinned key');
  const read = twinSchema.safeParse(payload);
  if (!read.success) return fail('foreignTwin', 'the twin is of another version or has another form');
  if (read.data.uid !== uid) return fail('foreignTwin', `the twin is for ${read.data.uid}`);
  if (read.data.twinRev < currentRev) {
    return fail('olderTwin', `twin ${read.data.twinRev} came after ${currentRev}`);
  }
  return ok(read.data);
}
