import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  decodeRequest,
  decodeResponse,
  ExchangeTable,
  SCAIP_PROFILE,
} from '#appliance/alarm/protocol/scaip/index.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { dice } from '../../random.ts';
import { fastestMs } from '../mutate.ts';

const ROUNDS = rounds(5_000, 20_000);
const file = join(import.meta.dirname, '../../../../vectors/alarm/scaip.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as {
  scaip: readonly { request?: string; requests?: readonly string[] }[];
};
const SEEDS = [
  ...vectors.scaip.flatMap(({ request, requests }) => requests ?? [request ?? '']),
  '<?xml version="1.0" encoding="UTF-8"?><x:mrq xmlns:x="u"><x:ref>1</x:ref><!-- c --><x:lge><geo>1,2</geo></x:lge><x:ite><![CDATA[<&]]></x:ite></x:mrq>',
  '<mrq a="1"><ref>1</ref><cid>&#229;&amp;</cid><dty>3</dty><ame>2</ame></mrq>',
];
const SNIPPETS = [
  '<',
  '>',
  '</',
  '/>',
  '<?',
  '?>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE a>',
  '&',
  '&amp;',
  '&#x0;',
  '&#1114112;',
  '&#xD800;',
  '"',
  "'",
  '=',
  '\0',
  '\u{FFFD}',
  'å',
  '😀',
  '<ref>',
  '</ref>',
  '<crd>gsm:</crd>',
  '<__proto__>',
  '<constructor/>',
  '<cid>',
  '</mrq>',
  '<mrq>',
  ' xmlns:a="b"',
  '<a:b:c/>',
  '99999999999999999999',
  '-1',
  '1e9',
  '<ame>31</ame>',
  '<mty>IN</mty>',
];

function mutate(text: string, random: () => number): string {
  const at = Math.floor(random() * (text.length + 1));
  const to = Math.min(text.length, at + Math.floor(random() * 12));
  const snippet = SNIPPETS[Math.floor(random() * SNIPPETS.length)] ?? '';
  switch (Math.floor(random() * 6)) {
    case 0:
      return text.slice(0, at) + text.slice(to);
    case 1:
      return text.slice(0, at) + snippet + text.slice(at);
    case 2:
      return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1);
    case 3:
      return text.slice(0, to) + text.slice(at);
    case 4:
      return text.slice(0, at) + text.slice(at, to).repeat(Math.floor(random() * 200)) + text.slice(at);
    default:
      return text.slice(0, at);
  }
}

describe('hostile input', () => {
  it(`${ROUNDS} broken bodies never throw, and each is answered, absorbed or raised`, () => {
    const random = dice(20_26);
    const table = new ExchangeTable();
    const answers = new Map<string, number>();
    const slow: (string | Buffer)[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      let text = SEEDS[i % SEEDS.length] ?? '';
      for (let n = Math.floor(random() * 5); n >= 0; n--) text = mutate(text, random);
      const body = i % 3 === 0 ? Buffer.from(text, 'latin1') : text;
      const start = performance.now();
      const decoded = decodeRequest(body);
      if (performance.now() - start > 5) slow.push(body);
      const effects = table.receive(decoded, {
        at: i * 1000,
        to: 'w',
        scope: 's',
        profile: SCAIP_PROFILE,
        origin: { address: '192.0.2.50' },
      });
      decodeResponse(body);
      for (const { type } of effects) answers.set(type, (answers.get(type) ?? 0) + 1);
    }
    expect(answers.get('answer')).toBeGreaterThan(ROUNDS / 4);
    expect(answers.get('raise')).toBeGreaterThan(ROUNDS / 4);
    expect(answers.get('event')).toBeGreaterThan(ROUNDS / 67);
    // A pause of the machine is not the parser's: what was slow once is looked at again.
    expect(slow.filter((body) => fastestMs(() => decodeRequest(body)) > 5)).toEqual([]);
  });

  /** The shapes that cost a parser most, each filling 64 KiB. */
  const full = (unit: string, head = '<mrq>', tail = '</mrq>') =>
    head + unit.repeat(Math.floor((65_536 - head.length - tail.length) / unit.length)) + tail;
  it.each([
    ['text', full('x')],
    ['entities', full('&amp;')],
    ['elements', full('<a/>')],
    ['open tags', full('<a>', '', '')],
    ['attributes', full(' a="1"', '<mrq', '/>')],
    [
      '1000 attributes and text',
      `<mrq ${Array.from({ length: 1000 }, (_, i) => `a${i}=""`).join(' ')}>${'z'.repeat(50_000)}</mrq>`,
    ],
    ['distinct attributes', `<mrq ${Array.from({ length: 6000 }, (_, i) => `a${i}=""`).join(' ')}/>`],
    ['one long attribute', full('x', '<mrq a="', '"/>')],
    ['spaces in a tag', full(' ', '<mrq', '>')],
    ['comment', full('-', '<mrq><!-- ', ' --></mrq>')],
    ['unfinished comment', full('-', '<!-- ', '')],
    ['unfinished CDATA', full(']', '<mrq><![CDATA[', '')],
    ['angles', full('<', '', '')],
    ['closing angles', full('>')],
    ['ampersands', full('&')],
    ['zero bytes', full('\0', '', '<mrq/>')],
    ['numbers', full('&#1;')],
    ['nearly a reference', full('<ref> ', '', '')],
    ['nearly a declaration', full('<?xml ', '', '')],
    ['quotes', full('"', '<mrq a=', '/>')],
    ['250 elements and text', `<mrq>${'<a>x</a>'.repeat(250)}${'z'.repeat(63_000)}</mrq>`],
    ['1000 entities and text', `<mrq><ite>${'&amp;'.repeat(1000)}${'z'.repeat(60_000)}</ite></mrq>`],
  ])('%s: at most 5 ms', (_, text) => {
    for (const body of [text, Buffer.from(text)]) {
      decodeRequest(body);
      expect(fastestMs(() => decodeRequest(body))).toBeLessThan(5);
    }
  });
});
