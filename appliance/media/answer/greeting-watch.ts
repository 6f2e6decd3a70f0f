import { FRAME_MS } from '../audio/index.ts';

/** `Chosen:` a person who has said a word waits this long for an answer; a greeting pauses for less between its sentences, ms. */
const PAUSE_MS = 1_000;
/** `Chosen:` a person says a name, and hears; 3 s of speech without that pause are a greeting, or a person who is asked for the key. */
const GREETING_MS = 3_000;
/** `Chosen:` no person opens a call with 5 s of speech; a beep behind that much belongs to a machine. */
const LONG_GREETING_MS = 5_000;
/** `Chosen:` shorter sounds are a click, a cough, a handset that is lifted, ms. */
const SOUND_MS = 160;
/** `Chosen:` a sound so far above the begin of the stretch is the callee; what was heard before it was the room, dB. */
const LOUDER_DB = 12;
/** `Chosen:` so much of it is speech; the rest is pauses between words. */
const SPEECH_PART = 0.4;
/** `Chosen:` a beep follows its greeting within this time, ms. */
const BEEP_AFTER_MS = 2_000;
/** `Chosen:` a greeting begins within this time of the answer; later speech is a conversation, ms. */
const LATEST_BEGIN_MS = 5_000;

/**
 * The cadence of what is said first: one long stretch of speech is a greeting, a word and a pause are a person.
 *
 * ```
 *   waiting --speech--> talking --3 s--> greeting (reported) --pause of 1 s--> over: a beep within 2 s is that of the greeting
 *                       talking --pause of 1 s before--> over: a person
 * ```
 */
export class GreetingWatch {
  #nowMs = 0;
  #beganMs = Number.NaN;
  #beganDbm0 = 0;
  #lastMs = 0;
  #speechMs = 0;
  #isOver = false;
  #isReported = false;

  /** The next 20 ms: whether the callee speaks, and how loud. Answers true once, when it is a greeting. */
  push(speaks: boolean, dbm0: number): boolean {
    this.#nowMs += FRAME_MS;
    if (this.#isOver) return false;
    if (!speaks) {
      this.#pause();
      return false;
    }
    if (Number.isNaN(this.#beganMs)) {
      if (this.#nowMs > LATEST_BEGIN_MS) {
        this.#isOver = true;
        return false;
      }
      this.#begin(dbm0);
    } else if (!this.#isReported && dbm0 > this.#beganDbm0 + LOUDER_DB) this.#begin(dbm0);
    this.#lastMs = this.#nowMs;
    this.#speechMs += FRAME_MS;
    const isGreeting = this.#lengthMs >= GREETING_MS && this.#speechMs >= this.#lengthMs * SPEECH_PART;
    if (!isGreeting || this.#isReported) return false;
    this.#isReported = true;
    return true;
  }

  /** Whether a beep that began so long ago is that of a long greeting. */
  endsWithBeep(agoMs: number): boolean {
    if (!this.#isReported || this.#lengthMs < LONG_GREETING_MS) return false;
    const afterMs = this.#nowMs - agoMs - this.#lastMs;
    return afterMs <= BEEP_AFTER_MS;
  }

  get #lengthMs(): number {
    return this.#lastMs - this.#beganMs;
  }

  #begin(dbm0: number): void {
    this.#beganMs = this.#nowMs - FRAME_MS;
    this.#beganDbm0 = dbm0;
    this.#speechMs = 0;
  }

  #pause(): void {
    if (Number.isNaN(this.#beganMs) || this.#nowMs - this.#lastMs < PAUSE_MS) return;
    if (this.#lengthMs >= SOUND_MS) {
      this.#isOver = true;
      return;
    }
    this.#beganMs = Number.NaN;
  }
}
