import { describe, expect, it } from 'vitest';
import { accountOf, addressOf, decodeMessage } from '#appliance/alarm/protocol/dc09/index.ts';
import { fastestMs } from '../mutate.ts';
import { framed, TestReceiver } from './panel.ts';

const messageIn = (body: string) => {
  const read = decodeMessage(Buffer.from(body, 'latin1'));
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
};

/** The answer without its CRC and length, and the accounts of the events. */
function received(body: string) {
  const receiver = new TestReceiver();
  const answers = receiver.send(framed(body)).map((answer) => answer.slice(8));
  return [...answers, ...receiver.of('event').map(({ event }) => event.controllerId)];
}

describe('an answer says sequence, receiver, line and account as received', () => {
  it.each([
    ['an L without a number', '"NULL"0001L#61020304[]', ['"ACK"0001L#61020304[]']],
    ['an R without a number', '"NULL"0001RL0#1234[]', ['"ACK"0001RL0#1234[]']],
    [
      'an account with letters beyond hex',
      '"ADM-CID"6616R0L0#pan6501[#pan6501|1120 01 000]',
      ['"ACK"6616R0L0#pan6501[]', 'pan6501'],
    ],
    ['the same in SIA data', '"SIA-DCS"6616R0L0#PAN1[#PAN1|Nri1/PA1]', ['"ACK"6616R0L0#PAN1[]', 'PAN1']],
    ['a sequence in hex', '"SIA-DCS"000AL0#1234[|NPA1]', ['"ACK"000AL0#1234[]', '1234']],
    ['a small sequence in hex', '"NULL"000aL0#1234[]', ['"ACK"000aL0#1234[]']],
    ['an unknown token', '"VIS-XXX"000AL#pan6501[x]', ['"DUH"000AL#pan6501[]']],
    ['a token that is no word', '"SI DCS"0001L0#1234[#1234|NPA1]', ['"DUH"0001L0#1234[]']],
    ['another order', '"SIA-DCS"0001#1234L0R0[|NPA1]', ['"ACK"0001#1234L0R0[]', '1234']],
    ['blanks', '"SIA-DCS" 0001 R0 L0 # 1234 [|NPA1]', ['"ACK" 0001 R0 L0 # 1234 []', '1234']],
    ['a doubled sign', '"SIA-DCS"0001L0##1234[|NPA1]', ['"ACK"0001L0##1234[]', '1234']],
    ['no sequence', '"SIA-DCS"L0#1234[|NPA1]', ['"ACK"L0#1234[]', '1234']],
  ])('%s', (_, body, expected) => {
    expect(received(body)).toEqual(expected);
  });
});

describe('a head of another form', () => {
  it.each([
    ['no closing quote', '"SIA-DCS0001L0#1234[#1234|NPA1]', '1234'],
    ['no hyphen', '"SIADCS"0001L0#1234[#1234|NPA1]', '1234'],
    ['no bracket', '"SIA-DCS"0001L0#1234#1234|NPA1]', '1234'],
    ['no bracket, and extended data', '"SIA-DCS"0001L0#1234#1234|NPA1][Ia]', '1234'],
    ['no # before the account, which the data has', '"SIA-DCS"0001L01234[#1234|NPA1]', '1234'],
  ])('%s: its events have the warning', (_, body, account) => {
    const receiver = new TestReceiver();
    receiver.send(framed(body));
    expect(accountOf(messageIn(body))).toBe(account);
    expect(receiver.of('event').map(({ event }) => event.controllerId)).toEqual([account]);
    expect(receiver.of('answer').map(({ token }) => token)).toEqual(['ACK']);
  });

  it('has its bracket behind a stray bar', () => {
    const sealed = messageIn('"*SIA-DCS"1581L0#00E2|[00112233445566778899AABBCCDDEEFF');
    expect([accountOf(sealed), sealed.body]).toEqual(['00E2', '00112233445566778899AABBCCDDEEFF']);
    expect(received('"SIA-DCS"0001L0#1234|[|NPA1]')).toEqual(['"ACK"0001L0#1234|[]', '1234']);
  });

  it('names no account where it names two', () => {
    expect(accountOf(messageIn('"SIA-DCS"0001L0#1234#9999[|NPA1]'))).toBeNull();
  });

  it('is matched by the account of its data where it has none', () => {
    expect(addressOf(messageIn('"SIA-DCS"0001L0[#1234|NPA1]'))).toBe('RL0#1234');
    expect(addressOf(messageIn('"*SIA-DCS"0001L0[00112233445566778899AABBCCDDEEFF'))).toBe('RL0#');
  });

  it('answers with printable signs only', () => {
    expect(received('"NULL"0001L0#12\n\0é34[]')).toEqual(['"ACK"0001L0#1234[]']);
  });
});

it.each(['R', 'L', '#', 'RA', '#R', '#L0', ' ', '0', '"', '[', '|'])(
  '8 KiB of %s in a head: at most 5 ms',
  (unit) => {
    const bytes = Buffer.from(`"SIA-DCS"0001${unit.repeat(8000 / unit.length)}x[#1234|NBA1]`);
    decodeMessage(bytes);
    expect(fastestMs(() => decodeMessage(bytes))).toBeLessThan(5);
  },
);
