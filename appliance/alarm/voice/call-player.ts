import type { KernelPorts } from '../../kernel/port.ts';
import type { Listening, Media } from '../../media/control/index.ts';
import type { Tone } from '../protocol/tone/index.ts';
import type { DeviceCall } from './device-call.ts';
import { type DigitForm, phrasesOf } from './tone-phrase.ts';

interface PlayerPorts {
  readonly media: Pick<Media, 'play' | 'stop' | 'listen'>;
  readonly run: KernelPorts['run'];
}

type Done = ReturnType<Media['stop']>;

/** Between an acknowledge and what is said next: as between two digits, so that neither is heard as part of the other. */
const APART: Tone = { silenceMs: 100 };

/** Plays tones into the call of a device, one thing at a time, and says which signals are listened for. */
export class CallPlayer {
  readonly #call: DeviceCall;
  readonly #digits: DigitForm;
  readonly #ports: PlayerPorts;
  #plays = 0;
  #playing: string | undefined;
  /** Running tones are heard to their end; the next ones wait here. */
  #isToEnd = false;
  #next: { readonly play: string; readonly tones: readonly Tone[] } | undefined;
  /** The leg has ended and needs no more of us. */
  isOver = false;

  constructor(call: DeviceCall, digits: DigitForm, ports: PlayerPorts) {
    this.#call = call;
    this.#digits = digits;
    this.#ports = ports;
  }

  listen(listening: Listening): void {
    this.#ports.run(this.#done(this.#ports.media.listen(this.#call.leg, listening)));
  }

  /** Plays instead of what plays now, or behind it where that is heard `toEnd`: an acknowledge. The name of it. */
  play(tones: readonly Tone[], toEnd = false): string {
    const play = `${this.#call.id} ${++this.#plays}`;
    if (this.#playing !== undefined && this.#isToEnd && !toEnd)
      this.#next = { play, tones: [APART, ...tones] };
    else this.#begin(play, tones, toEnd);
    return play;
  }

  #begin(play: string, tones: readonly Tone[], toEnd: boolean): void {
    this.quiet();
    this.#playing = play;
    this.#isToEnd = toEnd;
    this.#call.trace.add('tonePlayed', { tones });
    this.#call.said.emit(tones, this.#digits);
    const plan = { phrases: phrasesOf(tones, this.#digits), over: 'instead' } as const;
    this.#ports.run(this.#done(this.#ports.media.play(this.#call.leg, play, plan), play));
  }

  quiet(): void {
    const play = this.#playing;
    if (play === undefined) return;
    this.#playing = undefined;
    this.#next = undefined;
    this.#ports.run(this.#done(this.#ports.media.stop(this.#call.leg, play)));
  }

  played(play: string): void {
    if (play !== this.#playing) return;
    this.#playing = undefined;
    const next = this.#next;
    this.#next = undefined;
    if (next !== undefined) this.#begin(next.play, next.tones, false);
  }

  /** Failures of the media engine go to the trace; nothing waits for tones that do not `play`. */
  async #done(work: Done, play = ''): Promise<void> {
    const result = await work;
    if (result.ok || this.isOver) return;
    this.#call.trace.add('note', { text: `media: ${result.error.reason}` });
    this.played(play);
  }
}
