import { describe, expect, it } from 'vitest';
import { decodeSia, type SiaEvent } from '#appliance/alarm/protocol/dc09/index.ts';
import { fastestMs } from '../mutate.ts';

const eventsIn = (data: string): readonly SiaEvent[] => {
  const read = decodeSia(data);
  if (!read.ok) throw new Error(`${data}: ${read.error.reason}`);
  return read.value;
};

/** Modifiers, code, zone and text of each event. */
const said = (data: string) =>
  eventsIn(data).map(({ modifiers, code, zone, text }) => {
    const before = Object.entries(modifiers).map(([name, value]) => `${name}${value} `);
    return `${before.join('')}${code}${zone}${text === undefined ? '' : ` ^${text}^`}`;
  });

describe('SIA data without a slash before the code', () => {
  it.each([
    ['Nri1PA8', ['ri1 PA8']],
    ['Nri2PA001^HALL^', ['ri2 PA001 ^HALL^']],
    ['Nri0RP2^SN 1^', ['ri0 RP2 ^SN 1^']],
    ['Nri2ti10:11:12PA5', ['ri2 ti10:11:12 PA5']],
    ['Nid4OP4', ['id4 OP4']],
    ['Nri1id4/OP4', ['ri1 id4 OP4']],
    ['Nti10:11da12-31-26ri1BA5', ['ti10:11 da12-31-26 ri1 BA5']],
    ['Nri1^HALL^PA8', ['ri1 PA8 ^HALL^']],
  ])('%s', (data, expected) => {
    expect(said(`#1234|${data}`)).toEqual(expected);
    expect(eventsIn(`#1234|${data}`)[0]?.warnings).toEqual([]);
  });

  it.each([
    ['a value of letters', 'NidABC/OP4', ['idABC OP4']],
    ['a zone with a letter', 'Nri1/BA1A', ['ri1 BA1A']],
    ['a modifier without its digits', 'NriPA8', ['ri PA8']],
    ['small letters only', 'nri1/ba001', ['ri1 BA001']],
    ['capitals only', 'NRI1/BA001', ['ri1 BA001']],
    ['no kind', 'BA1', ['BA1']],
    ['an old event', 'Ori1BA1', ['ri1 BA1']],
    ['a code that begins as a kind does', 'OP4', ['OP4']],
  ])('%s: %s', (_, data, expected) => {
    expect(said(`#1234|${data}`)).toEqual(expected);
  });

  it('takes digits between two bars as the area', () => {
    expect(eventsIn('#6401|0|NPA')).toMatchObject([{ account: '6401', code: 'PA', area: '0' }]);
    expect(eventsIn('#6401|12|Nri3PA1')).toMatchObject([{ code: 'PA', area: '3' }]);
  });

  it.each([
    ['an account without #', '4711|Nri1/PA1', '4711', ['ri1 PA1']],
    ['two codes without a slash', '#1234|Nri1BA5FA6', '1234', ['ri1 BA5', 'ri1 FA6']],
    ['two blocks behind bars', '#1234|Nri1/BA5|Nri2/FA6', '1234', ['ri1 BA5', 'ri2 FA6']],
    ['a text for each', '#1234|NBA5^one^FA6^two^', '1234', ['BA5 ^one^', 'FA6 ^two^']],
    ['one text for all', '#1234|NBA5/FA6^one^', '1234', ['BA5 ^one^', 'FA6 ^one^']],
    ['blanks between', '#1234|NBA5 FA6', '1234', ['BA5', 'FA6']],
    ['no bar', '#1234NBA5/FA6', '1234', ['BA5', 'FA6']],
  ])('reads every event: %s', (_, data, account, expected) => {
    expect(said(data)).toEqual(expected);
    expect(eventsIn(data).map((event) => event.account)).toEqual(expected.map(() => account));
  });

  it('keeps the area, and the kind of the event', () => {
    expect(eventsIn('#1234|Ori12BA5')).toMatchObject([{ area: '12', isNew: false, account: '1234' }]);
  });

  it('makes no event of a text that stands between other signs than carets', () => {
    expect(said('#1234|NBA005*PIR IN HALL/FA1')).toEqual(['BA005', 'FA1']);
    expect(eventsIn('#1234|NBA005*PIR IN HALL')[0]?.warnings).toEqual(['unreadData']);
  });

  it('makes at most 64 events of a frame, and says so', () => {
    expect(eventsIn(`#1234|N${'BA1/'.repeat(64)}`)[0]?.warnings).toEqual([]);
    const many = eventsIn(`#1234|N${'BA1/'.repeat(65)}`);
    expect([many.length, many[0]?.warnings]).toEqual([64, ['tooManyEvents']]);
  });
});

it.each(['ri1', 'BAF', 'BA', 'ba', 'ri', 'BA1^a^', '|0', '|N', 'BA1 ', 'ri1/', '^', 'B', ' ,'])(
  '8 KiB of %s: at most 5 ms',
  (unit) => {
    const data = `#1234|N${unit.repeat(8192 / unit.length)}`;
    decodeSia(data);
    expect(fastestMs(() => decodeSia(data))).toBeLessThan(5);
  },
);
