import type { SelfTestCode, SelfTestId } from './en.codes.ts';

/** The texts for a person about the points of a self-test, in one language. */
export interface SelfTestTexts {
  readonly points: Readonly<Record<SelfTestId, string>>;
  readonly codes: Readonly<Record<SelfTestCode, string>>;
}
