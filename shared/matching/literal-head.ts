/** The literal text at the beginning of every match of a pattern; `whole`: the match is that text and nothing more. */
export interface LiteralHead {
  readonly text: string;
  readonly whole: boolean;
}

const PLAIN = /^[\w @#%&=~:;,'"<>/!\-\u00a3-\ud7ff]$/;
const ESCAPABLE = /^[^\w\s]$/;

/**
 * Reads the literal characters after a leading `^`: `^scaip$` is wholly `scaip`, `^12[34]` begins with `12`.
 * undefined when nothing is certain. Reading stops at the first sign it does not know, so the answer may be
 * shorter than possible but is never wrong.
 */
export function literalHead(source: string): LiteralHead | undefined {
  if (!source.startsWith('^') || source.includes('|')) return undefined;
  let text = '';
  let at = 1;
  while (at < source.length) {
    const sign = source[at] ?? '';
    const next = source[at + 1] ?? '';
    if (sign === '\\' && ESCAPABLE.test(next)) {
      text += next;
      at += 2;
    } else if (PLAIN.test(sign)) {
      text += sign;
      at += 1;
    } else break;
  }
  const rest = source.slice(at);
  // A repetition that allows zero takes back the character before it; `+` leaves one.
  if (/^[*?{]/.test(rest)) text = text.slice(0, -1);
  return text === '' ? undefined : { text, whole: rest === '$' };
}
