import { counter, type Family, histogram, labelWord } from './family.ts';

/** Callbacks as they went out of this program. */
export interface CallbackMetric {
  readonly families: readonly Family[];
  /**
   * One attempt was over after `seconds`. `destClass`: the kind of receiver, never which one. `end`: the status of the
   * answer, or the code of why there was none.
   */
  readonly attempted: (destClass: string, seconds: number, end: number | string) => void;
}

/** The slowest that is waited for takes 15 s. */
const BOUNDS_S = [0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

export function callbackMetric(): CallbackMetric {
  const seconds = histogram(
    'carillon_callback_seconds',
    'Duration of callbacks, by kind of receiver and answer',
    BOUNDS_S,
    ['dest_class', 'code'],
  );
  const attempts = counter('carillon_callback_attempts_total', 'Callbacks by how they ended', ['result']);
  return {
    families: [seconds, attempts],
    attempted: (destClass, tookS, end) => {
      const code = typeof end === 'number' ? String(end) : labelWord(end);
      seconds.observe(tookS, [labelWord(destClass), code]);
      attempts.add([resultOf(end)]);
    },
  };
}

const resultOf = (end: number | string): string =>
  typeof end === 'string' ? 'unreached' : end >= 200 && end < 300 ? 'delivered' : 'refused';
