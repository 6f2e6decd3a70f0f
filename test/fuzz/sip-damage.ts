/** A MESSAGE in pieces, so that damage can be done to a place of it. */
export interface Pieces {
  requestLine: string;
  fields: [name: string, value: string][];
  lineEnd: string;
  /** Between header section and body; an empty text leaves the empty line out. */
  gap: string;
  readonly body: string;
}

type Random = () => number;
type Damage = (pieces: Pieces, random: Random) => void;

const COMPACT: Readonly<Record<string, string>> = {
  Via: 'v',
  From: 'f',
  To: 't',
  'Call-ID': 'i',
  'Content-Type': 'c',
};
const STRAY = ['\0', '\x01', '\x0b', '\x1f', '\x7f', '\r'];
const DISPLAYS = [
  '""name""',
  'Last, First',
  '"open',
  'a < b',
  'sip:x',
  'Zo\xeb',
  '"\\"',
  '""',
  'a;b',
  "O'Brien (2)",
  '"x" "y"',
];

const number = (random: Random, below: number): number => Math.floor(random() * below);
const pick = <T>(random: Random, from: readonly T[]): T => from[number(random, from.length)] as T;
const anyCase = (random: Random, text: string): string =>
  [...text].map((sign) => (random() < 0.5 ? sign.toUpperCase() : sign.toLowerCase())).join('');

function change(pieces: Pieces, name: string, to: (value: string) => string): void {
  pieces.fields = pieces.fields.map(([each, value]) => [each, each === name ? to(value) : value]);
}

/** A field that has not been renamed yet, and its place. */
function anyField({ fields }: Pieces, random: Random): { field: [string, string]; at: number } {
  const at = number(random, fields.length);
  return { field: fields[at] as [string, string], at };
}

/** None of these leaves a doubt who speaks and what it says. */
const DAMAGES: Readonly<Record<string, Damage>> = {
  caseOfNames: (pieces, random) => {
    pieces.fields = pieces.fields.map(([name, value]) => [anyCase(random, name), value]);
  },
  compactNames: (pieces) => {
    pieces.fields = pieces.fields.map(([name, value]) => [COMPACT[name] ?? name, value]);
  },
  caseOfRequestLine: (pieces, random) => {
    pieces.requestLine = pieces.requestLine.replace(/SIP\/2\.0$/, (version) => anyCase(random, version));
  },
  caseOfScheme: (pieces, random) => {
    for (const name of ['From', 'To'])
      change(pieces, name, (value) => value.replace('sip:', `${anyCase(random, 'sip')}:`));
  },
  bareLineFeeds: (pieces) => {
    pieces.lineEnd = '\n';
    pieces.gap = pieces.gap.replaceAll('\r\n', '\n');
  },
  foldInFront: (pieces, random) => {
    const { field } = anyField(pieces, random);
    field[1] = `${pick(random, ['\r\n', '\n'])}${pick(random, [' ', '\t', '   '])}${field[1]}`;
  },
  foldBehind: (pieces, random) => {
    const { field } = anyField(pieces, random);
    field[1] += `${pick(random, ['\r\n', '\n'])} `;
  },
  padding: (pieces, random) => {
    const { field } = anyField(pieces, random);
    field[1] = `${pick(random, ['', ' ', '\t \t'])}${field[1]}${pick(random, ['', '  ', '\t'])}`;
  },
  paddedName: (pieces, random) => {
    const { field } = anyField(pieces, random);
    field[0] = `${field[0]}${pick(random, [' ', '\t', '  '])}`;
  },
  paddedRequestLine: (pieces, random) => {
    pieces.requestLine = pieces.requestLine.split(' ').join(pick(random, ['  ', '\t', ' \t ']));
  },
  requestLineEnds: (pieces, random) => {
    pieces.requestLine += pick(random, [' ', '\t', '  ']);
  },
  noVersion: (pieces) => {
    pieces.requestLine = pieces.requestLine.replace(/[ \t]+SIP\/2\.0[ \t]*$/i, '');
  },
  bracketsInRequestLine: (pieces) => {
    pieces.requestLine = pieces.requestLine.replace(/(sip:[^ \t]+)/, '<$1>');
  },
  doubledSeparators: (pieces, random) => {
    change(pieces, pick(random, ['Via', 'From']), (value) =>
      value.replace(/;(?!;)/, pick(random, [';;', '; ;'])),
    );
  },
  endingSeparators: (pieces, random) => {
    change(
      pieces,
      pick(random, ['Via', 'From', 'To', 'Content-Type']),
      (value) => `${value}${pick(random, [';', ' ;'])}`,
    );
  },
  doubledColon: (pieces, random) => {
    const { field } = anyField(pieces, random);
    if (/^(?:From|To|Via|Call-ID|CSeq)$/.test(field[0])) field[1] = `:${field[1]}`;
  },
  missingBracket: (pieces, random) => {
    change(pieces, pick(random, ['From', 'To']), (value) => value.replace(/>(?=;|$)/, ''));
  },
  doubledBrackets: (pieces) => change(pieces, 'From', (value) => value.replace('<', '<<').replace('>', '>>')),
  display: (pieces, random) => {
    change(
      pieces,
      pick(random, ['From', 'To']),
      (value) => `${pick(random, DISPLAYS)} ${value.slice(value.lastIndexOf('<'))}`,
    );
  },
  missingField: (pieces, random) => {
    const lost = pick(random, ['Max-Forwards', 'To', 'CSeq', 'Call-ID', 'Content-Length', 'Content-Type']);
    pieces.fields = pieces.fields.filter(([name]) => name !== lost);
  },
  brokenNumber: (pieces, random) => {
    change(pieces, pick(random, ['Max-Forwards', 'Content-Length']), (value) =>
      pick(random, ['', 'x', '-1', `${value}99999`]),
    );
  },
  doubledField: (pieces, random) => {
    const { field, at } = anyField(pieces, random);
    if (field[0] !== 'Via') pieces.fields.splice(at, 0, [...field]);
  },
  strayLine: (pieces, random) => {
    pieces.fields.splice(number(random, pieces.fields.length), 0, [
      pick(random, ['@@', 'no colon here', '(: )']),
      '',
    ]);
  },
  order: (pieces, random) => {
    for (let at = pieces.fields.length - 1; at > 0; at--) {
      const other = number(random, at + 1);
      const kept = pieces.fields[at] as [string, string];
      pieces.fields[at] = pieces.fields[other] as [string, string];
      pieces.fields[other] = kept;
    }
  },
  noEmptyLine: (pieces) => {
    pieces.gap = '';
  },
  strayByte: (pieces, random) => {
    const { field } = anyField(pieces, random);
    const at = number(random, field[1].length);
    field[1] = `${field[1].slice(0, at)}${pick(random, STRAY)}${field[1].slice(at)}`;
  },
  strayByteInName: (pieces, random) => {
    const { field } = anyField(pieces, random);
    const at = number(random, field[0].length);
    field[0] = `${field[0].slice(0, at)}${pick(random, STRAY.slice(0, 5))}${field[0].slice(at)}`;
  },
};

const KINDS = Object.keys(DAMAGES);

export interface Damaged {
  readonly bytes: Buffer;
  /** Names of what was done to it, in this order. */
  readonly kinds: readonly string[];
}

/** One to three damages; `pieces` are changed. */
export function damage(random: Random, pieces: Pieces): Damaged {
  const kinds = Array.from({ length: 1 + number(random, 3) }, () => pick(random, KINDS));
  for (const kind of kinds) DAMAGES[kind]?.(pieces, random);
  return { bytes: written(pieces), kinds };
}

export function written({ requestLine, fields, lineEnd, gap, body }: Pieces): Buffer {
  const lines = fields.map(([name, value]) =>
    value === '' && !/^[\w-]+[ \t]*$/.test(name) ? name : `${name}: ${value}`,
  );
  return Buffer.from([requestLine, ...lines].join(lineEnd) + lineEnd + gap + body, 'latin1');
}
