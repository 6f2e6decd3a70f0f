import { i18n } from '@lingui/core';

/** A date with its time, short, as `i18n.date` takes it. */
export const MOMENT = { dateStyle: 'short', timeStyle: 'medium' } as const;
/** The same for a moment that stands alone in a sentence. */
export const LONG_MOMENT = { dateStyle: 'medium', timeStyle: 'medium' } as const;
/** A day in a row of days. */
export const DAY = { day: 'numeric', month: 'short' } as const;

/** `4.2`, `4,2`: a number with so many digits behind the sign of decimals, in the language of the console. */
export const decimal = (value: number, digits: number): string =>
  i18n.number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** `20.5 %`, `20,5 %`: a share of 1 with at most so many digits behind the sign of decimals. */
export const percent = (share: number, digits: number): string =>
  i18n.number(share, { style: 'percent', maximumFractionDigits: digits });
