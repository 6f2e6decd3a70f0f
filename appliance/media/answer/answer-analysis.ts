import { dbm0OfPower, FRAME_MS, FRAME_SAMPLES, SILENCE_DBM0 } from '../audio/index.ts';
import { BeepWatch } from './beep-watch.ts';
import { GreetingWatch } from './greeting-watch.ts';
import { ProgressTones } from './progress-tones.ts';
import { type Sinusoid, strongestSine } from './pure-tone.ts';

/**
 * A sign about the party that has answered. `busy`, `ringback`: call progress tones of a country. `greeting`: long speech without a
 * pause. `beep`: a single tone with a pause behind it; `greetingBeep`: the same, behind a long greeting.
 */
export type AnswerSign = 'busy' | 'ringback' | 'greeting' | 'beep' | 'greetingBeep';

/** `Chosen:` quieter frames are no speech and no tone, dBm0. Speech of a telephone lies from −35 to −10. */
const FLOOR_DBM0 = -42;
/** `Chosen:` the callee is no quieter than this below its own loudest sound; a television in the room is, dB. */
const BELOW_LOUDEST_DB = 20;
/** The loudest sound is forgotten slowly, dB in each frame: 1 dB/s. */
const FORGET_DB = 0.02;
/**
 * `Chosen:` speech rises so far above the quietest sound of the last seconds, dB; the noise of a street and of an engine does not. That
 * level follows a louder room by 6 dB/s (in dB each frame), and begins no lower than this (dBm0).
 */
const ABOVE_NOISE_DB = 8;
const NOISE_RISE_DB = 0.12;
const LEAST_NOISE_DBM0 = -60;
/** `Chosen:` line echo lies at least this far below what we say (ITU-T G.168 expects 6 dB of the hybrid and cancels more), dB. */
const ECHO_LOSS_DB = 15;
/** `Chosen:` echo comes within this time, in frames. */
const ECHO_FRAMES = 15;
/** `Chosen:` speech and beeps mean a machine in this time from the answer only, ms; later they are a conversation. */
const SPEECH_MS = 30_000;

/**
 * Analysis of an answered call (call progress analysis, answering machine detection) from its audio, 20 ms after 20 ms. It reports
 * only what is rather certain: without a sign the callee is a person.
 */
export class AnswerAnalysis {
  readonly #emit: (sign: AnswerSign, atMs: number) => void;
  readonly #tones = new ProgressTones();
  readonly #beep = new BeepWatch();
  readonly #greeting = new GreetingWatch();
  readonly #sine: Sinusoid = { hz: 0, share: 0 };
  #ms = 0;
  #loudestDbm0 = SILENCE_DBM0;
  #noiseDbm0 = 0;
  #echoDbm0 = SILENCE_DBM0;
  #echoFrames = 0;

  /** @param emit with the time since the begin of the analysis */
  constructor(emit: (sign: AnswerSign, atMs: number) => void) {
    this.#emit = emit;
  }

  /** Level of what we have sent in this tick: as loud as that less the loss of the line it may come back. */
  sent(dbm0: number): void {
    const echo = dbm0 - ECHO_LOSS_DB;
    if (echo < this.#echoDbm0 && --this.#echoFrames > 0) return;
    this.#echoDbm0 = echo;
    this.#echoFrames = ECHO_FRAMES;
  }

  /** The next 20 ms of the callee. @param speaks the peer has sent audio @param lost the frame is made up, and says nothing */
  push(frame: Int16Array, speaks: boolean, lost: boolean): void {
    this.#ms += FRAME_MS;
    if (lost) return;
    const energy = speaks ? energyOf(frame) : 0;
    const dbm0 = dbm0OfPower(energy / FRAME_SAMPLES);
    this.#loudestDbm0 = Math.max(dbm0, this.#loudestDbm0 - FORGET_DB);
    this.#noiseDbm0 = Math.min(this.#noiseDbm0 + NOISE_RISE_DB, Math.max(dbm0, LEAST_NOISE_DBM0));
    const isQuiet = dbm0 < FLOOR_DBM0 || dbm0 < this.#loudestDbm0 - BELOW_LOUDEST_DB || dbm0 < this.#echoDbm0;
    const sine = this.#sine;
    if (!isQuiet) strongestSine(frame, sine);
    const tone = this.#tones.push(frame, sine.hz, energy, isQuiet);
    if (tone !== undefined) this.#emit(tone, this.#ms);
    if (this.#ms <= SPEECH_MS) this.#speech(dbm0, isQuiet);
  }

  #speech(dbm0: number, isQuiet: boolean): void {
    const agoMs = this.#beep.push(this.#sine.hz, this.#sine.share, dbm0, isQuiet);
    const isOther = isQuiet || this.#tones.isTone || this.#beep.isTone;
    const speaks = !isOther && dbm0 >= this.#noiseDbm0 + ABOVE_NOISE_DB;
    if (this.#greeting.push(speaks, dbm0)) this.#emit('greeting', this.#ms);
    if (agoMs === undefined) return;
    this.#emit(this.#greeting.endsWithBeep(agoMs) ? 'greetingBeep' : 'beep', this.#ms);
  }
}

function energyOf(frame: Int16Array): number {
  let sum = 0;
  for (let n = 0; n < frame.length; n++) sum += (frame[n] ?? 0) * (frame[n] ?? 0);
  return sum;
}
