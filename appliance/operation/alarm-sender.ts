import type { SendAlarmEventAnswer, SendAlarmEventRequest } from '#shared/contract/runtime/index.ts';
import type { Failure, Result } from '#shared/result.ts';

/** How events are given to be sent. */
export interface AlarmSender {
  /** Resolves when the event is on the disk; it goes out from there on. `key`: the same again is answered alike. */
  readonly send: (
    said: SendAlarmEventRequest,
    key: string | undefined,
  ) => Promise<
    Result<
      Omit<SendAlarmEventAnswer, 'success'>,
      Failure<
        | 'invalid'
        | 'noReceiver'
        | 'noEventSender'
        | 'noRoute'
        | 'overloaded'
        | 'storeFailed'
        | 'idempotencyConflict'
      >
    >
  >;
}
