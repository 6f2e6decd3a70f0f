import type { AlarmEvent, EventTable, SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { type CheckSetting, makeCheck } from '../tone/index.ts';
import { encodeLine } from './line.ts';

export interface TtSendContext {
  readonly source?: SourceAlarmEvent;
  /** The customer's table; without one the check is 00. */
  readonly check?: Pick<CheckSetting, 'method' | 'table'>;
  /** Call codes instead of the built-in ones. */
  readonly calls?: EventTable;
}

const NO_TABLE = '00';

/**
 * The common event as D# and 22 symbols. Call code and location of a TT frame go on as they came, as long as the event
 * still means them; TT92 and TTNEW have the same. `notExpressible`: no digits as identity, or a state that is neither
 * an alarm nor in the table.
 */
export function ttForm(
  event: AlarmEvent,
  { source, check, calls }: TtSendContext = {},
): Result<string, Failure<'notExpressible'>> {
  const made = encodeLine(event, '', calls);
  const native = nativeCall(event, source);
  if (!made.ok && (native === undefined || made.error.path === '/controllerId'))
    return fail('notExpressible', made.error.reason, made.error.path);
  const identity = `${event.controllerId}${event.deviceId ?? ''}`.padEnd(12, '*');
  const line =
    native === undefined && made.ok ? made.value : `${native ?? ''}${identity}${placeOf(event, source)}`;
  const digits = check === undefined ? undefined : makeCheck(check.method, line.slice(2), check.table);
  return ok(`${line}${digits ?? NO_TABLE}`);
}

/** D#, type, reserved, generic and call code. */
function nativeCall({ deviceType, statusCode }: AlarmEvent, source?: SourceAlarmEvent): string | undefined {
  if (source?.protocol !== 'tt92' && source?.protocol !== 'ttnew') return undefined;
  const { native } = deviceType;
  return native !== null && native === statusCode.native && /^D#[0-9A-D*#]{4}$/.test(native)
    ? native
    : undefined;
}

function placeOf({ location }: AlarmEvent, source?: SourceAlarmEvent): string {
  const place = source?.fields.location;
  return typeof place === 'string' && location?.native === place && /^[0-9A-D*#]{4}$/.test(place)
    ? place
    : '0000';
}
