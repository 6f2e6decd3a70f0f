import { literalHead } from './literal-head.ts';
import type { Pattern } from './pattern.ts';

/** Chosen: enough to tell a whole literal from its beginning, few enough to be tried against every receiver of a tenant. */
const MOST = 16;
/** Chosen: the names and numbers that receivers are reached by. */
const USUAL = ['a', 'x-y', '1', '1234', '+46855511000', 'R1L1#1234', 'scaip'];

/**
 * Texts that the pattern finds, the plainest first; empty where none was made. Each has been tried with the pattern, so an
 * example is never wrong; there may be texts of another form.
 */
export function exampleTexts(pattern: Pattern): readonly string[] {
  const { source } = pattern;
  const written = alternatives(source).flatMap((each) => {
    const text = literalHead(each)?.text;
    return [...(text === undefined ? [] : [text]), filled(each)];
  });
  const around = written.flatMap((text) => [text, `${text}0`, `${text}x`, `0${text}`, `x${text}`]);
  const found = [...new Set([...written, ...around, ...USUAL])].filter(
    (text) => text !== '' && pattern.test(text),
  );
  return found.slice(0, MOST);
}

/** Parts between `|` outside of groups and classes, each of `(a|b)` in its place. */
function alternatives(source: string): readonly string[] {
  const group = /\((?:\?:|\?i:)?([^()[\]\\?]+)\)/.exec(source);
  if (group !== null) {
    const [whole, inside = ''] = group;
    const before = source.slice(0, group.index);
    const after = source.slice(group.index + whole.length);
    const parts = inside.split('|').slice(0, MOST);
    return parts.flatMap((part) => alternatives(`${before}${part}${after}`)).slice(0, MOST);
  }
  return /[()[\]\\]/.test(source) ? [source] : source.split('|').slice(0, MOST);
}

/** The pattern with something plain in place of its signs. */
const filled = (source: string): string =>
  source
    .replaceAll(/\\d|\[0-9\]|\[\\d\]/g, '1')
    .replaceAll(/\\w|\[a-z\]|\[a-zA-Z0-9\]/g, 'a')
    .replaceAll(/\\([^\w\s])/g, '$1')
    .replaceAll(/\[\^?\\?(.)[^\]]*\]/g, '$1')
    .replaceAll(/(.)\{(\d{1,2})(?:,\d*)?\}/g, (_, sign: string, count: string) => sign.repeat(Number(count)))
    .replaceAll(/[\^$?*]|(?<=.)\+(?=.)(?!\d)|(?<=[\w.])\+$/g, '')
    .replaceAll('.', 'a');
