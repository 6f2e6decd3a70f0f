import { describe, expect, it } from 'vitest';
import {
  type CheckTable,
  checkFits,
  collect,
  fittingMethods,
  lengthMs,
  makeCheck,
  type ReceivedTone,
} from '#appliance/alarm/protocol/tone/index.ts';

describe('digits', () => {
  const detected = (
    digit: string,
    startMs: number,
    ms: number,
    source: ReceivedTone['source'] = 'inaudio',
  ) => ({
    digit,
    startMs,
    ms,
    source,
  });
  const line = (tones: readonly ReceivedTone[]) => {
    let collected: readonly ReceivedTone[] = [];
    for (const tone of tones) collected = collect(collected, tone);
    return collected.map(({ digit, ms }) => `${digit}${ms}`).join(' ');
  };
  it.each([
    ['torn ones are joined', [detected('5', 0, 40), detected('5', 60, 40)], '5100'],
    ['two presses stay two', [detected('5', 0, 80), detected('5', 160, 80)], '580 580'],
    ['an event and its leak are one', [detected('5', 0, 80, '2833'), detected('5', 40, 60)], '580'],
    ['the leak may come first', [detected('5', 0, 50), detected('5', 10, 100, '2833')], '5100'],
    ['a leak of another digit goes too', [detected('5', 0, 80, '2833'), detected('2', 90, 40)], '580'],
    ['far from an event the audio counts', [detected('5', 0, 80, '2833'), detected('2', 200, 80)], '580 280'],
  ])('%s', (_, tones, expected) => {
    expect(line(tones)).toBe(expected);
  });
});

describe('check methods', () => {
  const TABLE: CheckTable = {
    alphabet: '0123456789',
    values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    weights: [1, 3],
    modulus: 16,
    complement: true,
    digits: 2,
    radix: 16,
  };
  it.each([
    ['sumMod100', '99', '18'],
    ['sumMod100Complement', '99', '82'],
    ['sumMod100Complement', '0', '00'],
    ['sumHexByte', '1887654321', '2D'],
    ['sumHexByte', '3887654321', '2#'],
    ['sumMod15', '123418113101015', '8'],
    ['sumMod15', '123418310100001', 'C'],
    ['luhn', '7992739871', '3'],
    ['weightedMod97', '97', '98'],
    ['xorColumn', '12', '03'],
    ['table', '12', '09'],
  ] as const)('%s of %s is %s', (method, checked, check) => {
    expect(makeCheck(method, checked, TABLE)).toBe(check);
    expect(checkFits(method, checked, check, TABLE)).toBe(true);
    expect(fittingMethods(checked, check, TABLE)).toContain(method);
  });

  it('make nothing of what they do not know', () => {
    expect(makeCheck('none', '1')).toBeUndefined();
    expect(makeCheck('table', '1')).toBeUndefined();
    expect(makeCheck('luhn', 'A1')).toBeUndefined();
    expect(makeCheck('table', 'A', TABLE)).toBeUndefined();
    expect(checkFits('sumMod100', 'A', '00')).toBe(false);
    expect(checkFits('none', 'A', '00')).toBe(true);
  });
});

it('tones have the length they take to play', () => {
  expect(
    lengthMs([
      { digits: 'DB', onMs: 80, offMs: 60 },
      { hz: 1400, ms: 100 },
      { silenceMs: 50 },
      { stmf: true, digits: '0' },
    ]),
  ).toBe(280 + 100 + 50 + 160);
});
