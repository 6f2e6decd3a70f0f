/** The demands of a DTMF detector. Limits are those of the tables in the README; see there for what each row heard. */
export interface DetectorProfile {
  /** The least part of all energy in a window that the two tones must hold. */
  readonly energyShare: number;
  /** The least mean of that part over the windows that begin a digit. */
  readonly beginShare: number;
  /** Most difference between the groups, both ways. */
  readonly twistDb: number;
  /** How far below its winner every other tone of a group must lie. */
  readonly groupGapDb: number;
  /** The weaker tone must reach this. */
  readonly floorDbm0: number;
  /** Accepted deviation of each tone; between 1.5 % (must accept) and 3.5 % (must reject). */
  readonly deviation: number;
  /** Windows in a row that begin a digit, and misses that end it. */
  readonly hitsToBegin: number;
  readonly missesToEnd: number;
  /** Shorter sounds are no digit: above 23 ms (must reject), below 40 ms (must accept). */
  readonly minMs: number;
}

const LIMITS = {
  twistDb: 10,
  groupGapDb: 6,
  floorDbm0: -36,
  beginShare: 0.83,
  hitsToBegin: 4,
  missesToEnd: 5,
  minMs: 27,
} as const;

/** Alarm calls: a device speaks, with room noise behind it. */
export const ALARM_PROFILE: DetectorProfile = { ...LIMITS, energyShare: 0.75, deviation: 0.021 };

/** Dialogues with people: speech must not look like digits. */
export const IVR_PROFILE: DetectorProfile = { ...LIMITS, energyShare: 0.8, deviation: 0.02 };
