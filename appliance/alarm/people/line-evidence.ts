import type { AnswerSign } from '../../media/answer/index.ts';
import type { Listening, MediaEvent } from '../../media/control/index.ts';
import type { AnswerEvidence } from '../emergency-list/index.ts';

/**
 * Reports about the party that has answered. A detector of answering machines has this shape, too. It reports only what is
 * certain; without a report the callee counts as human.
 */
export interface AnswerWatch {
  /** An event of the audio of that leg. undefined: nothing is certain yet. */
  evidenceOf(event: MediaEvent): AnswerEvidence | undefined;
}

/** Special information tones (ITU-T E.180 6.3): three in this order, 330 ms each; and the answer of a fax (ITU-T T.30 4.1). */
const SIT_HZ: readonly number[] = [950, 1_400, 1_800];
const FAX_HZ = 2_100;

/** ITU-T E.180: each tone lasts 330 ms, 70 ms more or less; a telephone network may cut the first one short. */
const SIT_MS = { least: 150, most: 450 } as const;
/** `Chosen:` at most so long between two of them; E.180 allows 30 ms. */
const SIT_GAP_MS = 150;
/** The called tone of a fax lasts 2.6 s at least (ITU-T T.30 4.3.1). */
const FAX_MS = 1_500;

/** The second set (914, 1371 and 1777 Hz) lies within so much of the first. */
const OFF = 0.05;

const isAbout = (hz: number, wanted: number | undefined): boolean =>
  wanted !== undefined && Math.abs(hz - wanted) <= wanted * OFF;

/** The sounds that a leg of a callee is listened to for. */
export const CALLEE_LISTENING: Listening = {
  profile: 'ivr',
  digits: true,
  tones: [...SIT_HZ, FAX_HZ].map((hz) => ({ hz, deviation: OFF })),
  answer: true,
};

/**
 * Meaning of each sign of the audio. A line ends with busy, and with the beep of a mailbox whose long greeting was heard; everything
 * else asks for the key 1 only. `Chosen:` a beep alone is no end: kitchens and recorded lines beep, too.
 */
const MEANING: Readonly<Record<AnswerSign, AnswerEvidence>> = {
  busy: 'ended',
  ringback: 'machine',
  greeting: 'machine',
  beep: 'machine',
  greetingBeep: 'ended',
};

/** Hears the tones of a network, of a fax and of a machine. */
export class LineEvidence implements AnswerWatch {
  #next = 0;
  #endMs = 0;

  evidenceOf(event: MediaEvent): AnswerEvidence | undefined {
    if (event.kind === 'answerSign') return MEANING[event.sign];
    if (event.kind !== 'tone' || event.edge !== 'end') return undefined;
    const { frequencyHz: hz, durationMs = 0, atMs } = event;
    if (isAbout(hz, FAX_HZ)) return durationMs >= FAX_MS ? 'ended' : undefined;
    return this.#isSit(hz, durationMs, atMs) ? 'ended' : undefined;
  }

  #isSit(hz: number, durationMs: number, atMs: number): boolean {
    const isLate = this.#next > 0 && atMs - durationMs - this.#endMs > SIT_GAP_MS;
    const place = isLate || !isAbout(hz, SIT_HZ[this.#next]) ? 0 : this.#next;
    const isPart = isAbout(hz, SIT_HZ[place]) && durationMs >= SIT_MS.least && durationMs <= SIT_MS.most;
    this.#next = isPart ? place + 1 : 0;
    this.#endMs = atMs;
    return this.#next === SIT_HZ.length;
  }
}
