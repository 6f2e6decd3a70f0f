import { type AlarmEvent, type CodedValue, codedFrom } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import type { ToneFrame, ToneProtocol } from '../tone/index.ts';
import type { OpenField, OpenMeaning, OpenProfile } from './profile.ts';

/** Chosen: a line without an identity is delivered for the calling number to identify. */
const NO_CONTROLLER = '0';
const UNKNOWN: CodedValue = { native: null, send: null, receive: null };

/**
 * A tone protocol that a customer describes: request, string, check and acknowledge are values of the profile, codes are
 * rows of its event table. Without a description of the string the whole line is delivered, with warning `unknownFraming`.
 */
export const openToneProtocol = (name: string, profile: OpenProfile): ToneProtocol => ({
  name,
  profile,
  leads: (line) => profile.collect.start !== '' && line.startsWith(profile.collect.start),
  wholeLength: () => (profile.frame === undefined ? undefined : framedLength(profile)),
  read: (line) => (profile.frame === undefined ? ok(captured(line)) : readFields(line, profile)),
});

const framedLength = ({ frame = [], collect: { start, end } }: OpenProfile): number =>
  start.length + frame.reduce((sum, [, digits]) => sum + digits, 0) + end.length;

const captured = (line: string): ToneFrame => ({
  checked: '',
  check: '',
  event: {
    controllerId: NO_CONTROLLER,
    deviceType: UNKNOWN,
    statusCode: UNKNOWN,
    audio: 'duplex',
    priority: 0,
  },
  withdraws: false,
  fields: { line },
  warnings: ['unknownFraming'],
});

function readFields(line: string, profile: OpenProfile): Result<ToneFrame, Failure<'Malformed'>> {
  const { frame = [], collect, events } = profile;
  const { start, end } = collect;
  const open = line.startsWith(start) ? line.slice(start.length) : line;
  const inner = end !== '' && open.endsWith(end) ? open.slice(0, -end.length) : open;
  if (inner.length !== frame.reduce((sum, [, digits]) => sum + digits, 0))
    return fail('Malformed', 'the line has another length than its fields');
  const fields: Partial<Record<OpenField, string>> = {};
  let at = 0;
  for (const [name, digits] of frame) {
    fields[name] = inner.slice(at, at + digits);
    at += digits;
  }
  const { check = '', eventCode } = fields;
  const known = eventCode !== undefined && Object.hasOwn(events, eventCode) ? events[eventCode] : undefined;
  return ok({
    checked: check === '' ? '' : frame.flatMap(([name]) => (name === 'check' ? [] : [fields[name]])).join(''),
    check,
    event: eventOf(fields, known),
    withdraws: false,
    fields,
    warnings: known === undefined ? ['unknownCode:eventCode'] : [],
  });
}

/** A code without a description is delivered as unknown: a person may need help. */
function eventOf(fields: Partial<Record<OpenField, string>>, said: OpenMeaning = {}): AlarmEvent {
  const { controllerId, deviceId, eventCode, location: place } = fields;
  const word = (field: 'deviceType' | 'statusCode', value: string | undefined): CodedValue =>
    value === undefined
      ? { ...UNKNOWN, native: eventCode ?? null }
      : { ...codedFrom(field, value), native: eventCode ?? null };
  const location = said.location === undefined ? undefined : codedFrom('location', said.location);
  return {
    controllerId: controllerId ?? NO_CONTROLLER,
    ...(deviceId !== undefined && { deviceId }),
    deviceType: word('deviceType', said.deviceType),
    statusCode: word('statusCode', said.statusCode),
    ...(location !== undefined
      ? { location: { ...location, native: place ?? location.native } }
      : place !== undefined && { location: { ...UNKNOWN, native: place } }),
    audio: said.audio ?? 'duplex',
    priority: 0,
  };
}
