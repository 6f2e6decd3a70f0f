import { type Failure, ok, type Result } from '#shared/result.ts';
import { writeXml, type XmlElement, type XmlOutput, xmlText } from '../xml-message/index.ts';
import { REQUEST_ELEMENTS, SNU, type Snu } from './element.codes.ts';
import { DEFAULT_MEDIUM, readMedium, type ScaipMedium } from './medium.ts';
import { readElements } from './request-elements.ts';

export type MessageType = 'ME' | 'RE' | 'IN' | 'PI';

/** One request as read: defaults applied, codes still as sent, plain JSON. */
export interface ScaipRequest {
  readonly ref: string;
  readonly cid: string;
  readonly messageType: MessageType;
  readonly version: string;
  /** `sco` as sent; '0' when left out. */
  readonly systemConfig: string;
  /** `cha` 1. */
  readonly wantsCallback: boolean;
  /** `hbo` 1: we may change the interval of heartbeats. */
  readonly adjustableHeartbeat: boolean;
  readonly dty: string;
  readonly did?: string;
  readonly dco?: string;
  /** Absent = the alarm that `stc` means when it is left out. */
  readonly stc?: string;
  readonly lco?: string;
  readonly priority: number;
  readonly media: readonly ScaipMedium[];
  /** `ame`: parts still to come. */
  readonly partsToCome: number;
  /** Every element by tag, unknown ones too; repeated ones as a list, groups as an object. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Two requests with the same one have equal content. */
  readonly fingerprint: string;
  /** The XML as received. */
  readonly raw: string;
  readonly warnings: readonly string[];
}

/** A request that cannot be taken, with the answer to its device. `ref` is '0' when none was found. */
export interface ScaipRefusal extends Failure<'Refused'> {
  readonly snu: Snu;
  readonly ref: string;
}

/** Signs that the standard gives a reference. */
const MAX_REF = 16;
/** Chosen: longer references are taken up to this and repeated whole: a device that counts past its sixteen signs has an alarm. */
const LONGEST_REF = 64;
const MAX_CID = 32;
/**
 * Chosen: 16 are named for `did`, but an identity that is cut could be another device's, so it is only bounded.
 */
const MAX_DID = 64;
/** Chosen: more parts than any device sends; a request that announces more is taken as complete. */
const MAX_PARTS = 32;
const DIGITS = /^\d+$/;
const MESSAGE_TYPES: readonly string[] = ['ME', 'RE', 'IN', 'PI'];

/**
 * Reads a request body. A readable request is never refused: faults of the XML, unknown codes, elements and media are
 * taken, texts that are too long are cut, each with a warning. Refused are only a body that is no request (snu 1, 2), a
 * missing reference (10), a missing `cid` or `dty` (7), a `dty` or `stc` that is no number and identities that are too
 * long (3).
 */
export function decodeRequest(body: Uint8Array | string): Result<ScaipRequest, ScaipRefusal> {
  const raw = typeof body === 'string' ? body : xmlText(body);
  const read = readElements(body, raw);
  if (!read.ok) {
    const snu = read.error.code === 'TooLarge' ? SNU.messageTooLong : SNU.invalidFormat;
    return refuse(snu, refInText(raw), read.error.reason);
  }
  const { children, texts, warnings } = read.value;
  const ref = texts.get('ref');
  if (ref === undefined) return refuse(SNU.referenceMissing, '0', 'no ref', '/ref');
  if (ref.length > LONGEST_REF)
    return refuse(SNU.wrongContent, ref.slice(0, MAX_REF), 'ref is too long', '/ref');
  if (ref.length > MAX_REF) warnings.push('referenceTooLong');
  const cid = texts.get('cid');
  const dty = texts.get('dty');
  if (cid === undefined) return refuse(SNU.mandatoryTagMissing, ref, 'no cid', '/cid');
  if (dty === undefined) return refuse(SNU.mandatoryTagMissing, ref, 'no dty', '/dty');
  if (cid.length > MAX_CID) return refuse(SNU.wrongContent, ref, 'cid is too long', '/cid');
  for (const tag of ['dty', 'stc']) {
    const code = texts.get(tag);
    if (code !== undefined && !DIGITS.test(code))
      return refuse(SNU.wrongContent, ref, `${tag} is not a number`, `/${tag}`);
  }
  for (const tag of ['lco', 'dco', 'pri']) {
    const code = texts.get(tag);
    if (code === undefined || DIGITS.test(code)) continue;
    warnings.push(`notANumber:${tag}`);
    texts.delete(tag);
  }

  const media = mediaOf(children, warnings);
  const messageType = messageTypeOf(texts.get('mty'), warnings);
  const did = texts.get('did');
  if (did !== undefined && did.length > MAX_DID) {
    warnings.push('cut:did');
    texts.set('did', did.slice(0, MAX_DID));
  }
  const optional = (tag: 'did' | 'dco' | 'stc' | 'lco') => {
    const value = texts.get(tag);
    return value !== undefined && { [tag]: value };
  };
  return ok({
    ref,
    cid,
    messageType,
    version: texts.get('ver') ?? '01.00',
    systemConfig: texts.get('sco') ?? '0',
    wantsCallback: isOne(texts.get('cha')),
    adjustableHeartbeat: isOne(texts.get('hbo')),
    dty,
    ...optional('did'),
    ...optional('dco'),
    ...optional('stc'),
    ...optional('lco'),
    priority: priorityOf(texts.get('pri'), warnings),
    media,
    partsToCome: partsOf(texts.get('ame'), warnings),
    fields: fieldsOf(children, warnings),
    fingerprint: `${messageType} ${digest(contentOf(children))}`,
    raw,
    warnings,
  });
}

/** Elements of a request to write, by tag, without those of value undefined. Order and groups are seen to here. */
export type ScaipRequestForm = Readonly<
  Partial<Record<Exclude<(typeof REQUEST_ELEMENTS)[number]['tag'], 'crd' | 'lge'>, string>> & {
    ref: string;
    cid: string;
    dty: string;
    crd?: readonly string[];
    lge?: Readonly<Partial<Record<'geo' | 'tim' | 'gga', string>>>;
  }
>;

/** Writes a request: full-width codes are the caller's, escaping and order are ours. */
export function encodeRequest(form: ScaipRequestForm): string {
  const content: XmlOutput[] = [];
  for (const { tag } of REQUEST_ELEMENTS) {
    const value = form[tag];
    if (value === undefined) continue;
    if (typeof value === 'string') content.push({ name: tag, content: value });
    else if (Array.isArray(value))
      for (const one of value as readonly string[]) content.push({ name: tag, content: one });
    else content.push({ name: tag, content: group(value as Readonly<Record<string, string | undefined>>) });
  }
  return writeXml({ name: 'mrq', content });
}

const group = (values: Readonly<Record<string, string | undefined>>): XmlOutput[] =>
  Object.entries(values).flatMap(([name, content]) => (content === undefined ? [] : [{ name, content }]));

function refuse(snu: Snu, ref: string, reason: string, path?: string) {
  const failure: ScaipRefusal = { code: 'Refused', snu, ref, reason, ...(path !== undefined && { path }) };
  return { ok: false, error: failure } as const;
}

/** The reference of a body that is no XML, so that the device knows which request failed. */
const refInText = (raw: string): string =>
  /<(?:[\w-]{1,16}:)?ref>\s{0,8}([A-Za-z0-9]{1,64})\s{0,8}</.exec(raw)?.[1] ?? '0';

const isOne = (text: string | undefined): boolean => text !== undefined && /^0*1$/.test(text);

function messageTypeOf(mty: string | undefined, warnings: string[]): MessageType {
  const name = (mty ?? 'ME').toUpperCase();
  if (MESSAGE_TYPES.includes(name)) return name as MessageType;
  warnings.push('unknownMessageType');
  return 'ME';
}

function priorityOf(pri: string | undefined, warnings: string[]): number {
  const priority = Number(pri ?? 0);
  if (priority <= 9) return priority;
  warnings.push('priorityTooHigh');
  return 9;
}

function partsOf(ame: string | undefined, warnings: string[]): number {
  const parts = Number(ame ?? 0);
  if (Number.isInteger(parts) && parts >= 0 && parts < MAX_PARTS) return parts;
  warnings.push('unknownPartCount');
  return 0;
}

function mediaOf(children: readonly XmlElement[], warnings: string[]): readonly ScaipMedium[] {
  const media: ScaipMedium[] = [];
  for (const { name, text } of children) {
    if (name !== 'crd' || text === '') continue;
    if (text.length > 256) {
      warnings.push('callerIdTooLong');
      continue;
    }
    const { medium, known } = readMedium(text);
    if (!known) warnings.push('unknownMedium');
    media.push(medium);
  }
  return media.length === 0 ? [DEFAULT_MEDIUM] : media;
}

const MAX_TEXT = new Map<string, number>(
  REQUEST_ELEMENTS.filter(({ kind }) => kind === 'text').map(({ tag, maxLength }) => [tag, maxLength]),
);

function fieldsOf(children: readonly XmlElement[], warnings: string[]): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const element of children) {
    const value = readValue(element, warnings);
    const before = fields.get(element.name);
    if (before === undefined) fields.set(element.name, element.name === 'crd' ? [value] : value);
    else
      fields.set(element.name, Array.isArray(before) ? [...(before as unknown[]), value] : [before, value]);
  }
  return Object.fromEntries(fields);
}

function readValue({ name, text, children }: XmlElement, warnings: string[]): unknown {
  if (children.length > 0) {
    return Object.fromEntries(children.map((child) => [child.name, readValue(child, warnings)]));
  }
  const most = MAX_TEXT.get(name);
  const signs = most === undefined || text.length <= most ? undefined : Array.from(text);
  if (signs === undefined || most === undefined || signs.length <= most) return text;
  warnings.push(`cut:${name}`);
  return signs.slice(0, most).join('');
}

/** Names and texts in one order, so that equal content compares equal however it was laid out. */
function contentOf(children: readonly XmlElement[]): string {
  return children
    .map((child) =>
      JSON.stringify([child.name, child.children.length > 0 ? contentOf(child.children) : child.text]),
    )
    .sort()
    .join();
}

/**
 * 64 bits and the length of a text, as a short string (cyrb53, both halves kept). Compared only among requests of one
 * device and one reference, and kept for half an hour: the whole text would be ten times as long.
 */
function digest(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return [high >>> 0, low >>> 0, text.length].map((part) => part.toString(36)).join('.');
}
