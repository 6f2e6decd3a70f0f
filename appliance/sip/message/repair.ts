import { fieldOf, SINGLE } from './field-name.ts';
import {
  blanksCut,
  isSpace,
  type Repaired,
  repairAddress,
  repairCSeq,
  repairMediaType,
  repairVia,
  separated,
} from './repair-value.ts';

/** A broken MESSAGE as far as it can be read, written as the standard has it. */
export interface RepairedMessage {
  readonly bytes: Buffer;
  /** Places that were repaired: `sip:From`, `sip:line`, … */
  readonly warnings: readonly string[];
}

interface Line {
  readonly name: string;
  readonly value: string;
}

/** Fields whose two different values contradict each other; of others the first one counts. */
const CONTRADICTING: ReadonlySet<string> = new Set(['From', 'To', 'Call-ID', 'CSeq']);
const LONG_NAMES: Readonly<Record<string, string>> = {
  v: 'Via',
  f: 'From',
  t: 'To',
  i: 'Call-ID',
  l: 'Content-Length',
  c: 'Content-Type',
};
/** Fields that are read here; all others are handed on as they came. */
const READ = ['Via', 'From', 'To', 'Call-ID', 'CSeq', 'Max-Forwards', 'Content-Length', 'Content-Type'];
const NAMES: ReadonlyMap<string, string> = new Map(READ.map((name) => [name.toLowerCase(), name]));

/** Chosen: header sections of devices have under 2 kB; more would cost over 5 ms to repair. */
const LONGEST_HEAD = 16_384;

/**
 * Reads a MESSAGE that the grammar refuses as far as it can be read.
 * `Chosen:` an alarm is read as far as it can be read, with a warning; a call may be refused, because its caller hears that. The
 * strict parser comes first, and what is well formed never gets here. Two values that contradict each other, another version
 * and a message without Via or From stay refused. Linear in the length of the text.
 */
export function repairMessage(received: Buffer, isDatagram: boolean): RepairedMessage | undefined {
  const { head, body, fault } = cutHead(received);
  if (head.length > LONGEST_HEAD) return undefined;
  const warnings = new Set<string>(fault ? ['sip:lineEnd'] : []);
  const [first = '', ...rest] = unfolded(head);
  const start = startLine(first, warnings);
  if (start === undefined) return undefined;
  const lines = distinct(rest.map((line) => fieldLine(line, warnings)).filter(isLine), warnings);
  if (lines === undefined) return undefined;
  const written: string[] = [];
  for (const { name, value } of lines) {
    const repaired = repairField(name, value, isDatagram ? body.length : undefined);
    if (repaired === undefined) return undefined;
    if (repaired.isChanged) warnings.add(`sip:${name}`);
    if (repaired.text !== '') written.push(`${name}: ${repaired.text}`);
  }
  written.push(...missing(written, start.uri, warnings));
  const text = `${start.text}\r\n${written.join('\r\n')}\r\n\r\n`;
  return { bytes: Buffer.concat([Buffer.from(text, 'latin1'), body]), warnings: [...warnings] };
}

const isLine = (line: Line | undefined): line is Line => line !== undefined;

/** Header section without stray control signs, and the body; `fault`: the two were not parted by an empty line, or signs were left out. */
function cutHead(received: Buffer): {
  readonly head: string;
  readonly body: Buffer;
  readonly fault: boolean;
} {
  const text = received.toString('latin1');
  const begin = text.search(/[^\r\n]/);
  const empty = /\r?\n\r?\n/g;
  empty.lastIndex = Math.max(0, begin);
  const end = empty.exec(text);
  const bodyAt = end === null ? bodyWithoutEmptyLine(text) : end.index + end[0].length;
  const raw = text.slice(Math.max(0, begin), end === null ? bodyAt : end.index);
  const ends = raw.includes('\n') ? raw : raw.replaceAll('\r', '\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: stray control signs are what is looked for.
  const head = ends.replaceAll('\r\n', '\n').replace(/[\0-\x08\x0b-\x1f\x7f]/g, '');
  const fault = end === null || head.length !== raw.replaceAll('\r\n', '\n').length || ends !== raw;
  return { head, body: received.subarray(bodyAt), fault };
}

/** The first line that begins as XML, else the end. */
function bodyWithoutEmptyLine(text: string): number {
  const at = text.indexOf(text.includes('\n') ? '\n<' : '\r<');
  return at < 0 ? text.length : at + 1;
}

/** Lines of the header section; folds have become spaces. */
function unfolded(head: string): string[] {
  const lines: string[] = [];
  for (const line of head.split('\n')) {
    const last = lines.length - 1;
    if (last > 0 && isSpace(line, 0) && !namesField(line)) lines[last] += ` ${blanksCut(line)}`;
    else if (blanksCut(line) !== '') lines.push(blanksCut(line));
  }
  return lines;
}

/** Does a padded line begin with the name of a field that every message has? It is one then, and no fold. */
function namesField(line: string): boolean {
  const colon = line.indexOf(':');
  return colon > 0 && NAMES.has(blanksCut(line.slice(0, colon)).toLowerCase());
}

function startLine(line: string, warnings: Set<string>): { text: string; uri: string } | undefined {
  const [method = '', target = '', version = 'SIP/2.0', ...more] = line.split(/[ \t]+/, 4);
  if (method.toUpperCase() !== 'MESSAGE' || version.toUpperCase() !== 'SIP/2.0' || more.length > 0)
    return undefined;
  const uri = separated(target.replaceAll(/["<>]/g, ''), ';').split('?', 1)[0] ?? '';
  const text = `MESSAGE ${uri} SIP/2.0`;
  if (text !== line) warnings.add('sip:requestLine');
  return { text, uri };
}

/** Name and value; the name of a read field is written out. A line without a name is left out. */
function fieldLine(line: string, warnings: Set<string>): Line | undefined {
  let end = line.indexOf(':');
  let next = end + 1;
  const blank = line.search(/[ \t]/);
  // "From <sip:unit@home>": the colon behind the name is missing, and the next one belongs to the value.
  if (blank > 0 && (end < 0 || blank < end) && NAMES.has(line.slice(0, blank).toLowerCase())) {
    if (end < 0 || blanksCut(line.slice(blank, end)) !== '') {
      end = blank;
      next = blank;
      warnings.add('sip:colon');
    }
  }
  const given = end < 0 ? '' : blanksCut(line.slice(0, end)).replace(/[^\x21-\x7e]/g, '');
  while (line.charAt(next) === ':' || isSpace(line, next)) {
    if (line.charAt(next) === ':') warnings.add('sip:colon');
    next++;
  }
  if (!/^[\w.!%*+`'~-]+$/.test(given)) {
    warnings.add('sip:line');
    return undefined;
  }
  const lower = given.toLowerCase();
  const name = NAMES.get(lower) ?? LONG_NAMES[lower] ?? given;
  return { name, value: blanksCut(line.slice(next)) };
}

/** Fields that may stand once, once; undefined: two of them contradict each other. */
function distinct(lines: readonly Line[], warnings: Set<string>): readonly Line[] | undefined {
  const seen = new Map<number, string>();
  const kept: Line[] = [];
  for (const line of lines) {
    const field = fieldOf(line.name, 0, line.name.length);
    const said = SINGLE.includes(field) ? seen.get(field) : undefined;
    if (said === undefined) {
      seen.set(field, line.value);
      kept.push(line);
      continue;
    }
    warnings.add(`sip:${line.name}`);
    if (CONTRADICTING.has(line.name) && meaning(line.name, said) !== meaning(line.name, line.value))
      return undefined;
  }
  return kept;
}

/** The part of a value that must be the same when the field stands twice: of an address its URI. */
function meaning(name: string, value: string): string {
  if (name === 'Call-ID') return value.replaceAll(/[ \t]/g, '');
  if (name === 'CSeq') return repairCSeq(value)?.text ?? '';
  const text = repairAddress(value)?.text ?? '';
  const begin = text.lastIndexOf('<') + 1;
  return text.slice(begin, text.indexOf('>', begin)).toLowerCase();
}

/** undefined: the value says nothing that can be used, and no message can do without it. An empty text leaves the field out. */
function repairField(name: string, value: string, bodyLength: number | undefined): Repaired | undefined {
  switch (name) {
    case 'From':
    case 'To':
      return repairAddress(value);
    case 'Via':
      return repairVia(value);
    case 'CSeq':
      return repairCSeq(value);
    case 'Call-ID':
      return kept(value, value.replaceAll(/[ \t]/g, ''));
    case 'Content-Type':
      return repairMediaType(value);
    case 'Max-Forwards':
      return kept(value, isNumber(value, 255) ? value : '');
    case 'Content-Length':
      return kept(value, bodyLength === undefined || isNumber(value, bodyLength) ? value : '');
    default:
      return kept(value, value);
  }
}

const kept = (value: string, text: string): Repaired => ({ text, isChanged: text !== value });

const isNumber = (text: string, most: number): boolean => /^\d{1,9}$/.test(text) && Number(text) <= most;

/** Fields that follow from the others: To from the Request-URI, the rest from the branch, which is new for each request. */
function missing(written: readonly string[], uri: string, warnings: Set<string>): string[] {
  const has = (name: string): boolean => written.some((line) => line.startsWith(`${name}: `));
  const via = written.find((line) => line.startsWith('Via: ')) ?? '';
  const branch = /;branch=([^;,\s]{1,200})/.exec(via)?.[1] ?? 'none';
  const defaults: readonly (readonly [string, string])[] = [
    ['To', `<${uri}>`],
    ['Call-ID', `missing-${branch}`],
    ['CSeq', '1 MESSAGE'],
  ];
  return defaults.flatMap(([name, value]) => {
    if (has(name)) return [];
    warnings.add(`sip:${name}`);
    return [`${name}: ${value}`];
  });
}
