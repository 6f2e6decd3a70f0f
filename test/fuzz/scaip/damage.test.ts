import { describe, expect, it } from 'vitest';
import { decodeRequest } from '#appliance/alarm/protocol/scaip/index.ts';
import { decodeContent, xmlText } from '#appliance/alarm/protocol/xml-message/index.ts';
import { inflate } from '#appliance/io/system/index.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { fastestMs, slowOnes } from '../../appliance/alarm/protocol/mutate.ts';
import { type Damaged, damaged, KINDS } from './damage.ts';

/*
 * A SCAIP request whose reference, controller, type and state can be read is taken, whatever is wrong with its XML or its body. The
 * README of the tests has the share of each kind of damage.
 */

const ROUNDS = rounds(20_000, 100_000);
const SEED = 20_261_126;

/** Kinds that are no valid XML, or hold something that cannot be taken as it stands. */
const WARNED = [
  'tags in other case',
  'white space within tags',
  'identity doubled with another value',
  'bare & in a text',
  'stray bytes between elements',
  'closing tag lost',
  'closing tag broken',
  'opening tag broken',
  'root missing, misspelt or not closed',
  'cut off behind the mandatory elements',
  'said twice in one body',
  'attribute without quotes',
  'code of an optional element is no number',
];

function read({ body, encoding }: Damaged) {
  const content = decodeContent(body, encoding, inflate);
  return content.ok ? { ...decodeRequest(content.value), text: xmlText(content.value) } : content;
}

/** undefined: what became of it is right. */
function faultOf(one: Damaged): string | undefined {
  const got = read(one);
  const { ref, cid, dty, stc } = one.said;
  if (one.expected === 'refused') return got.ok ? 'taken' : got.error.reason === '' ? 'no reason' : undefined;
  if (!got.ok) return got.error.reason;
  const { value } = got;
  if (value.raw !== got.text) return 'raw text lost';
  if (WARNED.includes(one.kind) && value.warnings.length === 0) return 'no warning';
  if (value.ref !== ref || value.dty !== dty || value.stc !== stc) return 'read wrongly';
  if (one.expected === 'unknownUnit')
    return value.cid.includes('|') && value.cid.includes(cid) ? undefined : 'a known unit';
  return value.cid === cid ? undefined : 'another unit';
}

describe('a damaged SCAIP request', () => {
  const faults = new Map<string, { count: number; first: string }>();
  const rounds = new Map<string, number>();
  it(
    `is taken as far as it can be read, ${ROUNDS} times, none in more than 5 ms`,
    () => {
      const slow = slowOnes(damaged({ seed: SEED, count: ROUNDS }), (one) => {
        rounds.set(one.kind, (rounds.get(one.kind) ?? 0) + 1);
        const fault = faultOf(one);
        if (fault === undefined) return;
        const before = faults.get(one.kind);
        const first = before?.first ?? `${fault}: ${JSON.stringify(one.body.toString('latin1'))}`;
        faults.set(one.kind, { count: (before?.count ?? 0) + 1, first });
      });
      expect(Object.fromEntries(faults)).toEqual({});
      expect([...rounds.keys()].toSorted()).toEqual(Object.keys(KINDS).toSorted());
      expect(slow.map(({ body }) => body.toString('latin1'))).toEqual([]);
    },
    Math.max(300_000, 10 * ROUNDS),
  );

  it.each([
    '<',
    '<cid',
    '<cid ',
    '<cid>',
    '</cid>',
    '<a b ',
    '<!--',
    '<![CDATA[<',
    '<?',
    '&#',
    '&amp;',
    'cid>1</cid>',
    '<cid>\u0000',
    '<a:',
    '<cid>1',
    '<ite><b c',
    '< ',
    '<mrq',
  ])('costs less than 5 ms when it is nothing but %j', (piece) => {
    const body = Buffer.from(`<mrq>${piece.repeat(Math.floor(65_000 / piece.length))}`);
    expect(fastestMs(() => decodeRequest(body))).toBeLessThan(5);
  });

  it('with an alarm and its cancel, its reset or a heartbeat is the alarm', () => {
    const doubled = (tag: string, first: string, second: string) =>
      decodeRequest(
        `<mrq><ref>1</ref><cid>2</cid><dty>3</dty><${tag}>${first}</${tag}><${tag}>${second}</${tag}></mrq>`,
      );
    for (const [first, second] of [
      ['0019', '0010'],
      ['0010', '0019'],
    ] as const)
      expect(doubled('stc', first, second)).toMatchObject({ value: { stc: '0010' } });
    for (const quiet of ['RE', 'PI'])
      expect(doubled('mty', quiet, 'ME')).toMatchObject({ value: { messageType: 'ME' } });
  });

  it('that the line has cut off within an identity is not taken for another unit', () => {
    expect(decodeRequest('<mrq><ref>1</ref><dty>3</dty><cid>12')).toMatchObject({ error: { snu: 2 } });
    expect(decodeRequest('<mrq><ref>1</ref><dty>3</dty><cid>1234</c')).toMatchObject({
      value: { cid: '1234' },
    });
  });
});
