import { type AlarmEvent, type CodedValue, codedFrom } from '#shared/alarm-event/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { ProtocolEvent } from '../protocol.ts';
import {
  childrenNamed,
  readXml,
  writeXml,
  type XmlElement,
  type XmlFailure,
  xmlText,
} from '../xml-message/index.ts';
import type { LacsProfile } from './profile.ts';

export type LacsField = keyof LacsProfile['fieldPaths'];

/** One request, read by the paths of the profile. */
export interface LacsRequest {
  readonly root: string;
  readonly fields: Readonly<Partial<Record<LacsField, string>>>;
  readonly raw: string;
}

const FIELDS: readonly LacsField[] = [
  'controllerId',
  'deviceId',
  'eventCode',
  'reference',
  'time',
  'location',
  'callback',
];
const MOST_TEXT = 128;
const UNKNOWN: CodedValue = { native: null, send: null, receive: null };

/** Reads a body. `Malformed`: no XML, or another root than the profile names. A field that is not there is absent. */
export function decodeLacs(body: Uint8Array | string, profile: LacsProfile): Result<LacsRequest, XmlFailure> {
  const xml = readXml(body);
  if (!xml.ok) return xml;
  const { requestRoot, fieldPaths } = profile;
  const { name } = xml.value;
  if (requestRoot !== '' && name !== requestRoot)
    return fail('Malformed', `root element is ${name.slice(0, 32)}, not ${requestRoot}`);
  const fields: Partial<Record<LacsField, string>> = {};
  for (const field of FIELDS) {
    const text = fieldPaths[field] === '' ? undefined : textAt(xml.value, fieldPaths[field].split('/'));
    if (text !== undefined) fields[field] = text;
  }
  return ok({ root: name, fields, raw: typeof body === 'string' ? body : xmlText(body) });
}

function textAt(element: XmlElement, path: readonly string[]): string | undefined {
  let at: XmlElement | undefined = element;
  for (const name of path) at = at && childrenNamed(at, name)[0];
  const text = at?.text.trim().slice(0, MOST_TEXT);
  return text === '' ? undefined : text;
}

/**
 * The request as an event of a session. A code without a row and an identity that is not there are warnings: the alarm
 * is delivered all the same, under the number it came from.
 */
export function lacsEvent(
  { fields, raw }: LacsRequest,
  sipFrom: string,
  profile: LacsProfile,
): ProtocolEvent {
  const { controllerId, deviceId, eventCode, location } = fields;
  const said =
    eventCode !== undefined && Object.hasOwn(profile.events, eventCode)
      ? profile.events[eventCode]
      : undefined;
  const native = eventCode ?? null;
  const word = (field: 'deviceType' | 'statusCode', value: string | undefined): CodedValue =>
    value === undefined ? { ...UNKNOWN, native } : { ...codedFrom(field, value), native };
  const place = said?.location === undefined ? undefined : codedFrom('location', said.location);
  const event: AlarmEvent = {
    controllerId: controllerId ?? (sipFrom === '' ? '0' : sipFrom),
    ...(deviceId !== undefined && { deviceId }),
    deviceType: word('deviceType', said?.deviceType),
    statusCode: word('statusCode', said?.statusCode),
    ...(place !== undefined
      ? { location: { ...place, native: location ?? place.native } }
      : location !== undefined && { location: { ...UNKNOWN, native: location } }),
    audio: said?.audio ?? 'duplex',
    priority: 0,
    ...(fields.callback !== undefined && { callerId: fields.callback }),
  };
  return {
    ordinal: 0,
    kind: 'first',
    event,
    source: {
      protocol: 'lacs',
      raw,
      fields: { ...fields },
      check: { policy: 'none', result: 'notChecked' },
      warnings: [
        ...(said === undefined ? ['unknownCode:eventCode'] : []),
        ...(controllerId === undefined ? ['noIdentity'] : []),
      ],
    },
    offer: { voice: event.audio !== 'none' },
  };
}

const FIELD = /\{\{(\w+)\}\}/g;

/** The answer to a stored request; undefined: the profile has none. `callback`: number the device is to call. */
export function encodeReply(
  { fields }: LacsRequest,
  callback: string | undefined,
  { reply: { root, template } }: LacsProfile,
): string | undefined {
  const known: Readonly<Record<string, string | undefined>> = { ...fields, callback: callback ?? '' };
  if (template !== '')
    return template.replace(FIELD, (_, name: string) =>
      escaped(Object.hasOwn(known, name) ? (known[name] ?? '') : ''),
    );
  if (root === '') return undefined;
  const content = Object.entries(known).map(([name, text]) => ({ name, content: text ?? '' }));
  return writeXml({ name: root, content });
}

/** As the engine writes text: its element is taken off again. */
const escaped = (text: string): string => writeXml({ name: 'x', content: text }).slice(3, -4);
