import { type AlarmEvent, type CodedValue, codedFrom } from '#shared/alarm-event/index.ts';
import { ok, type Result } from '#shared/result.ts';
import type { ProtocolEvent } from '../protocol.ts';
import { writeXml, type XmlFailure, xmlText } from '../xml-message/index.ts';
import type { LacsProfile } from './profile.ts';
import { type LacsFields, readLacsFields } from './request-fields.ts';

/** One request, read by the paths of the profile. */
export interface LacsRequest extends LacsFields {
  readonly raw: string;
}

const UNKNOWN: CodedValue = { native: null, send: null, receive: null };

/** Reads a body as far as it can be read. `Malformed`: it is no request of the profile. A field that is not there is absent. */
export function decodeLacs(body: Uint8Array | string, profile: LacsProfile): Result<LacsRequest, XmlFailure> {
  const raw = typeof body === 'string' ? body : xmlText(body);
  const read = readLacsFields(body, raw, profile);
  return read.ok ? ok({ ...read.value, raw }) : read;
}

/**
 * The request as an event of a session. A code without a row and a missing identity are warnings: the alarm is
 * delivered in spite of them, under the number it came from.
 */
export function lacsEvent(
  { fields, raw, warnings }: LacsRequest,
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
        ...warnings,
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
