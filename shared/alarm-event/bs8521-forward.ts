import type { Failure, Result } from '#shared/result.ts';
import type { AlarmEvent, CodedValue, SourceAlarmEvent } from './alarm-event.ts';
import { type Bs8521Fields, bs8521Alarm, decodeBs8521, encodeBs8521 } from './bs8521-digits.ts';
import { type Bs8521SendSetting, bs8521Fields } from './bs8521-send.ts';

/**
 * An event as the 24 digits, and digit for digit as they came where the event came in these digits (BS 8521-1 or
 * NOW-IP): a field is looked up again only when the event no longer has the value of its digits.
 */
export function forwardedBs8521(
  event: AlarmEvent,
  source: SourceAlarmEvent | undefined,
  setting: Bs8521SendSetting = {},
): Result<Bs8521Fields, Failure<'NotExpressible'>> {
  const made = bs8521Fields(event, setting);
  const came = made.ok ? digitsOf(source) : undefined;
  if (!made.ok || came === undefined) return made;
  const said = bs8521Alarm(came);
  const says = isSame(said.deviceType, event.deviceType) && isSame(said.statusCode, event.statusCode);
  return {
    ok: true,
    value: {
      ...made.value,
      conformance: came.conformance,
      ...(says && { event: came.event, status: came.status }),
      ...(isSame(said.location, event.location) && { location: came.location }),
      ...(isSame(said.systemConfig, event.systemConfig) && { systemConfig: came.systemConfig }),
      ...(said.audio === event.audio && { speechType: came.speechType }),
    },
  };
}

/** The digits of the native event, when it has them. */
function digitsOf(source: SourceAlarmEvent | undefined): Bs8521Fields | undefined {
  if (source?.protocol !== 'bs8521' && source?.protocol !== 'nowip') return undefined;
  const read = decodeBs8521(encodeBs8521(source.fields as unknown as Bs8521Fields));
  return read.ok ? read.value : undefined;
}

const isSame = (a: CodedValue | undefined, b: CodedValue | undefined): boolean =>
  a?.native === b?.native && a?.send === b?.send && a?.receive === b?.receive;
