import { fail, ok, type Result } from '#shared/result.ts';
import {
  type KnownElements,
  readFaultyXml,
  readXml,
  type XmlElement,
  type XmlFailure,
} from '../xml-message/index.ts';
import type { LacsProfile } from './profile.ts';

export type LacsField = keyof LacsProfile['fieldPaths'];

export interface LacsFields {
  readonly root: string;
  readonly fields: Readonly<Partial<Record<LacsField, string>>>;
  /** Faults that the body was read in spite of. */
  readonly warnings: readonly string[];
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
const IDENTITY: readonly LacsField[] = ['controllerId', 'deviceId'];
const MOST_TEXT = 128;
const HALF_TEXT = 60;
/** Roots of other protocols, which are no request although they may hold elements of the same names. */
const OTHER_ROOTS: readonly string[] = ['mrq', 'mrs', 'atm'];

/** Different texts of each field, in their order. */
type Texts = Map<LacsField, string[]>;

/**
 * The fields of a body, by the paths of the profile. Chosen: an alarm that can be read in part is delivered in part. When the body
 * is no XML, or XML that hides the controller, the last elements of the paths are looked for one by one, and the request gets the
 * warning `faultyXml`. XML with another root than the profile names must say controller and event to be a request.
 */
export function readLacsFields(
  body: Uint8Array | string,
  raw: string,
  profile: LacsProfile,
): Result<LacsFields, XmlFailure> {
  const { requestRoot } = profile;
  const xml = readXml(body);
  if (!xml.ok && xml.error.code !== 'Malformed') return xml;
  const root = xml.ok ? xml.value.name : undefined;
  const isRequest = root !== undefined && (requestRoot === '' || isSame(root, requestRoot));
  const strict = xml.ok && isRequest ? strictFields(xml.value, profile) : undefined;
  if (strict !== undefined && isWhole(strict, profile)) return ok(strict);
  const isOther = OTHER_ROOTS.includes(root?.toLowerCase() ?? '');
  const faulty = isOther ? undefined : faultyFields(raw, profile);
  const isFound = faulty !== undefined && isWhole(faulty, profile);
  if (isFound && (root === undefined || isRequest || faulty.fields.eventCode !== undefined))
    return ok(faulty);
  if (strict !== undefined) return ok(strict);
  if (!xml.ok) return xml;
  return fail('Malformed', `root element is ${xml.value.name.slice(0, 32)}, not ${requestRoot}`);
}

/** The controller is said, as far as the profile knows where; what says nothing at all is no request. */
function isWhole({ fields }: LacsFields, { fieldPaths }: LacsProfile): boolean {
  return fieldPaths.controllerId === '' ? Object.keys(fields).length > 0 : fields.controllerId !== undefined;
}

function strictFields(root: XmlElement, { requestRoot, fieldPaths }: LacsProfile): LacsFields {
  const warnings = new Set<string>(requestRoot === '' || root.name === requestRoot ? [] : ['tagCase']);
  const texts: Texts = new Map();
  for (const field of FIELDS) {
    const path = fieldPaths[field];
    if (path !== '') for (const text of textsAt([root], path.split('/'), warnings)) add(texts, field, text);
  }
  return fieldsOf(root.name, texts, warnings);
}

/** Texts of all elements of a path, whatever the case of their names. */
function textsAt(
  roots: readonly XmlElement[],
  path: readonly string[],
  warnings: Set<string>,
): readonly string[] {
  let found = roots;
  for (const name of path) {
    found = found.flatMap(({ children }) => children.filter((child) => isSame(child.name, name)));
    if (found.some((child) => child.name !== name)) warnings.add('tagCase');
  }
  return found.map(({ text }) => text);
}

/** An element whose name ends several paths belongs to the one whose parent was opened last. */
function faultyFields(raw: string, { requestRoot, fieldPaths }: LacsProfile): LacsFields | undefined {
  const paths = FIELDS.filter((field) => fieldPaths[field] !== '').map((field) => {
    const names = fieldPaths[field].toLowerCase().split('/');
    return { field, leaf: names.at(-1) ?? '', parent: names.at(-2) ?? '' };
  });
  const children = new Set(paths.flatMap(({ leaf, parent }) => [leaf, parent]).filter((name) => name !== ''));
  const known: KnownElements = { root: requestRoot.toLowerCase(), children };
  const xml = readFaultyXml(raw, known);
  if (xml === undefined) return undefined;
  const texts: Texts = new Map();
  let container = '';
  for (const { name, text } of xml.children) {
    const its = paths.filter(({ leaf }) => leaf === name);
    const one = its.length > 1 ? its.find(({ parent }) => parent === container) : its[0];
    if (one === undefined) container = name;
    else add(texts, one.field, text);
  }
  return fieldsOf(requestRoot, texts, new Set(['faultyXml']));
}

function add(texts: Texts, field: LacsField, given: string): void {
  const text = given.trim().slice(0, MOST_TEXT);
  const before = texts.get(field) ?? [];
  if (text !== '' && !before.includes(text)) texts.set(field, [...before, text]);
}

/**
 * The first value of a field that comes twice counts. Chosen: two identities are no known unit, since the wrong person would be
 * helped; both stand in it.
 */
function fieldsOf(root: string, texts: Texts, warnings: Set<string>): LacsFields {
  const fields: Partial<Record<LacsField, string>> = {};
  for (const [field, [first = '', second]] of texts) {
    if (second !== undefined) warnings.add(`repeated:${field}`);
    fields[field] =
      second !== undefined && IDENTITY.includes(field)
        ? `${first.slice(0, HALF_TEXT)}|${second.slice(0, HALF_TEXT)}`
        : first;
  }
  return { root, fields, warnings: [...warnings] };
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
