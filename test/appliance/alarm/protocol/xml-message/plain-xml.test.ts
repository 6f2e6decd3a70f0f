import { describe, expect, it } from 'vitest';
import { readXml } from '#appliance/alarm/protocol/xml-message/index.ts';
import { seeded } from '../../../../fuzz/http-input.ts';
import { damaged } from '../../../../fuzz/scaip/damage.ts';

/*
 * A body of elements and texts alone is read in one pass, every other one by the library. A comment behind the root changes nothing
 * in a body, and leaves it to the library: both ways must say the same.
 */

const ROUNDS = 4_000;
const SEED = 20_261_127;

const NAMES = ['a', 'b', 'ref', 'MRQ', 'a1', '_a', 'a-b', 'n:a', 'abcdef', 'abcdefg', 'valueOf', '1a', 'a '];
const TEXTS = [
  ...['', ' ', '12', ' a b ', '\n', '\r\n  ', 'a\r\nb', '\t', 'å😀', '\u00a0', '\ufeff', '\u2028'],
  ...['>', ']]>', '=', '"', "'", '/', '&amp;', '&', '\u0001', '\u007f', '\0', '\v', '\f', '<'],
];
const BEFORE = [
  ...[
    '',
    '',
    '',
    ' ',
    '\r\n',
    '\ufeff',
    'x',
    '<?xml version="1.0"?>',
    '<?xml version="1.0" encoding="utf-8"?>\n',
  ],
  ...[
    '<?xml version="2.0"?>',
    "<?xml version='1.0'?>",
    '<?x?>',
    ' <?xml version="1.0"?>',
    '<?xml version="1.0"?',
  ],
];
const BEHIND = ['', '', '', ' ', '\n', 'x', '<a></a>', '<?x?>'];

function* bodies(seed: number, count: number): Generator<string> {
  const random = seeded(seed);
  const one = (of: readonly string[]): string => of[Math.floor(random() * of.length)] ?? '';
  const usual = (of: readonly string[], most: number): string =>
    random() < 0.97 ? (of[Math.floor(random() * most)] ?? '') : one(of);
  const element = (depth: number): string => {
    const name = usual(NAMES, 5);
    if (random() < 0.02) return `<${name}/>`;
    const opened = random() < 0.01 ? `${name} k="v"` : name;
    const closed = random() < 0.01 ? usual(NAMES, 5) : name;
    const inside =
      depth > 0 && random() < 0.6
        ? Array.from({ length: Math.floor(random() * 4) }, () => `${usual(TEXTS, 2)}${element(depth - 1)}`)
        : [usual(TEXTS, 6)];
    return `<${opened}>${inside.join('')}${usual(TEXTS, 2)}${random() < 0.01 ? '' : `</${closed}>`}`;
  };
  for (let at = 0; at < count; at++)
    yield `${usual(BEFORE, 5)}${element(Math.floor(random() * 6))}${usual(BEHIND, 5)}`;
}

/** The tree as text, or the code of a failure; its reason names a place in the text. */
function said(body: string): string {
  const read = readXml(body);
  return read.ok ? JSON.stringify(read.value) : read.error.code;
}

describe('a body of elements and texts alone', () => {
  it('is the tree that the library makes of it', () => {
    const all = [...bodies(SEED, ROUNDS)];
    expect(all.filter((body) => said(body) !== said(`${body}<!-- -->`))).toEqual([]);
    expect(all.filter((body) => said(body).startsWith('{')).length).toBeGreaterThan(ROUNDS / 2);
  });

  it('damaged is judged as by the library', () => {
    const texts = [...damaged({ seed: SEED, count: ROUNDS })].map(({ body }) =>
      body.toString('latin1').replace(/[\0\s]+$/, ''),
    );
    const open = texts.filter((text) => !text.includes('<!'));
    expect(open.filter((text) => said(text) !== said(`${text}<!-- -->`))).toEqual([]);
  });
});
