import type { Failure, Result } from '#shared/result.ts';
import type { RemoteAnswer } from '../remote-operation.ts';

/** The arguments are not those of the operation. */
export const invalid = (reason: string): RemoteAnswer => ({ ok: false, code: 'invalid', reason });

/** The outcome of something that was sent, as the answer to the cloud. */
export const answerOf = (sent: Result<object, Failure>): RemoteAnswer =>
  sent.ok
    ? { ok: true, value: { ...sent.value } }
    : { ok: false, code: sent.error.code, reason: sent.error.reason };
