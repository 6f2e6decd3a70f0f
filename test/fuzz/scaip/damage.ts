import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { dice } from '../../appliance/alarm/random.ts';

/*
 * Valid SCAIP requests and the damage that devices, gateways and lines do to them. Each kind of damage names the outcome of the
 * request: its reference, controller, type and state stay readable, or it must be refused in words.
 */

/** Outcome that a damaged request must have. */
export type Expected =
  /** snu 0, with what the request said. */
  | 'taken'
  /** snu 0 as a unit that is not known: its identity is said twice. */
  | 'unknownUnit'
  /** An error answer, and a platform alarm behind it. */
  | 'refused';

export interface Said {
  readonly ref: string;
  readonly cid: string;
  readonly dty: string;
  readonly stc: string;
}

export interface Damaged {
  readonly kind: string;
  readonly said: Said;
  readonly body: Buffer;
  /** Value of Content-Encoding. */
  readonly encoding?: string;
  readonly expected: Expected;
}

type Element = readonly [tag: string, text: string];
interface Draw {
  readonly random: () => number;
  readonly below: (n: number) => number;
  readonly any: <T>(of: readonly T[]) => T;
}
interface Form {
  readonly body: string | Buffer;
  readonly encoding?: string;
  readonly expected?: Expected;
  /** Words of the damage in place of those of the valid request. */
  readonly said?: Partial<Said>;
}
type Kind = (elements: readonly Element[], draw: Draw) => Form;

const MANDATORY = ['ref', 'cid', 'dty', 'stc'];
const written = ([tag, text]: Element): string => `<${tag}>${text}</${tag}>`;
const request = (elements: readonly Element[]): string => `<mrq>${elements.map(written).join('')}</mrq>`;
/** One element as `other` writes it, the rest as it should be. */
const except = (elements: readonly Element[], at: number, other: (element: Element) => string): string =>
  `<mrq>${elements.map((each, index) => (index === at ? other(each) : written(each))).join('')}</mrq>`;
const withText = (elements: readonly Element[], text: string): readonly Element[] => [
  ...elements.filter(([tag]) => tag !== 'ite'),
  ['ite', text],
];
const cased = (text: string, { random }: Draw): string =>
  [...text].map((sign) => (random() < 0.5 ? sign.toUpperCase() : sign)).join('');
const blanks = ({ any, below }: Draw): string =>
  Array.from({ length: below(4) }, () => any([' ', '\t', '\r\n', '\n'])).join('');
const byte = ({ any, below }: Draw): string =>
  String.fromCharCode(any([below(9), 14 + below(18), 127 + below(129)]));
const shuffled = (elements: readonly Element[], { below }: Draw): readonly Element[] => {
  const mixed = [...elements];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [mixed[i], mixed[j]] = [mixed[j] as Element, mixed[i] as Element];
  }
  return mixed;
};
const utf16 = (text: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

export const KINDS: Readonly<Record<string, Kind>> = {
  none: (elements) => ({ body: request(elements) }),
  'tags in other case': (elements, draw) => {
    const tag = (name: string) => cased(name, draw);
    const inner = elements.map(([name, text]) => `<${tag(name)}>${text}</${tag(name)}>`).join('');
    return { body: `<${tag('mrq')}>${inner}</${tag('mrq')}>` };
  },
  'white space around texts and tags': (elements, draw) => {
    const pad = () => blanks(draw);
    return {
      body: `${pad()}<mrq${pad()}>${elements
        .map(([tag, text]) => `${pad()}<${tag}${pad()}>${pad()}${text}${pad()}</${tag}${pad()}>`)
        .join(pad())}${pad()}</mrq>${pad()}`,
    };
  },
  'white space within tags': (elements, draw) => ({
    body: except(elements, draw.below(elements.length), ([tag, text]) => `< ${tag} >${text}</ ${tag} >`),
  }),
  'other order': (elements, draw) => ({ body: request(shuffled(elements, draw)) }),
  'an element doubled': (elements, draw) => {
    const again = draw.any(elements);
    return { body: request(shuffled([...elements, again], draw)) };
  },
  'identity doubled with another value': (elements, draw) => ({
    body: request(shuffled([...elements, ['cid', String(900_000 + draw.below(9_000))]], draw)),
    expected: 'unknownUnit',
  }),
  'ref, cid or dty missing': (elements, draw) => {
    const lost = draw.any(['ref', 'cid', 'dty']);
    return { body: request(elements.filter(([tag]) => tag !== lost)), expected: 'refused' };
  },
  'bare & in a text': (elements, draw) => ({
    body: request(withText(elements, draw.any(['Smith & Son', 'a&b', '&', 'A && B', 'x & y; z']))),
  }),
  'unknown entity': (elements, draw) => ({
    body: request(
      withText(elements, draw.any(['a&nbsp;b', '&auml;&foo;', '&#0;', '&#x110000;', '&#xZZ;', '&#;'])),
    ),
  }),
  '< or > in a text': (elements, draw) => ({
    body: request(withText(elements, draw.any(['t < 5', 'a<b', '< >', '<<', 'x > y', '-> door', '<b>bold']))),
  }),
  'stray bytes in a text': (elements, draw) => ({
    body: Buffer.from(request(withText(elements, `door${byte(draw)}${byte(draw)}2`)), 'latin1'),
  }),
  'stray bytes between elements': (elements, draw) => {
    const between = elements
      .map((each) => `${draw.random() < 0.3 ? byte(draw) : ''}${written(each)}`)
      .join('');
    return { body: Buffer.from(`${byte(draw)}<mrq>${between}</mrq>${byte(draw)}`, 'latin1') };
  },
  'closing tag lost': (elements, draw) => ({
    body: except(elements, draw.below(elements.length), ([tag, text]) => `<${tag}>${text}`),
  }),
  'closing tag broken': (elements, draw) => ({
    body: except(elements, draw.below(elements.length), ([tag, text]) =>
      draw.any([
        `<${tag}>${text}</${tag}`,
        `<${tag}>${text}<${tag}>`,
        `<${tag}>${text}/${tag}>`,
        `<${tag}>${text}</>`,
      ]),
    ),
  }),
  'opening tag broken': (elements, draw) => ({
    body: except(elements, draw.below(elements.length), ([tag, text]) =>
      draw.any([`${tag}>${text}</${tag}>`, `<${tag} ${text}</${tag}>`, `<<${tag}>${text}</${tag}>`]),
    ),
  }),
  'closing tag of another element': (elements, draw) => ({
    body: except(
      elements,
      draw.below(elements.length),
      ([tag, text]) => `<${tag}>${text}</${draw.any(['dte', 'mrq1', 'x'])}>`,
    ),
  }),
  'root missing, misspelt or not closed': (elements, draw) => {
    const inner = elements.map(written).join('');
    return {
      body: draw.any([
        inner,
        `<mrq>${inner}`,
        `${inner}</mrq>`,
        `<mqr>${inner}</mqr>`,
        `<mrq>${inner}</mrq></mrq>`,
        `<mrq>${inner}</mrs>`,
      ]),
    };
  },
  'cut off behind the mandatory elements': (elements) => {
    const first = elements.filter(([tag]) => MANDATORY.includes(tag));
    const inner = first.map(written).join('');
    return { body: `<mrq>${inner}<ite>the rest is g` };
  },
  'said twice in one body': (elements) => ({ body: request(elements).repeat(2) }),
  'attributes, comments, CDATA, instructions': (elements, draw) => ({
    body: `<?xml version="1.0"?><!-- a & b <cid>9</cid> --><mrq xmlns="urn:x" a='1'>${elements
      .map(([tag, text]) =>
        draw.random() < 0.5 ? `<${tag} b="2">${text}</${tag}>` : `<${tag}><![CDATA[${text}]]></${tag}>`,
      )
      .join('<?pi x?>')}</mrq>`,
  }),
  'attribute without quotes': (elements, draw) => ({
    body: except(elements, draw.below(elements.length), ([tag, text]) => `<${tag} b=2 c>${text}</${tag}>`),
  }),
  'Windows-1252 without a word': (elements) => ({
    body: Buffer.from(request(withText(elements, 'K\xf6k \xe5\xe4')), 'latin1'),
  }),
  'declared UTF-8, is Windows-1252': (elements) => ({
    body: Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?>${request(withText(elements, 'K\xf6k'))}`,
      'latin1',
    ),
  }),
  'byte order mark of UTF-8': (elements) => ({ body: `\ufeff${request(elements)}` }),
  'UTF-16': (elements, draw) => {
    const text = `${draw.any(['', '<?xml version="1.0" encoding="UTF-16"?>'])}${request(withText(elements, 'Kök'))}`;
    return { body: utf16(`${draw.any(['\ufeff', ''])}${text}`, draw.random() < 0.5) };
  },
  deflate: (elements, draw) => {
    const text = Buffer.from(request(elements));
    return {
      body: draw.any([deflateSync, deflateRawSync])(text),
      encoding: draw.any(['deflate', 'Deflate', ' deflate ']),
    };
  },
  'deflate without Content-Encoding': (elements) => ({ body: deflateSync(Buffer.from(request(elements))) }),
  'Content-Encoding deflate, is plain': (elements) => ({ body: request(elements), encoding: 'deflate' }),
  gzip: (elements, draw) => ({
    body: gzipSync(Buffer.from(request(elements))),
    encoding: draw.any(['gzip', 'deflate', 'x-gzip']),
  }),
  'unknown Content-Encoding, is plain': (elements) => ({ body: request(elements), encoding: 'br' }),
  'in parts': (elements, draw) => ({ body: request([...elements, ['ame', String(draw.below(3))]]) }),
  'code of an optional element is no number': (elements, draw) => ({
    body: request([
      ...elements.filter(([tag]) => tag !== 'lco'),
      [draw.any(['lco', 'dco', 'pri']), draw.any(['x', '1a', '-1'])],
    ]),
  }),
  'document type': (elements, draw) => ({
    body: `${draw.any(['<!DOCTYPE mrq>', '<!doctype x [<!ENTITY a "b">]>', '<!DOCTYPE mrq SYSTEM "file:///etc/passwd">'])}${draw.any([request(elements), `${request(elements)}&`])}`,
    expected: 'refused',
  }),
};

const OPTIONAL: readonly Element[] = [
  ['ver', '01.00'],
  ['mty', 'ME'],
  ['pri', '5'],
  ['lco', '021'],
  ['dte', 'pendant'],
  ['ite', 'kitchen door'],
  ['crd', 'sip:'],
];

/** Damaged requests, the same for the same seed; every kind in turn. */
export function* damaged(setting: { readonly seed: number; readonly count: number }): Generator<Damaged> {
  const random = dice(setting.seed);
  const below = (n: number): number => Math.floor(random() * n);
  const draw: Draw = { random, below, any: (of) => of[below(of.length)] as (typeof of)[number] };
  const kinds = Object.entries(KINDS);
  for (let i = 0; i < setting.count; i++) {
    const [kind, damage] = kinds[i % kinds.length] as [string, Kind];
    const said: Said = {
      ref: `R${below(1_000_000)}`,
      cid: String(100_000 + below(800_000)),
      dty: draw.any(['0003', '0005', '0009', '11']),
      stc: draw.any(['0010', '0011', '10']),
    };
    const optional = OPTIONAL.filter(() => random() < 0.5);
    const {
      body,
      encoding,
      expected = 'taken',
      said: other,
    } = damage([...Object.entries(said), ...optional], draw);
    yield {
      kind,
      said: { ...said, ...other },
      body: typeof body === 'string' ? Buffer.from(body) : body,
      ...(encoding !== undefined && { encoding }),
      expected,
    };
  }
}
