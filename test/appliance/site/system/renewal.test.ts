import { expect, it } from 'vitest';
import { nextRenewalMs } from '#appliance/site/system/index.ts';

const DAY = 86_400_000;
const ISSUED = 1_770_000_000_000;
const valid = (days: number, failed = 0) => ({
  beginsAtMs: ISSUED - DAY,
  expiresAtMs: ISSUED + days * DAY,
  failed,
});

it('is renewed from the 30th of 90 days, and in proportion where a certificate lives longer', () => {
  expect(nextRenewalMs(valid(90), ISSUED + 29.9 * DAY, 0)).toBeGreaterThan(0);
  expect(nextRenewalMs(valid(90), ISSUED + 30 * DAY, 0)).toBe(0);
  expect(nextRenewalMs(valid(365), ISSUED + 100 * DAY, 0)).toBeGreaterThan(0);
  expect(nextRenewalMs(valid(365), ISSUED + 122 * DAY, 0)).toBe(0);
});

it('is renewed at once when it has ended, also long ago', () => {
  expect(nextRenewalMs(valid(90), ISSUED + 91 * DAY, 0.99)).toBe(0);
  expect(nextRenewalMs(valid(90), ISSUED + 4_000 * DAY, 0.99)).toBe(0);
});

it('spreads hosts of one day over some days, and looks at its clock every six hours', () => {
  expect(nextRenewalMs(valid(90), ISSUED + 30 * DAY, 0.99)).toBeGreaterThan(0);
  expect(nextRenewalMs(valid(90), ISSUED + 34.5 * DAY, 0.99)).toBe(0);
  expect(nextRenewalMs(valid(90), ISSUED, 0)).toBe(6 * 3_600_000);
  // 1970: the certificate is not valid yet, and nothing is renewed for that.
  expect(nextRenewalMs(valid(90), 0, 0)).toBe(6 * 3_600_000);
});

it('tries again soon, then seldom', () => {
  const waits = [1, 2, 3, 10].map((failed) => nextRenewalMs(valid(90, failed), ISSUED + 60 * DAY, 0.5));
  expect(waits).toEqual([45_000, 90_000, 180_000, 2_700_000]);
});
