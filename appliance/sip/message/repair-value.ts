import { parseNameAddr } from './name-addr.ts';
import { parseVia } from './via.ts';

/** Is the sign at `at` a space or a tab? */
export const isSpace = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code === 0x20 || code === 0x09;
};

/** Text without spaces and tabs around it. A scan, because a regular expression would cost the square of the length. */
export function blanksCut(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text, from)) from++;
  while (to > from && isSpace(text, to - 1)) to--;
  return text.slice(from, to);
}

/** Pieces between separators without empty ones and without blanks around them. */
export const separated = (text: string, separator: ';' | ','): string =>
  text
    .split(separator)
    .map(blanksCut)
    .filter((piece) => piece !== '')
    .join(separator);

/** A value as the grammar has it, and whether it came otherwise. */
export interface Repaired {
  readonly text: string;
  readonly isChanged: boolean;
}

const SCHEME = /(?:sips?|tel):/i;
/** Chosen: a name longer than this is no name of a device. */
const LONGEST_DISPLAY = 256;

/**
 * From or To: the URI in the last angle brackets, else the first one in the text; the tag behind it. A display name is quoted
 * again. undefined: the value names no URI.
 */
export function repairAddress(value: string): Repaired | undefined {
  const whole = parseNameAddr(value, 0, value.length);
  if (whole?.end === value.length && whole.uri.ok) return { text: value, isChanged: false };
  const open = value.lastIndexOf('<');
  const begin = SCHEME.exec(value.slice(open + 1));
  if (begin === null) return undefined;
  const from = open + 1 + begin.index;
  const close = open < 0 ? -1 : value.indexOf('>', from);
  const end = close < 0 ? from + value.slice(from).search(/[ \t;,>"]|$/) : close;
  const uri = separated(value.slice(from, end).replaceAll(/[ \t"<>]/g, ''), ';');
  const tag = /[;, \t>]tag[ \t]{0,9}=[ \t]{0,9}([\w.!%*+`'~-]{1,256})/i.exec(value.slice(end))?.[1];
  const display = blanksCut(value.slice(0, Math.max(0, open)).replaceAll(/["\\<>]/g, '')).slice(
    0,
    LONGEST_DISPLAY,
  );
  const text = `${display === '' ? '' : `"${display}" `}<${uri}>${tag === undefined ? '' : `;tag=${tag}`}`;
  return { text, isChanged: true };
}

/** Via: separators set right. undefined: nothing tells where the answer belongs. */
export function repairVia(value: string): Repaired | undefined {
  if (isVia(value)) return { text: value, isChanged: false };
  const spaced = value.replace(/[ \t](?=(?:branch|rport|received|maddr|ttl)\b)/gi, ';');
  const [head = '', ...parameters] = separated(separated(spaced, ';'), ',').split(';');
  const parts = head.split(/[ \t/]+/).filter((part) => part !== '');
  const [protocol = '', version = '', transport = '', ...host] = parts;
  const tail = parameters
    .map((each) => each.replaceAll(/[ \t]|=(?==)/g, ''))
    .filter((each) => /^[\w-]+(?:=.*)?$/.test(each));
  const text = [`${protocol}/${version}/${transport} ${host.join('')}`, ...tail].join(';');
  return isVia(text) ? { text, isChanged: true } : undefined;
}

function isVia(value: string): boolean {
  for (let at = 0; ; ) {
    const via = parseVia(value, at, value.length);
    if (via === undefined) return false;
    if (via.end >= value.length) return true;
    at = via.end + 1;
  }
}

/** CSeq: its number, wherever it stands. undefined: it has none, or names another method. */
export function repairCSeq(value: string): Repaired | undefined {
  const number = /\d{1,10}/.exec(value)?.[0];
  const words = value.replaceAll(/[^a-z]/gi, '').toUpperCase();
  if (number === undefined || Number(number) > 2_147_483_647) return undefined;
  if (words !== '' && words !== 'MESSAGE') return undefined;
  const text = `${number} MESSAGE`;
  return { text, isChanged: text !== value };
}

/** Content-Type: two tokens with one slash between them; left out when it says nothing. */
export function repairMediaType(value: string): Repaired {
  const [type = '', subtype = ''] = (value.split(';', 1)[0] ?? '')
    .split(/[ \t/\\]+/)
    .filter((part) => part !== '');
  const isRight = /^[\w.!%*+`'~-]+[ \t]{0,9}\/[ \t]{0,9}[\w.!%*+`'~-]+[ \t]{0,9}(?:;|$)/.test(value);
  if (isRight) return { text: value, isChanged: false };
  const text = type === '' || subtype === '' ? '' : `${type}/${subtype}`;
  return { text, isChanged: true };
}
