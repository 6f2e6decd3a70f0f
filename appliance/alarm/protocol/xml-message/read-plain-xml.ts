import type { XmlElement } from './xml-element.ts';

interface Open extends XmlElement {
  readonly children: XmlElement[];
}

/** A declaration as devices write it; any other is not plain. */
const DECLARATION =
  /^<\?xml version="1\.[01]"(?: encoding="[\w-]{1,32}")?(?: standalone="(?:yes|no)")? ?\?>\s*/;
/**
 * A tag and the text behind it. No property of an object has so short a name: longer ones may mean something to the library. A
 * text that cannot be copied as it stands is not plain: it has references, stray signs or a line end of Windows.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is not plain
const TAG = /<(\/?)([A-Za-z][A-Za-z0-9]{0,5})>(\s*)([^<>&\u0000-\u0008\u000b-\u001f\u007f]*)/y;
/** Chosen: an element of a group stands this deep; what is deeper is left to the library with its limit. */
const DEEPEST = 4;

/**
 * Reads a body that has nothing but elements and their texts, as nearly every device sends it: no attribute, prefix, reference,
 * comment or empty tag, and no text beside elements.
 *
 * Chosen: one pass for these, since the library goes over each sign twice and makes a dozen objects of its own for each body, which
 * was a fifteenth of the cost of an alarm. It stays the judge of all others, and both give the same tree.
 * @returns undefined: not plain, or not well-formed
 */
export function readPlainXml(text: string): XmlElement | undefined {
  const open: Open[] = [];
  TAG.lastIndex = DECLARATION.exec(text)?.[0].length ?? 0;
  for (let found = TAG.exec(text); found !== null; found = TAG.exec(text)) {
    const [, slash, name = '', , behind = ''] = found;
    const said = behind.trim();
    if (slash === '') {
      if (open.length === DEEPEST) return undefined;
      open.push({ name, text: said, children: [] });
      continue;
    }
    const closed = open.pop();
    const parent = open.at(-1);
    if (closed?.name !== name || (closed.text !== '' && closed.children.length > 0)) return undefined;
    if (said !== '') return undefined;
    if (parent === undefined) return TAG.lastIndex === text.length ? closed : undefined;
    parent.children.push(closed);
  }
  return undefined;
}
