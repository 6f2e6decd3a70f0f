import { type SelfTestCode, type SelfTestPoint, selfTestTexts } from '#shared/self-test/index.ts';

export type { SelfTestCode, SelfTestId, SelfTestPoint, SelfTestRecord } from '#shared/self-test/index.ts';

/** The result of a point: a value for the person, and where all is not well, the code of the advice. */
export interface Outcome {
  readonly verdict: SelfTestPoint['verdict'];
  readonly found: string;
  readonly code?: SelfTestCode | undefined;
}

export const good = (found: string): Outcome => ({ verdict: 'ok', found });
export const bad = (code: SelfTestCode, found: string): Outcome => ({ verdict: 'failure', found, code });
export const doubtful = (code: SelfTestCode, found: string): Outcome => ({ verdict: 'warning', found, code });
/** There is nothing to test; the code says why. */
export const skipped = (code: SelfTestCode): Outcome => ({
  verdict: 'skipped',
  found: selfTestTexts.en.codes[code],
  code,
});
