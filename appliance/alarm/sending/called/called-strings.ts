import type { MediaEvent } from '../../../media/control/index.ts';
import type { ProtocolEvent } from '../../protocol/index.ts';
import {
  listeningToneCall,
  type ProbeStep,
  type ReceivedTone,
  stepToneCall,
  type Tone,
  type ToneCall,
  type ToneEffect,
  type ToneInput,
  type ToneTimer,
} from '../../protocol/tone/index.ts';

export type CalledSound = Extract<MediaEvent, { kind: 'digit' | 'pause' }>;

export interface CalledStringsPorts {
  /** ms of the call. */
  readonly at: () => number;
  readonly play: (tones: readonly Tone[]) => void;
  /** `stored` follows. */
  readonly event: (said: ProtocolEvent) => void;
  readonly start: (timer: ToneTimer, ms: number) => void;
  readonly stop: (timer: ToneTimer) => void;
  readonly trace: (text: string) => void;
  /** The string is on the disk and is being acknowledged, or it could not be stored. */
  readonly taken: () => void;
  readonly notTaken: () => void;
}

/** Length and distance of the symbols of a string that another listener has heard already. */
const SYMBOL_MS = 80;

/**
 * Reads the strings of a device that we have called: a string with an alarm is an event like any other, stored before
 * it is acknowledged. The tone engine reads it without a question to the device.
 */
export class CalledStrings {
  readonly #ports: CalledStringsPorts;
  #tone: ToneCall;

  constructor(steps: readonly ProbeStep[], ports: CalledStringsPorts) {
    this.#ports = ports;
    this.#tone = listeningToneCall(steps);
  }

  /** A digit, or the length of a silence. */
  onSound(event: CalledSound): void {
    if (event.kind === 'pause')
      this.#step({ type: 'pause', at: this.#ports.at(), endMs: event.atMs, forMs: event.forMs });
    else this.#digit(event);
  }

  #digit({ digit, edge, atMs, durationMs: ms = 0, source }: MediaEvent & { readonly kind: 'digit' }): void {
    const at = this.#ports.at();
    if (edge === 'begin') this.#step({ type: 'began', at, digit });
    else this.#hear({ digit, startMs: atMs, ms, source: source === 'inband' ? 'inaudio' : '2833' });
  }

  /** A whole string that the machine of a controller has heard. */
  said(line: string): void {
    [...line].forEach((digit, place) => {
      this.#hear({ digit, startMs: place * 2 * SYMBOL_MS, ms: SYMBOL_MS, source: '2833' });
    });
  }

  timer(timer: ToneTimer): void {
    this.#step({ type: 'timer', at: this.#ports.at(), timer });
  }

  stored(ok: boolean, ordinal: number): void {
    this.#step({ type: ok ? 'stored' : 'storeFailed', at: this.#ports.at(), ordinal });
    if (!ok) this.#ports.notTaken();
  }

  hungUp(): void {
    this.#step({ type: 'hungUp', at: this.#ports.at() });
  }

  #hear(tone: ReceivedTone): void {
    this.#step({ type: 'heard', at: this.#ports.at(), tone });
  }

  #step(input: ToneInput): void {
    const { state, effects } = stepToneCall(this.#tone, input);
    this.#tone = state;
    for (const effect of effects) this.#perform(effect);
    const isAcknowledged = state.state === 'open' && !state.owed && state.taken.length > 0;
    if (isAcknowledged && effects.some(({ type }) => type === 'play')) this.#ports.taken();
  }

  #perform(effect: ToneEffect): void {
    const { play, event, start, stop, trace } = this.#ports;
    switch (effect.type) {
      case 'play':
        play(effect.tones);
        return;
      case 'event':
        event(effect);
        return;
      case 'startTimer':
        start(effect.timer, effect.ms);
        return;
      case 'stopTimer':
        stop(effect.timer);
        return;
      case 'trace':
        trace(effect.text);
        return;
      // No question was asked, so no answer is missing; the line was measured when the device called.
      case 'stopPlaying':
      case 'ready':
      case 'asked':
      case 'badString':
      case 'learned':
      case 'failed':
        return;
    }
  }
}
