import type { AlarmEvent, EventTable, SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { type CheckSetting, makeCheck } from '../tone/index.ts';
import { decodeGroupAlarm, encodeGroupAlarm, type GroupAlarm } from './group.ts';
import { decodeLine, encodeLine, isGroup, type TtFields } from './line.ts';

/** The tones of one event: D# and 22 symbols, and in a scheme the unit that waits behind its controller. */
export interface TtForm {
  readonly line: string;
  readonly unit?: GroupAlarm;
}

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

/** Generic of a frame that we write for a scheme (protocols 14). */
const SCHEME = '2';

/**
 * The event of a unit behind a controller (systemConfig of a group, or a unit of a TT scheme): the frame of the controller and
 * the group of 8 that names the unit. Undefined: the event is none, or its unit has no number of three digits; it goes out as one
 * of a single unit then.
 */
export function ttUnitForm(
  event: AlarmEvent,
  { source, check, calls }: TtSendContext = {},
): TtForm | undefined {
  const { controllerId, deviceId, systemConfig, ...rest } = event;
  const unit = /^0*(\d{1,3})$/.exec(deviceId ?? '')?.[1]?.padStart(3, '0');
  const native = nativeUnit(event, source);
  if (unit === undefined || (native === undefined && systemConfig?.send?.startsWith('grouped') !== true))
    return undefined;
  const made = encodeLine({ ...rest, controllerId }, NO_TABLE, calls);
  const read = made.ok ? decodeLine(made.value) : undefined;
  if (read?.ok !== true && native === undefined) return undefined;
  const own = read?.ok === true ? read.value.fields : undefined;
  const head = native ?? { ...own, generic: SCHEME };
  const callCode = native?.callCode ?? own?.callCode ?? '';
  const covered = `${head.type}${head.reserved}${head.generic}${callCode}${controllerId.padEnd(12, '*')}0000`;
  const digits = check === undefined ? undefined : makeCheck(check.method, covered, check.table);
  const line = `D#${covered}${digits ?? NO_TABLE}`;
  const battery = native?.battery ?? (event.statusCode.send === 'lowBattery' ? 'low' : 'good');
  const alarm: GroupAlarm = { callCode, unit, battery, location: native?.location ?? '00' };
  const isSaid = decodeLine(line).ok && decodeGroupAlarm(encodeGroupAlarm(alarm)).ok;
  return isSaid ? { line, unit: alarm } : undefined;
}

/** A unit that a TT scheme has named, as long as the event still means the same. */
function nativeUnit(
  { deviceType, statusCode, location }: AlarmEvent,
  source?: SourceAlarmEvent,
): (Pick<TtFields, 'type' | 'reserved' | 'generic' | 'callCode'> & Omit<GroupAlarm, 'unit'>) | undefined {
  if (source?.protocol !== 'tt92' && source?.protocol !== 'ttnew') return undefined;
  const fields = source.fields as unknown as TtFields & GroupAlarm;
  const same = deviceType.native !== null && deviceType.native === statusCode.native;
  if (fields.unit === undefined || !same || !isGroup(fields)) return undefined;
  return { ...fields, location: location?.native === fields.location ? fields.location : '00' };
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
