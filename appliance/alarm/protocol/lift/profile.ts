import type { ToneProfile } from '../tone/index.ts';

/** P100. Guesses: who sends the start tone, failure codes but 100, the length of tones. */
export const P100_PROFILE: ToneProfile = {
  trigger: { send: [{ digit: 'D', ms: 100 }], waitBeforeMs: 1500, repeatEveryMs: 3000, max: 3 },
  collect: {
    start: 'D',
    end: '',
    alphabet: '0123456789ABCD*#',
    interDigitMs: 400,
    // Chosen: the pause between symbols, and 20 ms for those who make it longer.
    fullWaitMs: 120,
    maxToneMs: 2500,
    overallMs: 25_000,
    quietAfterBadMs: 10_000,
  },
  check: { policy: 'verify', method: 'sumHexByte', maxRejects: 3 },
  ack: [{ digit: 'A', ms: 100 }],
  nak: [{ digit: 'C', ms: 100 }],
  settleMs: 200,
};

/** CPC: start, end, check and acknowledge are not public. The lift speaks first and everything is captured. */
export interface CpcProfile extends ToneProfile {
  /** If several variants fit, the one whose identity has this many digits, then this order. */
  readonly idDigits: number;
  readonly variantOrder: readonly ('KONE' | 'AntennaExt' | 'Antenna')[];
}

export const CPC_PROFILE: CpcProfile = {
  trigger: { send: [], waitBeforeMs: 0, repeatEveryMs: 0, max: 0 },
  collect: {
    start: '',
    end: '',
    alphabet: '0123456789ABCD*#',
    interDigitMs: 600,
    maxToneMs: 2500,
    overallMs: 25_000,
    quietAfterBadMs: 10_000,
  },
  check: { policy: 'learn', method: 'none', maxRejects: 0 },
  ack: [],
  settleMs: 0,
  idDigits: 8,
  variantOrder: ['KONE', 'AntennaExt', 'Antenna'],
};
