import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { readPlainXml } from './read-plain-xml.ts';
import type { XmlElement } from './xml-element.ts';

export interface XmlLimits {
  readonly maxBytes: number;
  readonly maxElements: number;
  readonly maxEntities: number;
  readonly maxAttributes: number;
  readonly maxDepth: number;
}

/** Chosen: 256 elements are ten times the longest known request and keep the worst body below 5 ms. */
export const XML_LIMITS: XmlLimits = {
  maxBytes: 65_536,
  maxElements: 256,
  maxEntities: 1024,
  maxAttributes: 1024,
  maxDepth: 16,
};

/** `Forbidden`: the body has a document type, which is not accepted however it is read. */
export type XmlFailure = Failure<'TooLarge' | 'Malformed' | 'Forbidden'>;

const TEXT = '#text';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  parseTagValue: false,
  textNodeName: TEXT,
  processEntities: true,
  htmlEntities: true,
  maxNestedTags: XML_LIMITS.maxDepth,
});

/**
 * Reads one XML body from a stranger into its root element. `decoded`: its text, where the caller has it already.
 *
 * The library is lenient (two roots, mismatched tags and a DTD give an object), so the order is: size, no DTD,
 * number of tags, validation, parse, exactly one root. Never throws, stays below 5 ms for any body.
 */
export function readXml(
  body: Uint8Array | string,
  limits: XmlLimits = XML_LIMITS,
  decoded?: string,
): Result<XmlElement, XmlFailure> {
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  if (bytes > limits.maxBytes)
    return fail('TooLarge', `body has ${bytes} bytes, ${limits.maxBytes} are taken`);
  const text = trimmed(decoded ?? (typeof body === 'string' ? body : xmlText(body)));
  if (documentType(cleanText(text))) return fail('Forbidden', 'a document type is not accepted');
  // An element has at most two `<`; comments and declarations only make the limit tighter.
  if (count(text, '<') > 2 * limits.maxElements) {
    return fail('Malformed', `more than ${limits.maxElements} elements`);
  }
  if (count(text, '&') > limits.maxEntities) {
    return fail('Malformed', `more than ${limits.maxEntities} entities`);
  }
  // A text may hold a sign of equality too; no known one holds a thousand.
  if (count(text, '=') > limits.maxAttributes) {
    return fail('Malformed', `more than ${limits.maxAttributes} attributes`);
  }
  const plain = readPlainXml(text);
  if (plain !== undefined) return ok(plain);
  try {
    const verdict = XMLValidator.validate(text);
    if (verdict !== true) return fail('Malformed', `not XML: ${verdict.err.msg} (line ${verdict.err.line})`);
    const roots = elements(parser.parse(text), limits.maxDepth);
    const root = roots[0];
    if (root === undefined || roots.length > 1) return fail('Malformed', 'not exactly one root element');
    return ok(root);
  } catch (error) {
    // The library throws on names like `__proto__` and on nesting beyond its limit: both are the sender's doing.
    return fail('Malformed', `not XML: ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
}

/** Children of `element` called `name`, in order. */
export const childrenNamed = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => child.name === name);

/** Whether the text has a document type, whatever stands between its signs. */
export const documentType = (text: string): boolean => /<\s{0,8}!\s{0,8}DOCTYPE/i.test(text);

/** A text without the signs that XML 1.0 (2.2) forbids, which lines and memory leave in it. */
export const cleanText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff\ufffe\uffff]/g, '');

/**
 * Bytes as text: UTF-16 by its mark or its zero bytes, the encoding of the declaration when it is a Latin one, else UTF-8.
 * Interop: texts that are not UTF-8 although no declaration said so are read as Windows-1252 instead of being lost.
 */
export function xmlText(bytes: Uint8Array): string {
  const wide = utf16Of(bytes);
  if (wide !== undefined) return decoderOf(wide).decode(bytes);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 128)).toString('latin1');
  const declared = /^[^<]{0,3}<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9_-]+)["']/
    .exec(head)?.[1]
    ?.toLowerCase();
  if (declared === 'iso-8859-1' || declared === 'windows-1252')
    return decoderOf('windows-1252').decode(bytes);
  try {
    return decoderOf('utf-8').decode(bytes);
  } catch {
    return decoderOf('windows-1252').decode(bytes);
  }
}

/** Interop: some devices send a line end before the declaration, or the zero byte that ends their string. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
  return text.slice(0, end).trim();
}

const DECODERS = {
  'utf-8': new TextDecoder('utf-8', { fatal: true }),
  'windows-1252': new TextDecoder('windows-1252', { fatal: true }),
  'utf-16le': new TextDecoder('utf-16le'),
  'utf-16be': new TextDecoder('utf-16be'),
} as const;

/** XML 1.0, appendix F: the mark of UTF-16, else the zero byte beside the first sign, which is `<`. */
function utf16Of([first, second, third, fourth]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if ((first === 0xff && second === 0xfe) || (first === LESS_THAN && second === 0 && fourth === 0))
    return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === LESS_THAN && third === 0))
    return 'utf-16be';
  return undefined;
}
const LESS_THAN = 0x3c;

const decoderOf = (label: keyof typeof DECODERS) => DECODERS[label];

function count(text: string, sign: string): number {
  let found = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) found++;
  return found;
}

/** The ordered form of the library: a list of `{ name: list }` and `{ '#text': string }`. */
function elements(list: unknown, depthLeft: number): XmlElement[] {
  if (!Array.isArray(list)) return [];
  if (depthLeft < 0) throw new Error('nested too deeply');
  const found: XmlElement[] = [];
  for (const entry of list as readonly Record<string, unknown>[]) {
    const name = Object.keys(entry)[0];
    if (name === undefined || name === TEXT) continue;
    const content = entry[name];
    found.push({ name, text: textOf(content), children: elements(content, depthLeft - 1) });
  }
  return found;
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return '';
  let text = '';
  for (const entry of content as readonly Record<string, unknown>[]) {
    const piece = entry[TEXT];
    if (typeof piece === 'string') text += piece;
  }
  return text.trim();
}
