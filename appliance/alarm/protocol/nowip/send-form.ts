import {
  type AlarmEvent,
  type Bs8521SendSetting,
  encodeBs8521,
  forwardedBs8521,
  type SourceAlarmEvent,
} from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** Type and data of a message; version, time and mac are the sender's. */
export interface NowIpForm {
  readonly type: '0' | '1';
  /** 24 digits, or controller and unit of a heartbeat. */
  readonly data: string;
}

/** The common event as a message: type 0 for a heartbeat without a state, or of an application that says `online`; else type 1. */
export function nowIpForm(
  event: AlarmEvent,
  context: { readonly source?: SourceAlarmEvent; readonly setting?: Bs8521SendSetting } = {},
): Result<NowIpForm, Failure<'notExpressible'>> {
  const made = forwardedBs8521(event, context.source, context.setting);
  if (!made.ok) return fail('notExpressible', made.error.reason, made.error.path);
  const { controllerId, unitId } = made.value;
  const { deviceType, statusCode } = event;
  const isStateless = statusCode.send === null && statusCode.receive === null;
  // If we supervise the device, `online` is the end of `offline`: an event.
  const isSignOfLife = context.source === undefined && statusCode.send === 'online';
  const isHeartbeat = deviceType.send === 'heartbeat' && (isStateless || isSignOfLife);
  return ok(
    isHeartbeat
      ? { type: '0', data: `${controllerId}${unitId}` }
      : { type: '1', data: encodeBs8521(made.value) },
  );
}
