/** One part of a call progress tone: what sounds together, and for how long; no frequency is a pause. */
export interface CadencePart {
  readonly hz: readonly number[];
  readonly ms: number;
}

const on = (ms: number, ...hz: number[]): CadencePart => ({ hz, ms });
const off = (ms: number): CadencePart => ({ hz: [], ms });

/** Call progress tones of a country, one period each. */
export interface CountryCadence {
  readonly ringback: readonly CadencePart[];
  readonly busy: readonly CadencePart[];
}

/**
 * By ISO 3166 code. Basis: the list of national tones that the ITU publishes with E.180 (state of 2003, as open telephone
 * exchanges quote it), and for GB the British SIN 350. Networks allow some 10 % around each value; where a list names
 * variants (450 Hz, other busy tones of older exchanges) the usual one stands here.
 */
export const CADENCES: Readonly<Record<string, CountryCadence>> = {
  BE: { ringback: [on(1_000, 425), off(3_000)], busy: [on(500, 425), off(500)] },
  DE: { ringback: [on(1_000, 425), off(4_000)], busy: [on(480, 425), off(480)] },
  DK: { ringback: [on(1_000, 425), off(4_000)], busy: [on(500, 425), off(500)] },
  FI: { ringback: [on(1_000, 425), off(4_000)], busy: [on(300, 425), off(300)] },
  FR: { ringback: [on(1_500, 440), off(3_500)], busy: [on(500, 440), off(500)] },
  GB: {
    ringback: [on(400, 400, 450), off(200), on(400, 400, 450), off(2_000)],
    busy: [on(375, 400), off(375)],
  },
  NL: { ringback: [on(1_000, 425), off(4_000)], busy: [on(500, 425), off(500)] },
  NO: { ringback: [on(1_000, 425), off(4_000)], busy: [on(500, 425), off(500)] },
  SE: { ringback: [on(1_000, 425), off(5_000)], busy: [on(250, 425), off(250)] },
  US: { ringback: [on(2_000, 440, 480), off(4_000)], busy: [on(500, 480, 620), off(500)] },
};
