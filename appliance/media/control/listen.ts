import type { WantedTone } from '../dtmf/index.ts';

/** What is listened for on a leg; detectors run only while somebody listens. */
export interface Listening {
  /** `alarm` reports levels and twist and accepts a lower share of energy; `ivr` is for people who press keys. */
  readonly profile: 'alarm' | 'ivr';
  /** Report DTMF digits, in band and by event. */
  readonly digits: boolean;
  /** Single tones wanted beside them (1400, 2300, 1850 Hz, STMF …). */
  readonly tones: readonly WantedTone[];
}

/** Passing digits from one leg to the other of a connection: how the other side is told, with the measured length. */
export interface DigitRelay {
  readonly from: 'transparent' | 'rfc4733' | 'inband';
}
