import { fail, ok, type Result } from '#shared/result.ts';
import {
  type KnownElements,
  readFaultyXml,
  readXml,
  type XmlElement,
  type XmlFailure,
} from '../xml-message/index.ts';

/** A message as the values of its elements, however it was read. */
export interface AtmElements {
  /** Different texts of each element in lower case, in their order. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly warnings: string[];
}

const KNOWN: KnownElements = {
  root: 'atm',
  children: new Set(['version', 'type', 'data', 'time', 'mac', 'wgs']),
};
/** Roots of SCAIP, whose elements have other names. */
const OTHER_ROOTS: readonly string[] = ['mrq', 'mrs'];
const ROOT_TAG = /<[ \t\r\n]{0,4}\/?[ \t\r\n]{0,4}(?:[\w.-]{1,32}:)?atm\b/i;

/** Digits of an alarm (BS 8521-1) and of a heartbeat: controller 8, unit 4. */
const DIGITS: Readonly<Record<string, number>> = { '0': 12, '1': 24 };
const ALARM = '1';

/**
 * The elements of a body. Chosen: an alarm that can be read in part is delivered in part. When the body is no XML, or XML that hides
 * type or data, the elements are looked for one by one, and the message gets the warning `faultyXml`. Elements without any
 * tag of the root are a message only when they hold the digits of an alarm or a heartbeat, since other protocols have elements
 * of the same names.
 */
export function readAtmElements(body: Uint8Array | string, raw: string): Result<AtmElements, XmlFailure> {
  const xml = readXml(body);
  if (!xml.ok && xml.error.code !== 'Malformed') return xml;
  const root = xml.ok ? xml.value.name.toLowerCase() : '';
  const strict = xml.ok && root === KNOWN.root ? elementsOf(xml.value.children, []) : undefined;
  if (strict !== undefined && isWhole(strict)) return ok(strict);
  const faulty = OTHER_ROOTS.includes(root) ? undefined : readFaultyXml(raw, KNOWN);
  const found = faulty && elementsOf(faulty.children, ['faultyXml']);
  const isMessage = found !== undefined && (hasDigits(found) || (isWhole(found) && ROOT_TAG.test(raw)));
  if (isMessage) return ok(found);
  if (strict !== undefined) return ok(strict);
  if (!xml.ok) return xml;
  return fail('Malformed', `root element is ${xml.value.name.slice(0, 32)}, not ATM`);
}

function elementsOf(children: readonly XmlElement[], warnings: string[]): AtmElements {
  const texts = new Map<string, readonly string[]>();
  for (const { name: given, text } of children) {
    const name = given.toLowerCase();
    const before = texts.get(name) ?? [];
    if (before.length > 0 && !warnings.includes(`repeated:${name.slice(0, 32)}`))
      warnings.push(`repeated:${name.slice(0, 32)}`);
    if (text !== '' && !before.includes(text)) texts.set(name, [...before, text]);
  }
  return { texts, warnings };
}

function isWhole({ texts }: AtmElements): boolean {
  const types = texts.get('type') ?? [];
  return types.length > 0 && (texts.has('data') || !types.includes(ALARM));
}

const hasDigits = ({ texts }: AtmElements): boolean =>
  (texts.get('data') ?? []).some((data) => {
    const { length } = data.replace(/\D/g, '');
    return length === DIGITS[ALARM] || (length === DIGITS['0'] && texts.get('type')?.includes('0') === true);
  });

/**
 * The type of a message, one sign; undefined: it is unreadable. Chosen: of two types the alarm counts, and 24 digits whose type
 * is lost are an alarm, since otherwise no help would come.
 */
export function typeOf({ texts, warnings }: AtmElements): string | undefined {
  const given = texts.get('type') ?? [];
  const types = [...new Set(given.map((text) => text.replace(/[^0-9A-Za-z]/g, '').replace(/^0+(?=.)/, '')))];
  if (types.length > 1 && types.includes(ALARM)) return ALARM;
  const [type] = types;
  if (types.length === 1 && type !== undefined && type.length === 1) {
    if (given[0] !== type) warnings.push('unreadable:type');
    return type.toUpperCase();
  }
  const isAlarm = (texts.get('data') ?? []).some((data) => data.replace(/\D/g, '').length === DIGITS[ALARM]);
  if (!isAlarm) return undefined;
  warnings.push('unreadable:type');
  return ALARM;
}

/**
 * The data of a message. The digits of alarms and heartbeats are taken out of whatever stands between them. Chosen: data of two
 * units are those of no known unit, since the wrong person would be helped: both stand in it. An alarm of
 * one unit counts before its withdrawal.
 */
export function dataOf({ texts, warnings }: AtmElements, type: string): string {
  const given = texts.get('data') ?? [];
  const length = DIGITS[type];
  const each = [...new Set(given.map((text) => (length === undefined ? text : digitsIn(text, length))))];
  if (length !== undefined && given.some((text) => text !== digitsIn(text, length)))
    warnings.push('stray:data');
  const [first = '', second] = each;
  if (second === undefined) return first;
  const isOneUnit = type === ALARM && new Set(each.map(unitIn)).size === 1;
  return isOneUnit
    ? (each.find((data) => !QUIET.test(data)) ?? first)
    : `${first.slice(0, 64)}|${second.slice(0, 64)}`;
}

/** The digits alone, where they are as many as they should be, once or twice; else the text as it is. */
function digitsIn(text: string, length: number): string {
  const digits = text.replace(/\D/g, '');
  const once = digits.slice(0, length);
  return digits === once.repeat(digits.length / length) && digits.length % length === 0 && digits !== ''
    ? once
    : text;
}

/** Controller and unit behind C, D and T; a text without them is a unit of its own. */
const unitIn = (data: string): string => /^\d{4}(\d{12})\d{8}$/.exec(data)?.[1] ?? data;
/** Event 000 withdraws, 097 acknowledges. */
const QUIET = /^\d{16}(?:000|097)/;
