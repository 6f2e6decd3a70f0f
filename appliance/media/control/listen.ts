import type { StmfTimes, WantedTone } from '../dtmf/index.ts';

/** The sounds to listen for on a leg; detectors run only while a listener is there. */
export interface Listening {
  /** `alarm` reports levels and twist and accepts a lower share of energy; `ivr` is for people who press keys. */
  readonly profile: 'alarm' | 'ivr';
  /** Report DTMF digits, in band and by event. */
  readonly digits: boolean;
  /** Single tones wanted beside them (1400, 2300, 1850 Hz …). */
  readonly tones: readonly WantedTone[];
  /** Report digits in sequential tones, too, said about so; absent: no peer says any. */
  readonly stmf?: StmfTimes;
  /** Report signs of a network or a machine that has answered. The first digit that is heard ends this: a person pressed it. */
  readonly answer?: boolean;
}

/**
 * Passing digits from one leg to the other of a connection, in one of these forms.
 *
 * `transparent` (the default): tones pass in the audio; events go on as events, or as tones where none are agreed.
 * `rfc4733`: tones and events become events of the measured length, the tones are taken out of the audio; in band where
 * no events are agreed. `inband`: tones pass in the audio, events become tones of the measured length. `none`: digits are taken
 * out and reported to listeners only.
 */
export interface DigitRelay {
  readonly as: 'transparent' | 'rfc4733' | 'inband' | 'none';
}
