import {
  initialToneCall,
  type ProbeStep,
  type ReceivedTone,
  stepToneCall,
  type Tone,
  type ToneCall,
  type ToneEffect,
  type ToneInput,
  type ToneTimer,
} from '#appliance/alarm/protocol/tone/index.ts';

/** Tones in short: digits as they are, with their length when it is not 80 ms. */
export const said = (tones: readonly Tone[]): string =>
  tones
    .map((tone) => {
      if ('silenceMs' in tone) return `(${tone.silenceMs})`;
      if ('stmf' in tone) return `stmf ${tone.digits}`;
      if ('digits' in tone) return tone.digits;
      return `${'digit' in tone ? tone.digit : `${tone.hz} Hz`} ${tone.ms}`;
    })
    .join(' ');

/** A call on a clock that the test sets: timers run, the disk obeys, everything said is written down with its time. */
export class CallRoom {
  call: ToneCall;
  now = 0;
  disk: 'stores' | 'fails' | 'waits' = 'stores';
  readonly effects: ToneEffect[] = [];
  /** `[ms, tones]` of everything we played. */
  readonly played: [number, string][] = [];
  readonly #timers = new Map<ToneTimer, number>();

  constructor(steps: readonly ProbeStep[], setting: { readonly listenMs?: number } = {}) {
    this.call = initialToneCall(steps, setting);
    this.input({ type: 'answered', at: 0 });
  }

  input(input: ToneInput): void {
    const { state, effects } = stepToneCall(this.call, input);
    this.call = state;
    for (const effect of effects) this.#perform(effect);
  }

  /** Time passes; timers fire in their order. */
  run(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const [first] = [...this.#timers].sort((a, b) => a[1] - b[1]);
      if (first === undefined || first[1] > until) break;
      this.#timers.delete(first[0]);
      this.now = first[1];
      this.input({ type: 'timer', at: this.now, timer: first[0] });
    }
    this.now = until;
  }

  /** The device sends digits, 80 ms on and off by default. */
  send(
    line: string,
    given: { readonly onMs?: number; readonly offMs?: number; readonly began?: boolean } = {},
  ): void {
    const { onMs = 80, offMs = 80, began = true } = given;
    for (const digit of line) {
      this.tone({ digit, ms: onMs }, began);
      this.run(offMs);
    }
  }

  tone(
    { digit, ms, source = 'inaudio' }: Pick<ReceivedTone, 'digit' | 'ms'> & Partial<ReceivedTone>,
    began = true,
  ): void {
    const startMs = this.now;
    if (began) this.input({ type: 'began', at: this.now, digit });
    this.run(ms);
    this.input({ type: 'heard', at: this.now, tone: { digit, ms, startMs, source } });
  }

  of<T extends ToneEffect['type']>(type: T): Extract<ToneEffect, { type: T }>[] {
    return this.effects.filter((one): one is Extract<ToneEffect, { type: T }> => one.type === type);
  }

  #perform(effect: ToneEffect): void {
    this.effects.push(effect);
    if (effect.type === 'startTimer') this.#timers.set(effect.timer, this.now + effect.ms);
    if (effect.type === 'stopTimer') this.#timers.delete(effect.timer);
    if (effect.type === 'play') this.played.push([this.now, said(effect.tones)]);
    if (effect.type === 'event' && this.disk !== 'waits') {
      const type = this.disk === 'stores' ? 'stored' : 'storeFailed';
      this.input({ type, at: this.now, ordinal: effect.ordinal });
    }
  }
}
