import { deflateSync, gzipSync } from 'node:zlib';

/*
 * The damage that devices, gateways and lines do to a message of XML, whatever its protocol: the elements of a valid message go in, a
 * body comes out. Each kind names the outcome that the rule wants.
 */

/** Outcome that a damaged message must have. */
export type Expected =
  /** Acknowledged, and delivered as the event that it was. */
  | 'taken'
  /** Acknowledged, and delivered as an alarm of its unit; an element that is no identity is lost or strange. */
  | 'inPart'
  /** Acknowledged, and delivered as a unit that is not known: its identity is said twice. */
  | 'unknownUnit'
  /** No answer; a platform alarm or the log says so. */
  | 'refused';

export interface Draw {
  readonly random: () => number;
  readonly below: (n: number) => number;
  readonly any: <T>(of: readonly T[]) => T;
}

export type Element = readonly [tag: string, text: string];

/** A valid message. */
export interface Message {
  readonly root: string;
  readonly elements: readonly Element[];
  /** Element that names the unit. */
  readonly identity: string;
  /** Another unit's text of it. */
  readonly other: string;
  /** Elements that a message needs to be one. */
  readonly mandatory: readonly string[];
}

export interface Form {
  readonly body: string | Buffer;
  /** Value of Content-Encoding. */
  readonly encoding?: string;
  readonly expected?: Expected;
}

export type Kind = (message: Message, draw: Draw) => Form;

export const drawOf = (random: () => number): Draw => {
  const below = (n: number) => Math.floor(random() * n);
  return { random, below, any: <T>(of: readonly T[]) => of[below(of.length)] as T };
};

const written = ([tag, text]: Element): string => `<${tag}>${text}</${tag}>`;
const within = (root: string, inner: string): string => `<${root}>${inner}</${root}>`;
export const bodyOf = ({ root, elements }: Pick<Message, 'root' | 'elements'>): string =>
  within(root, elements.map(written).join(''));
/** One element as `other` writes it, the rest as it should be. */
const except = (
  { root, elements }: Message,
  { below }: Draw,
  other: (element: Element) => string,
): string => {
  const at = below(elements.length);
  return within(root, elements.map((each, i) => (i === at ? other(each) : written(each))).join(''));
};
const cased = (text: string, { random }: Draw): string =>
  [...text].map((sign) => (random() < 0.5 ? sign.toUpperCase() : sign.toLowerCase())).join('');
const blanks = ({ any, below }: Draw): string =>
  Array.from({ length: below(4) }, () => any([' ', '\t', '\r\n', '\n'])).join('');
const byte = ({ any, below }: Draw): string =>
  String.fromCharCode(any([below(9), 14 + below(18), 127 + below(129)]));

function shuffled(elements: readonly Element[], { below }: Draw): readonly Element[] {
  const mixed = [...elements];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [mixed[i], mixed[j]] = [mixed[j] as Element, mixed[i] as Element];
  }
  return mixed;
}

const utf16 = (text: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

export const KINDS: Readonly<Record<string, Kind>> = {
  none: (message) => ({ body: bodyOf(message) }),
  'names in other case': ({ root, elements }, draw) => {
    const each = elements.map(([tag, text]) => {
      const name = cased(tag, draw);
      return `<${name}>${text}</${name}>`;
    });
    return { body: within(cased(root, draw), each.join('')) };
  },
  'white space around texts and tags': ({ root, elements }, draw) => {
    const pad = () => blanks(draw);
    const each = elements.map(
      ([tag, text]) => `${pad()}<${tag}${pad()}>${pad()}${text}${pad()}</${tag}${pad()}>`,
    );
    return { body: `${pad()}${within(root, each.join(pad()))}${pad()}` };
  },
  'white space within tags': (message, draw) => ({
    body: except(message, draw, ([tag, text]) => `< ${tag} >${text}</ ${tag} >`),
  }),
  'other order': (message, draw) => ({
    body: bodyOf({ ...message, elements: shuffled(message.elements, draw) }),
  }),
  'an element doubled': ({ root, elements }, draw) => ({
    body: bodyOf({ root, elements: shuffled([...elements, draw.any(elements)], draw) }),
  }),
  'identity doubled with another value': ({ root, elements, identity, other }, draw) => ({
    body: bodyOf({ root, elements: shuffled([...elements, [identity, other]], draw) }),
    expected: 'unknownUnit',
  }),
  'stray bytes between elements': ({ root, elements }, draw) => {
    const between = elements
      .map((each) => `${draw.random() < 0.3 ? byte(draw) : ''}${written(each)}`)
      .join('');
    return { body: Buffer.from(`${byte(draw)}${within(root, between)}${byte(draw)}`, 'latin1') };
  },
  'bare & or < in a text': ({ root, elements }, draw) => ({
    body: bodyOf({
      root,
      elements: [...elements, ['note', draw.any(['Smith & Son', '&', 't < 5', '<<', '->'])]],
    }),
  }),
  'closing tag lost': (message, draw) => ({
    body: except(message, draw, ([tag, text]) => `<${tag}>${text}`),
  }),
  'closing tag broken': (message, draw) => ({
    body: except(message, draw, ([tag, text]) =>
      draw.any([`<${tag}>${text}</${tag}`, `<${tag}>${text}<${tag}>`, `<${tag}>${text}</>`]),
    ),
  }),
  'opening tag broken': (message, draw) => ({
    body: except(message, draw, ([tag, text]) =>
      draw.any([`${tag}>${text}</${tag}>`, `<${tag} ${text}</${tag}>`, `<<${tag}>${text}</${tag}>`]),
    ),
  }),
  'root missing, misspelt or not closed': ({ root, elements }, draw) => {
    const inner = elements.map(written).join('');
    const wrong = `x${root}`;
    return {
      body: draw.any([
        inner,
        `<${root}>${inner}`,
        `${inner}</${root}>`,
        within(wrong, inner),
        `${within(root, inner)}</${root}>`,
        `<${root}>${inner}</${wrong}>`,
      ]),
    };
  },
  'cut off behind the mandatory elements': ({ root, elements, mandatory }) => {
    const first = elements.filter(([tag]) => mandatory.includes(tag));
    return { body: `<${root}>${first.map(written).join('')}<note>the rest is g` };
  },
  'said twice in one body': (message) => ({ body: bodyOf(message).repeat(2) }),
  'attributes, comments, instructions, prefixes': ({ root, elements }, draw) => {
    const each = elements.map(([tag, text]) =>
      draw.any([
        `<${tag} b="2">${text}</${tag}>`,
        `<n:${tag}>${text}</n:${tag}>`,
        `<${tag}><![CDATA[${text}]]></${tag}>`,
      ]),
    );
    const inner = `<!-- a & b -->${each.join('<?pi x?>')}`;
    return { body: `<?xml version="1.0"?><${root} xmlns:n="urn:x">${inner}</${root}>` };
  },
  'attribute without quotes': (message, draw) => ({
    body: except(message, draw, ([tag, text]) => `<${tag} b=2 c>${text}</${tag}>`),
  }),
  'Windows-1252, with and without a word': ({ root, elements }, draw) => {
    const head = draw.any([
      '',
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<?xml version="1.0" encoding="ISO-8859-1"?>',
    ]);
    return {
      body: Buffer.from(`${head}${bodyOf({ root, elements: [...elements, ['note', 'K\xf6k']] })}`, 'latin1'),
    };
  },
  'UTF-16, or a byte order mark': (message, draw) => {
    const text = bodyOf(message);
    return { body: draw.any([`\ufeff${text}`, utf16(`\ufeff${text}`, draw.random() < 0.5)]) };
  },
  'Content-Encoding wrong or absent': (message, draw) => {
    const text = bodyOf(message);
    return draw.any<Form>([
      { body: deflateSync(Buffer.from(text)) },
      { body: gzipSync(Buffer.from(text)), encoding: 'gzip' },
      { body: text, encoding: 'deflate' },
      { body: text, encoding: 'x-none' },
    ]);
  },
  'identity missing': ({ root, elements, identity }) => ({
    body: bodyOf({ root, elements: elements.filter(([tag]) => tag !== identity) }),
    expected: 'unknownUnit',
  }),
  'document type': (message, draw) => ({
    body: `${draw.any(['<!DOCTYPE x>', '<!DOCTYPE x [<!ENTITY a "b">]>', '<! doctype x>'])}${bodyOf(message)}`,
    expected: 'refused',
  }),
};
