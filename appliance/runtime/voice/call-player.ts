import type { Tone } from '../../alarm/protocol/tone/index.ts';
import type { Listening, Media } from '../../media/control/index.ts';
import type { RuntimePorts } from '../port.ts';
import type { DeviceCall } from './device-call.ts';
import { type DigitForm, phrasesOf } from './tone-phrase.ts';

interface PlayerPorts {
  readonly media: Pick<Media, 'play' | 'stop' | 'listen'>;
  readonly run: RuntimePorts['run'];
}

type Done = ReturnType<Media['stop']>;

/** What is said into the call of a device in tones, one thing at a time, and what is listened for. */
export class CallPlayer {
  readonly #call: DeviceCall;
  readonly #digits: DigitForm;
  readonly #ports: PlayerPorts;
  #plays = 0;
  #playing: string | undefined;
  /** The leg is gone and needs no more of us. */
  isOver = false;

  constructor(call: DeviceCall, digits: DigitForm, ports: PlayerPorts) {
    this.#call = call;
    this.#digits = digits;
    this.#ports = ports;
  }

  listen(listening: Listening): void {
    this.#ports.run(this.#done(this.#ports.media.listen(this.#call.leg, listening)));
  }

  /** Plays instead of what plays now; the name of it. */
  play(tones: readonly Tone[]): string {
    this.quiet();
    const play = `${this.#call.id} ${++this.#plays}`;
    this.#playing = play;
    this.#call.trace.add('tonePlayed', { tones });
    this.#call.onSaid(tones, this.#digits);
    const plan = { phrases: phrasesOf(tones, this.#digits), over: 'instead' } as const;
    this.#ports.run(this.#done(this.#ports.media.play(this.#call.leg, play, plan)));
    return play;
  }

  quiet(): void {
    const play = this.#playing;
    if (play === undefined) return;
    this.#playing = undefined;
    this.#ports.run(this.#done(this.#ports.media.stop(this.#call.leg, play)));
  }

  played(play: string): void {
    if (play === this.#playing) this.#playing = undefined;
  }

  /** What the media engine could not do is told in the trace. */
  async #done(work: Done): Promise<void> {
    const result = await work;
    if (result.ok || this.isOver) return;
    this.#call.trace.add('note', { text: `media: ${result.error.reason}` });
  }
}
