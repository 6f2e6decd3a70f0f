import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { AlarmEvent, CodedValue } from './alarm-event.ts';
import { BS8521_EVENTS } from './bs8521-event.codes.ts';
import { BS8521_LOCATIONS } from './bs8521-location.codes.ts';
import { BS8521_STATUSES } from './bs8521-status.codes.ts';
import { codeTable } from './code-table.ts';
import { eventTable } from './event-table.ts';

/*
 * The 24 digits that BS 8521-1 sends as tones and NOW-IP (BS 8521-2) as text:
 *
 *   C systemConfig 1 | D speech 1 | T conformance 2 | G controller 8 | R unit 4 | E event 3 | L place 2 | P priority 1 | S status 2
 */

export const bs8521Table = {
  event: eventTable(BS8521_EVENTS),
  location: codeTable(BS8521_LOCATIONS, { compare: 'text' }),
  status: codeTable(BS8521_STATUSES, { compare: 'text' }),
} as const;

export interface Bs8521Fields {
  readonly systemConfig: string;
  readonly speechType: string;
  readonly conformance: string;
  readonly controllerId: string;
  readonly unitId: string;
  readonly event: string;
  readonly location: string;
  readonly priority: string;
  readonly status: string;
}

const DIGITS = /^(\d)(\d)(\d{2})(\d{8})(\d{4})(\d{3})(\d{2})(\d)(\d{2})$/;

export function decodeBs8521(digits: string): Result<Bs8521Fields, Failure<'Malformed'>> {
  const parts = DIGITS.exec(digits);
  if (parts === null) return fail('Malformed', 'not 24 digits');
  const [, systemConfig = '', speechType = '', conformance = '', controllerId = '', unitId = ''] = parts;
  const [event = '', location = '', priority = '', status = ''] = parts.slice(6);
  return ok({
    systemConfig,
    speechType,
    conformance,
    controllerId,
    unitId,
    event,
    location,
    priority,
    status,
  });
}

export const encodeBs8521 = (fields: Bs8521Fields): string =>
  fields.systemConfig +
  fields.speechType +
  fields.conformance +
  fields.controllerId +
  fields.unitId +
  fields.event +
  fields.location +
  fields.priority +
  fields.status;

/** C, with the words of both lists. 4 is a centre that identifies itself in a call it placed. */
export const BS8521_SYSTEM_CONFIG: Readonly<Record<string, string>> = {
  '0': 'localUnitAndController',
  '1': 'groupedSupervisorOffDuty',
  '2': 'groupedSupervisorOnDuty',
  '3': 'groupedSupervisorOnDutyArc',
};

/** Whether the string comes from the controller of a group scheme: the centre then selects the unit. */
export const isBs8521Group = ({ systemConfig }: Pick<Bs8521Fields, 'systemConfig'>): boolean =>
  systemConfig === '1' || systemConfig === '2' || systemConfig === '3';

const SPEECH: Readonly<Record<string, AlarmEvent['audio']>> = { '0': 'none', '1': 'duplex', '2': 'simplex' };

/** `097` is the acknowledgement of a message: logged, no alarm. */
export const isBs8521Alarm = ({ event }: Pick<Bs8521Fields, 'event'>): boolean => event !== '097';

/** `000` withdraws the open alarm of the same unit. */
export const isBs8521Withdrawal = ({ event }: Pick<Bs8521Fields, 'event'>): boolean => event === '000';

/**
 * The digits as internal event: the event row first, then a status and a place that are not 00 replace its own. A
 * code that has no row replaces nothing. Unknown speech kinds count as duplex: a person may be waiting.
 */
export function bs8521Alarm(fields: Bs8521Fields): AlarmEvent {
  const { event, systemConfig, speechType, controllerId, unitId, priority } = fields;
  const coded = bs8521Table.event.coded(event);
  const silent = fields.status === '02' || fields.status === '03';
  const word = BS8521_SYSTEM_CONFIG[systemConfig] ?? null;
  return {
    controllerId,
    deviceId: unitId,
    deviceType: coded.deviceType,
    statusCode: statusOf(fields, coded.statusCode),
    location: locationOf(fields, coded.location),
    ...(event === '011' && { deviceComponent: { native: event, send: 'button2', receive: 'button2' } }),
    systemConfig: { native: systemConfig, send: word, receive: word },
    audio: silent ? 'none' : (SPEECH[speechType] ?? 'duplex'),
    priority: Number(priority),
  };
}

export function bs8521Warnings({
  event,
  location,
  status,
  speechType,
  systemConfig,
}: Bs8521Fields): readonly string[] {
  return [
    ...(bs8521Table.event.lookup(event) === undefined ? ['unknownCode:event'] : []),
    ...(bs8521Table.location.lookup(location) === undefined ? ['unknownCode:location'] : []),
    ...(bs8521Table.status.lookup(status) === undefined ? ['unknownCode:status'] : []),
    ...(SPEECH[speechType] === undefined ? ['unknownCode:speechType'] : []),
    ...(Number(systemConfig) > 4 ? ['unknownCode:systemConfig'] : []),
  ];
}

/** 00 leaves the status to the event row, and is `normal` only when that row has none. */
function statusOf({ event, status }: Bs8521Fields, ofEvent: CodedValue): CodedValue {
  const row = bs8521Table.status.lookup(status);
  if (row === undefined) return ofEvent;
  if (status !== '00') return bs8521Table.status.coded(status);
  const known = bs8521Table.event.lookup(event) !== undefined;
  return known && ofEvent.receive === null && ofEvent.send === null
    ? bs8521Table.status.coded('00')
    : ofEvent;
}

function locationOf({ location }: Bs8521Fields, ofEvent: CodedValue | undefined): CodedValue {
  const coded = bs8521Table.location.coded(location);
  return ofEvent !== undefined && (location === '00' || coded.receive === null) ? ofEvent : coded;
}
