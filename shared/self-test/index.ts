import { de } from './de.codes.ts';
import { en } from './en.codes.ts';
import { sv } from './sv.codes.ts';
import type { SelfTestTexts } from './text.ts';

export type { SelfTestCode, SelfTestId } from './en.codes.ts';
export type { FarEnd, HopEcho, TestAlarmResult, TrunkHostProbe } from './look.ts';
export { SELF_TEST_FILE, type SelfTestPoint, type SelfTestRecord } from './record.ts';

/** By language. */
export const selfTestTexts: Readonly<Record<'en' | 'sv' | 'de', SelfTestTexts>> = { en, sv, de };
