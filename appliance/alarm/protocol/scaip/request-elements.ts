import { fail, ok, type Result } from '#shared/result.ts';
import {
  type KnownElements,
  readFaultyXml,
  readXml,
  XML_LIMITS,
  type XmlElement,
  type XmlFailure,
} from '../xml-message/index.ts';
import { REQUEST_ELEMENTS, STC_CANCEL } from './element.codes.ts';

/** A request as a tree of elements, however it was read. */
export interface RequestElements {
  /** Children by their names in lower case where the protocol knows them. */
  readonly children: readonly XmlElement[];
  /** Text of each element but `crd`; of one that comes twice the value that counts. */
  readonly texts: Map<string, string>;
  readonly warnings: string[];
}

const KNOWN: KnownElements = {
  root: 'mrq',
  children: new Set<string>(REQUEST_ELEMENTS.map(({ tag }) => tag).filter((tag) => tag !== 'lge')),
};
/** Roots of other messages, which are no request although they hold elements of the same names. */
const OTHER_ROOTS: readonly string[] = ['mrs', 'atm'];
const MANDATORY = ['cid', 'dty'] as const;

/**
 * The elements of a body. Chosen: an alarm that can be read in part is delivered in part. When the body is no XML, or XML that
 * hides a mandatory element, the elements are looked for one by one, and the request gets the warning `faultyXml`.
 */
export function readElements(body: Uint8Array | string, raw: string): Result<RequestElements, XmlFailure> {
  const xml = readXml(body, XML_LIMITS, raw);
  if (!xml.ok && xml.error.code !== 'Malformed') return xml;
  const root = xml.ok ? xml.value : undefined;
  const isRequest = root?.name.toLowerCase() === 'mrq';
  const strict = isRequest ? elementsOf(root?.children ?? [], []) : undefined;
  if (strict !== undefined && isWhole(strict) && strict.texts.has('ref')) return ok(strict);
  const isOther = OTHER_ROOTS.includes(root?.name.toLowerCase() ?? '');
  const faulty = isOther ? undefined : readFaultyXml(raw, KNOWN);
  const found = faulty && elementsOf(faulty.children, ['faultyXml']);
  // A well-formed body without its reference stays what it is: only the reference is missing.
  if (found !== undefined && isWhole(found) && !(strict && isWhole(strict) && !found.texts.has('ref')))
    return ok(found);
  if (strict !== undefined) return ok(strict);
  if (!xml.ok) return xml;
  return fail('Malformed', `root element is ${xml.value.name.slice(0, 32)}, not mrq`);
}

const isWhole = ({ texts }: RequestElements): boolean => MANDATORY.every((tag) => texts.has(tag));

function elementsOf(given: readonly XmlElement[], warnings: string[]): RequestElements {
  const children = given.map((child) => inLowerCase(child, warnings));
  const texts = new Map<string, string>();
  for (const { name, text } of children) {
    if (name === 'crd' || text === '') continue;
    const before = texts.get(name);
    if (before === undefined) texts.set(name, text);
    else {
      warnings.push(`repeated:${name.slice(0, 32)}`);
      texts.set(name, ofTwo(name, before, text));
    }
  }
  return { children, texts, warnings };
}

function inLowerCase(element: XmlElement, warnings: string[]): XmlElement {
  const name = element.name.toLowerCase();
  if (name === element.name || !REQUEST_ELEMENTS.some(({ tag }) => tag === name)) return element;
  if (!warnings.includes('tagCase')) warnings.push('tagCase');
  return { ...element, name };
}

/**
 * The value of an element that comes twice. Chosen: two identities are no known unit, since the wrong person would be helped; an
 * alarm counts before its cancel, its reset and a heartbeat, since otherwise no help would come. Else the first value counts.
 */
function ofTwo(name: string, first: string, second: string): string {
  if (first === second) return first;
  if (name === 'cid' || name === 'did') return `${first.slice(0, HALF_ID)}|${second.slice(0, HALF_ID)}`;
  if (name === 'stc' && Number(first) === STC_CANCEL) return second;
  if (name === 'mty' && QUIET_TYPES.includes(first.toUpperCase())) return second;
  return first;
}

/** The sign between is none of a provisioned deviceId. */
const HALF_ID = 15;
const QUIET_TYPES: readonly string[] = ['RE', 'PI'];
