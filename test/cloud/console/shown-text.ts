import { parseSync } from 'oxc-parser';

/** A text that a person would read in English whatever the language is: it stands outside of a macro of Lingui. */
export interface ShownText {
  readonly line: number;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Attributes whose value a person sees or hears. */
const SHOWN = new Set(['label', 'title', 'placeholder', 'alt', 'columns', 'aria-label', 'aria-description']);
/** Components whose `name` or `of` is a text, and no name in a form. */
const NAMED = new Set(['Choice', 'List', 'Fact', 'QrCode']);
const NAMES = new Set(['name', 'of']);
/** Elements whose text is translated already, or is one for machines. */
const OTHER = new Set(['Trans', 'Plural', 'Select', 'SelectOrdinal', 'code', 'pre', 'kbd']);
/** Names and units that are the same in each language. */
const SAME =
  /\S+@\S+|\b(?:Carillon|north-1|JSON|UTC|CSV|SIP|SCAIP|PIN|ID|ms|min|dB|dBm0|kB|MB|GB|MiB|kbit|Hz|ppm|px)\b/gu;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const isWords = (text: string): boolean => /\p{L}{2,}/u.test(text.replaceAll(SAME, ''));

/** The texts of a source file that are outside of Lingui, in order. */
export function shownTexts(file: string, source: string): ShownText[] {
  const found: ShownText[] = [];
  const note = (node: Node, text: string): void => {
    if (!isWords(text)) return;
    const line = source.slice(0, node.start).split('\n').length;
    found.push({ line, text: text.replaceAll(/\s+/g, ' ').trim() });
  };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) walk(each);
    if (!isNode(value)) return;
    if (value.type === 'JSXElement' && OTHER.has(nameOf(value))) return;
    if (value.type === 'JSXText') note(value, String(value.value));
    if (value.type === 'JSXAttribute') attribute(value, SHOWN);
    if (value.type === 'JSXOpeningElement' && NAMED.has(String((value.name as Node).name)))
      for (const each of value.attributes as Node[]) attribute(each, NAMES);
    if (value.type === 'JSXElement' || value.type === 'JSXFragment')
      for (const child of value.children as Node[])
        if (child.type === 'JSXExpressionContainer') literals(child.expression, note);
    for (const [name, field] of Object.entries(value)) if (name !== 'parent') walk(field);
  };
  const attribute = ({ name, value }: Node, names: ReadonlySet<string>): void => {
    if (!isNode(name) || !names.has(String(name.name)) || !isNode(value)) return;
    literals(value.type === 'JSXExpressionContainer' ? value.expression : value, note);
  };
  walk(parseSync(file, source).program);
  return found;
}

const nameOf = (element: Node): string => String(((element.openingElement as Node).name as Node).name ?? '');

/** The texts that an expression may be: a literal, a template, either side of a condition. */
function literals(value: unknown, note: (node: Node, text: string) => void): void {
  if (!isNode(value)) return;
  switch (value.type) {
    case 'Literal':
      if (typeof value.value === 'string') note(value, value.value);
      return;
    case 'TemplateLiteral':
      note(
        value,
        (value.quasis as { value: { cooked: string } }[]).map(({ value: { cooked } }) => cooked).join(' '),
      );
      return;
    case 'ConditionalExpression':
      for (const side of [value.consequent, value.alternate]) literals(side, note);
      return;
    case 'LogicalExpression':
      for (const side of [value.left, value.right]) literals(side, note);
      return;
    case 'ArrayExpression':
      for (const each of value.elements as unknown[]) literals(each, note);
      return;
    case 'ParenthesizedExpression':
      literals(value.expression, note);
      return;
    default:
  }
}
