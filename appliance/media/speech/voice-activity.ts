import { FRAME_MS, levelOf } from '../audio/index.ts';

/** Chosen: speech is louder than the noise of the line by so much, dB; it goes on while it is 3 dB less. */
const ABOVE_NOISE_DB = 9;
const STILL_ABOVE_DB = 6;
/** Chosen: nothing softer is speech to a person, dBm0. */
const SOFTEST_DBM0 = -45;
/** Chosen: no line is louder without speech, dBm0; the first frames may be speech already. */
const LOUDEST_NOISE_DBM0 = -35;
/** Chosen: noise is followed upwards by so much a frame (2 dB a second), downwards at once. */
const RISE_DB = 0.04;
/** Chosen: speech begins when 6 frames of 10 are loud (120 ms): a click has 1 or 2. */
const WINDOW = 10;
const LOUD_ENOUGH = 6;

/**
 * Begin and end of speech, by the level of frames of 20 ms above the noise of the line.
 *
 *   quiet ── 6 of 10 frames loud ──▶ speaking ── endSilenceMs of quiet frames ──▶ quiet
 */
export class VoiceActivity {
  readonly #endFrames: number;
  readonly #window: boolean[] = [];
  #noiseDbm0 = LOUDEST_NOISE_DBM0;
  #speaking = false;
  #quietFrames = 0;

  constructor(endSilenceMs: number) {
    this.#endFrames = Math.max(1, Math.ceil(endSilenceMs / FRAME_MS));
  }

  push(frame: Int16Array): 'started' | 'ended' | undefined {
    const level = levelOf(frame);
    const loud = level > Math.max(SOFTEST_DBM0, this.#noiseDbm0 + ABOVE_NOISE_DB);
    const goesOn = level > Math.max(SOFTEST_DBM0, this.#noiseDbm0 + STILL_ABOVE_DB);
    this.#noiseDbm0 = Math.min(level, this.#noiseDbm0 + RISE_DB, LOUDEST_NOISE_DBM0);
    return this.#speaking ? this.#ending(goesOn) : this.#beginning(loud);
  }

  #beginning(loud: boolean): 'started' | undefined {
    this.#window.push(loud);
    if (this.#window.length > WINDOW) this.#window.shift();
    if (this.#window.filter(Boolean).length < LOUD_ENOUGH) return undefined;
    this.#window.length = 0;
    this.#speaking = true;
    this.#quietFrames = 0;
    return 'started';
  }

  #ending(goesOn: boolean): 'ended' | undefined {
    this.#quietFrames = goesOn ? 0 : this.#quietFrames + 1;
    if (this.#quietFrames < this.#endFrames) return undefined;
    this.#speaking = false;
    return 'ended';
  }
}
