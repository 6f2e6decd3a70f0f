import type { DtmfInput, DtmfParams } from '#shared/contract/callback/index.ts';
import { compilePattern, type Pattern } from '#shared/matching/index.ts';

/**
 * Digits of one command (decisions 5, dtmf).
 *
 *   digit ─┬─ of finishOnKey, and minDigits are there ─▶ finishOnKey (the key is not reported)
 *          ├─ of finishOnKey, too early ─▶ passed over
 *          └─ kept ─┬─ all match the pattern, and minDigits are there ─▶ pattern
 *                   └─ maxDigits are there ─▶ maxDigits
 *   time over: firstDigitTimeout without a digit, interDigitTimeout after one
 */
export interface Collector {
  readonly dtmf: DtmfInput;
  readonly digits: string;
  readonly pattern: Pattern | undefined;
  readonly reason: DtmfParams['reason'] | undefined;
}

export function collector(dtmf: DtmfInput): Collector {
  // As a whole: half a number is none.
  const compiled = dtmf.pattern === undefined ? undefined : compilePattern(`^(?:${dtmf.pattern})$`);
  return {
    dtmf,
    digits: '',
    pattern: compiled?.ok === true ? compiled.value : undefined,
    reason: undefined,
  };
}

export function collect(state: Collector, digit: string): Collector {
  const { dtmf, pattern } = state;
  const least = dtmf.minDigits ?? 0;
  if (dtmf.finishOnKey?.toUpperCase().includes(digit) === true)
    return state.digits.length >= least ? { ...state, reason: 'finishOnKey' } : state;
  const digits = state.digits + digit;
  const now: Collector = { ...state, digits };
  if (pattern !== undefined && digits.length >= least && pattern.test(digits))
    return { ...now, reason: 'pattern' };
  return digits.length >= (dtmf.maxDigits ?? Number.POSITIVE_INFINITY)
    ? { ...now, reason: 'maxDigits' }
    : now;
}

export const timeOver = (state: Collector): Collector => ({
  ...state,
  reason: state.digits === '' ? 'firstDigitTimeout' : 'interDigitTimeout',
});

/** The result; `hangup` when nothing else has ended it. */
export const collected = ({ digits, reason = 'hangup' }: Collector): DtmfParams => ({
  dtmfMatch: digits,
  reason,
});
