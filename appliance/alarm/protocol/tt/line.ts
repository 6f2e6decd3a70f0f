import {
  type AlarmEvent,
  type EventTable,
  eventTable,
  isAlarmState,
  sendForm,
  TT_CALLS,
  wordsIn,
} from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { ToneFrame, ToneProtocol } from '../tone/index.ts';
import type { GroupAlarm } from './group.ts';
import { TT92_PROFILE, TTNEW_PROFILE, type TtProfile } from './profile.ts';

/*
 *   D # | type 1 | reserved 1 | generic 1 | call code 1 | identity 12 (tail *) | location 4 | check 2
 */

const callTable = eventTable(TT_CALLS);

export interface TtFields {
  readonly type: string;
  readonly reserved: string;
  readonly generic: string;
  readonly callCode: string;
  /** Without the `*` that fill its tail. */
  readonly identity: string;
  /** TT92; TTNEW fills it with 0 or `*`. */
  readonly location: string;
}

export interface TtLine {
  /** The 20 symbols that the check covers. */
  readonly symbols: string;
  readonly check: string;
  readonly fields: TtFields;
}

const SYMBOLS =
  /^D?#(([0-9A-D*#])([0-9A-D*#])([0-9A-D*#])([0-9A-D*#])([0-9A-D*#]{12})([0-9A-D*#]{4}))([0-9A-D*#]{2})$/;

/** Reads D# and 22 symbols; a lost first D is put back. */
export function decodeLine(line: string): Result<TtLine, Failure<'Malformed'>> {
  const parts = SYMBOLS.exec(line);
  if (parts === null) return fail('Malformed', 'not D# and 22 symbols');
  const [, symbols = '', type = '', reserved = '', generic = '', callCode = '', filled = ''] = parts;
  const identity = filled.replace(/\*+$/, '');
  if (identity === '') return fail('Malformed', 'no identity');
  const fields = { type, reserved, generic, callCode, identity, location: parts[7] ?? '' };
  return ok({ symbols, check: parts[8] ?? '', fields });
}

/** Generic 2 or 3: the controller of a scheme, whose waiting calls are asked for. */
export const isGroup = ({ generic }: Pick<TtFields, 'generic'>): boolean =>
  generic === '2' || generic === '3';

/** Equipment that has no commands to switch speech, by generic and type. */
const NO_SWITCHED_SPEECH: readonly string[] = [
  '00',
  '01',
  '02',
  '03',
  '10',
  '11',
  '12',
  '13',
  '14',
  '20',
  '21',
];
export const switchesSpeech = ({ generic, type }: Pick<TtFields, 'generic' | 'type'>): boolean =>
  !NO_SWITCHED_SPEECH.includes(generic + type);

const callOf = ({ type, reserved, generic, callCode }: TtFields): string =>
  `D#${type}${reserved}${generic}${callCode}`;

/** The functions of TT92 and TTNEW for the tone engine; they differ in their tones only. */
export function ttProtocol(name: 'tt92' | 'ttnew', profile?: TtProfile): ToneProtocol {
  return {
    name,
    profile: profile ?? (name === 'tt92' ? TT92_PROFILE : TTNEW_PROFILE),
    leads: (line) => /^(?:D$|D?#)/.test(line),
    wholeLength: (line) => (line.startsWith('D') ? 24 : 23),
    read: (line) => {
      const read = decodeLine(line);
      return read.ok ? ok(frameOf(read.value)) : read;
    },
  };
}

function frameOf({ symbols, check, fields }: TtLine): ToneFrame {
  const call = callOf(fields);
  const placeless = /^(?:0000|\*{4})$/.test(fields.location);
  return {
    checked: symbols,
    check,
    event: {
      controllerId: fields.identity,
      ...callTable.coded(call),
      ...(!placeless && { location: { native: fields.location, send: null, receive: null } }),
      // Every call of this family is followed by speech.
      audio: 'duplex',
      priority: 0,
    },
    withdraws: false,
    fields: { ...fields },
    warnings: callTable.lookup(call) === undefined ? ['unknownCode:callCode'] : [],
  };
}

/**
 * The event of a unit that waits in a scheme. Chosen: the table knows calls of single units; those of a scheme with the same
 * code mean the same.
 */
export function groupEvent(
  controller: TtFields,
  { callCode, unit, battery, location }: GroupAlarm,
): Pick<ToneFrame, 'fields' | 'warnings'> & { readonly event: AlarmEvent } {
  const own = callOf({ ...controller, callCode });
  const call = callTable.lookup(own) === undefined ? `${SINGLE_UNIT}${callCode}` : own;
  return {
    event: {
      controllerId: controller.identity,
      deviceId: unit,
      ...callTable.coded(call),
      ...(location !== '00' && { location: { native: location, send: null, receive: null } }),
      audio: 'duplex',
      priority: 0,
    },
    fields: { ...controller, callCode, unit, battery, location },
    warnings: [
      ...(callTable.lookup(call) === undefined ? ['unknownCode:callCode'] : []),
      ...(battery === 'low' ? ['lowBattery'] : []),
    ],
  };
}

const SINGLE_UNIT = 'D#101';
/** Call code for every other alarm. */
const FALLBACK_CALL = 'D#1017';
/** The send list has no word for a test call. */
const TEST_CALL = 'D#1012';

/**
 * An internal event as D# and 22 symbols. Rows that name the state come first, then those of the device type; other
 * alarms use call code 7, other states are `NotExpressible`. Without a table the check is 00.
 */
export function encodeLine(
  event: AlarmEvent,
  check = '00',
  table: EventTable = callTable,
): Result<string, Failure<'NotExpressible'>> {
  const identity = `${event.controllerId}${event.deviceId ?? ''}`;
  if (!/^\d{1,12}$/.test(identity))
    return fail('NotExpressible', 'the identity is not at most 12 digits', '/controllerId');
  const { deviceType, statusCode } = sendForm(event);
  const says = (column: string | undefined, word: string | null) =>
    word !== null && wordsIn(column).includes(word);
  const byState = table.rows.find(
    (row) =>
      says(row.sendStatusCode, statusCode) &&
      (row.sendDeviceType === '*' || says(row.sendDeviceType, deviceType)),
  );
  const byDevice = table.rows.find(
    (row) => row.sendStatusCode === undefined && says(row.sendDeviceType, deviceType),
  );
  const isAlarm = isAlarmState(statusCode);
  const isTest = event.statusCode.receive === 'alarmTest';
  const call =
    (isTest ? TEST_CALL : byState?.code) ??
    (isAlarm || deviceType === 'heartbeat' ? (byDevice?.code ?? FALLBACK_CALL) : undefined);
  return call === undefined
    ? fail('NotExpressible', `no call code for state ${statusCode}`, '/statusCode')
    : ok(`${call}${identity.padEnd(12, '*')}0000${check}`);
}
