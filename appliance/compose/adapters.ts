import { hash } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { randomPool } from '../io/crypto/index.ts';
import { openBootClock } from '../io/system/index.ts';

/** Version of this program, as status and enrolment say it. */
export const VERSION = '0.1.0';

/** Every engine gets these instead of the machine's own clock and randomness. */
const monoMs = (): number => performance.now();
const bootMs = openBootClock(monoMs);
export const clock: Clock = { wallMs: () => Date.now(), monoMs, ...(bootMs && { bootMs }) };
export const random = randomPool();
export const sha256Hex = (bytes: Uint8Array | string): string => hash('sha256', bytes);
