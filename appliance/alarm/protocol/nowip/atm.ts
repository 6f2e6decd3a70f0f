import { fail, ok, type Result } from '#shared/result.ts';
import { writeXml, type XmlFailure, type XmlOutput, xmlText } from '../xml-message/index.ts';
import { dataOf, readAtmElements, typeOf } from './atm-elements.ts';

/** One message as it stands in the XML. Texts are trimmed; what is missing is ''. */
export interface Atm {
  readonly version: string;
  /** One sign: `0` heartbeat, `1` alarm, `2` command and so on, `A` acknowledge. */
  readonly type: string;
  /** '' for a full stop, which stands for no data. */
  readonly data: string;
  readonly time: string;
  readonly mac: string;
  /** Position, where a device sends one. */
  readonly wgs?: string;
  readonly raw: string;
  /** Faults that it was read in spite of, for the warnings of its event. */
  readonly warnings: readonly string[];
}

/** Chosen: longer than any command (a parameter has at most 391 characters). */
const MOST_DATA = 512;
const MOST_TEXT = 64;

/** Reads a body with root `ATM`, as far as it can be read. Names are matched without case, unknown children are left alone. */
export function decodeAtm(body: Uint8Array | string): Result<Atm, XmlFailure> {
  const raw = typeof body === 'string' ? body : xmlText(body);
  const read = readAtmElements(body, raw);
  if (!read.ok) return read;
  const { texts, warnings } = read.value;
  const type = typeOf(read.value);
  if (type === undefined) return fail('Malformed', 'type is not one sign', '/type');
  const data = dataOf(read.value, type);
  // An alarm is one, however long its data are, even if they cannot be read.
  if (data.length > MOST_DATA && type !== '1') return fail('Malformed', 'data is too long', '/data');
  const short = (tag: string) => (texts.get(tag)?.[0] ?? '').slice(0, MOST_TEXT);
  const wgs = short('wgs');
  return ok({
    version: short('version'),
    type,
    data: data === '.' ? '' : data.slice(0, MOST_DATA),
    time: short('time'),
    mac: short('mac'),
    ...(wgs !== '' && { wgs }),
    raw,
    warnings,
  });
}

/** Writes a message; every child but `wgs` is there and none is empty. */
export function encodeAtm(message: Omit<Atm, 'raw' | 'warnings'>, emptyText = '.'): string {
  const { version, type, data, time, mac, wgs } = message;
  const child = (name: string, text: string): XmlOutput => ({
    name,
    content: text === '' ? emptyText : text,
  });
  const content = [
    child('version', version),
    child('type', type),
    child('data', data),
    child('time', time),
    child('mac', mac),
  ];
  return writeXml({ name: 'ATM', content: wgs === undefined ? content : [...content, child('wgs', wgs)] });
}

/** ISO 8601 in UTC, without parts of a second. */
export const atmTime = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
