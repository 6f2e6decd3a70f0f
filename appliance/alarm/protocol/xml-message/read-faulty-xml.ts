import { cleanText, documentType } from './read-xml.ts';
import type { XmlElement } from './xml-element.ts';

/** Elements that a protocol knows, in lower case. */
export interface KnownElements {
  readonly root: string;
  readonly children: ReadonlySet<string>;
}

/** Chosen: as many as the strict reader takes; further ones are not looked at. */
const MOST_ELEMENTS = 256;
const MOST_SIGNS = 65_536;

/** A tag of any name. Every quantifier is bounded, so that the time grows with the length of the text alone. */
const TAG =
  /<[ \t\r\n]{0,4}(\/?)[ \t\r\n]{0,4}(?:[\w.-]{1,32}:)?([A-Za-z][\w.-]{0,31})(?![\w.-])([^<>]{0,256})>/g;

interface Open {
  readonly name: string;
  /** Position behind the tag. */
  readonly at: number;
}

/**
 * Reads what can be read of a body that is no XML: the texts of known elements, whatever stands between them, as children of one
 * root. One pass without recursion; a text goes to the next known tag, so that a lost closing tag costs nothing.
 *
 * Chosen: a text that the body ends within is left out, since half an identity would be another device's. Case of names and white
 * space within tags do not count. A document type is refused as in any XML.
 * @returns undefined: there is a document type, or no known element
 */
export function readFaultyXml(body: string, known: KnownElements): XmlElement | undefined {
  const text = withoutMarkup(cleanText(body).slice(0, MOST_SIGNS));
  if (documentType(text)) return undefined;
  const children: XmlElement[] = [];
  const add = (name: string, raw: string): void => {
    if (children.length < MOST_ELEMENTS) children.push({ name, text: textOf(raw, name), children: [] });
  };
  let open: Open | undefined;
  /** Behind the last known tag. */
  let behind = 0;
  for (const match of text.matchAll(TAG)) {
    const [tag, slash, given = '', rest = ''] = match;
    const name = given.toLowerCase();
    if (name !== known.root && !known.children.has(name)) continue;
    const between = text.slice(behind, match.index);
    if (open !== undefined) add(open.name, between);
    else if (slash !== '' && name !== known.root) {
      const lost = openedBadly(between, name);
      if (lost !== undefined) add(name, lost);
    }
    behind = match.index + tag.length;
    const opens = slash === '' && name !== known.root && !rest.endsWith('/');
    open = opens && !isClosingAgain(open, name, between) ? { name, at: behind } : undefined;
  }
  // The text is whole when something else follows it.
  const last = text.slice(behind);
  if (open !== undefined && last.includes('<')) add(open.name, last.slice(0, last.indexOf('<')));
  return children.length === 0 ? undefined : { name: known.root, text: '', children };
}

/** `<cid>123<cid>`: the slash of the closing tag is lost. */
const isClosingAgain = (open: Open | undefined, name: string, between: string): boolean =>
  open?.name === name && between.trim() !== '';

/** The text before a closing tag whose opening tag is broken: `cid>123`, `<cid 123`. */
function openedBadly(between: string, name: string): string | undefined {
  const start = between.toLowerCase().lastIndexOf(name);
  if (start < 0) return undefined;
  const rest = between.slice(start + name.length);
  return /^[ \t\r\n>]/.test(rest) ? rest.replace(/^[ \t\r\n>]{1,8}/, '') : undefined;
}

/** Comments and instructions hold no elements; what stands in CDATA is text. */
function withoutMarkup(text: string): string {
  let plain = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf('<', at);
    if (start < 0) return plain + text.slice(at);
    const skipped = MARKUP.find(({ from }) => text.startsWith(from, start));
    if (skipped === undefined) {
      plain += text.slice(at, start + 1);
      at = start + 1;
      continue;
    }
    const end = text.indexOf(skipped.to, start + skipped.from.length);
    const inner = text.slice(start + skipped.from.length, end < 0 ? undefined : end);
    plain += text.slice(at, start) + (skipped.isText ? inner.replaceAll('<', '&lt;') : '');
    if (end < 0) return plain;
    at = end + skipped.to.length;
  }
}

const MARKUP = [
  { from: '<!--', to: '-->', isText: false },
  { from: '<?', to: '?>', isText: false },
  { from: '<![CDATA[', to: ']]>', isText: true },
] as const;

/** The text of an element, without what is left of broken tags. */
function textOf(raw: string, name: string): string {
  const ownEnd = new RegExp(`[</]{1,2}[ \\t\\r\\n]{0,4}${name}[ \\t\\r\\n]{0,4}>?[ \\t\\r\\n]{0,8}$`, 'i');
  const whole = raw.slice(0, 8_192).trim().replace(ownEnd, '');
  return decoded(whole.replace(/<\/?[A-Za-z]?[\w.-]{0,31}[^<>]{0,64}>/g, ' ')).trim();
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** References as far as they are known; every other `&` stays as it is. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
