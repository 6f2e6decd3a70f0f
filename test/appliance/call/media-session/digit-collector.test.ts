import { describe, expect, it } from 'vitest';
import {
  collect,
  collected,
  collector,
  timeOver,
} from '#appliance/call/media-session/state/digit-collector.ts';
import { type DtmfInput, ivrCommandSchema } from '#shared/contract/callback/index.ts';

const requestOf = (request: object): DtmfInput => {
  const { dtmf } = ivrCommandSchema.parse({ dtmf: request });
  if (dtmf === undefined) throw new Error('no request');
  return dtmf;
};
const pressed = (request: object, digits: string) =>
  [...digits].reduce(
    (now, digit) => (now.reason === undefined ? collect(now, digit) : now),
    collector(requestOf(request)),
  );

describe('digits of one command', () => {
  it.each([
    [{ maxDigits: 2 }, '1', '1', undefined],
    [{ maxDigits: 2 }, '123', '12', 'maxDigits'],
    [{ finishOnKey: '#' }, '12#', '12', 'finishOnKey'],
    [{ finishOnKey: '#*' }, '12*', '12', 'finishOnKey'],
    [{ finishOnKey: '#' }, '#', '', 'finishOnKey'],
    [{ finishOnKey: '#', minDigits: 2 }, '1#2#', '12', 'finishOnKey'],
    [{ pattern: '[0-9]{3}' }, '12', '12', undefined],
    [{ pattern: '[0-9]{3}' }, '1234', '123', 'pattern'],
    [{ pattern: '1|12', minDigits: 2 }, '12', '12', 'pattern'],
    [{ pattern: '9', maxDigits: 2 }, '12', '12', 'maxDigits'],
    [{ maxDigits: 4, finishOnKey: 'a' }, 'A', '', 'finishOnKey'],
  ] as const)('%j of %s gives %s', (request, keys, digits, reason) => {
    expect(pressed(request, keys)).toMatchObject({ digits, reason });
  });

  it('end by time: before the first digit, or between two', () => {
    expect(collected(timeOver(pressed({}, '')))).toEqual({ dtmfMatch: '', reason: 'firstDigitTimeout' });
    expect(collected(timeOver(pressed({}, '1')))).toEqual({ dtmfMatch: '1', reason: 'interDigitTimeout' });
    expect(collected(pressed({}, '1'))).toEqual({ dtmfMatch: '1', reason: 'hangup' });
  });

  it.each([
    [{ maxDigits: 0 }],
    [{ minDigits: 3, maxDigits: 2 }],
    [{ pattern: '(' }],
    [{ pattern: '(?=a)' }],
    [{ finishOnKey: 'x' }],
    [{ interDigitTimeout: 0 }],
  ])('%j is no request', (request) => {
    expect(ivrCommandSchema.safeParse({ dtmf: request }).success).toBe(false);
  });
});
