import { invalid } from '#shared/contract/invalid.ts';
import {
  type SendAlarmEventAnswer,
  type SendAlarmEventRequest,
  sendAlarmEventSchema,
} from '#shared/contract/runtime/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { OperationPorts } from './alarm-call.ts';
import type { OperationFailure } from './failure.ts';

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

/** sendalarmevent (runtime API document 4.3): answered at once; the outcome comes by callbacks. */
export async function sendAlarmEvent(
  ports: OperationPorts,
  body: unknown,
  key: string | undefined,
): Promise<Result<Omit<SendAlarmEventAnswer, 'success'>, OperationFailure>> {
  const said = sendAlarmEventSchema.safeParse(body);
  if (!said.success) return { ok: false, error: invalid(said.error) };
  return await ports.sender.send(said.data, key);
}
