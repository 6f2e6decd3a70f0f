import { FRAME_SAMPLES, type RingMemory, RingReader } from '../../media/audio/index.ts';
import type { SpeechResult, TranscriptEvent } from '../../media/control/index.ts';
import { SpokenChannel, type SpokenEvent } from '../../media/speech/index.ts';
import type { LiveUtterance, RecognitionOrder } from './recognition-order.ts';

/** Chosen: recognisers have so long for an utterance, and for what is open at the end of a recording, ms. */
const ANSWER_MS = 10_000;
/** Chosen: utterances of a channel that wait for an answer; recognisers that are slower than speech miss the others. */
const MOST_OPEN = 8;

interface Channel {
  readonly index: number;
  readonly reader: RingReader;
  readonly spoken: SpokenChannel;
  live: LiveUtterance | undefined;
  /** Utterances are answered in their order: each waits for the one before. */
  last: Promise<void>;
  open: number;
}

/**
 * One recording as text:
 *
 *   ring of a channel ─ frames ─▶ SpokenChannel ─ began, spoken ─▶ live recogniser ─▶ partial
 *                                            └─── ended ─▶ its answer, or that of all recognisers ─▶ line │ missed
 */
export class Transcription {
  readonly #recognition: Pick<RecognitionOrder, 'live' | 'recognise'>;
  readonly #tell: (event: TranscriptEvent) => void;
  readonly #channels: readonly Channel[];
  readonly #stop = new AbortController();
  readonly #frame = new Int16Array(FRAME_SAMPLES);

  constructor(
    inputs: readonly RingMemory[],
    recognition: Pick<RecognitionOrder, 'live' | 'recognise'>,
    tell: (event: TranscriptEvent) => void,
  ) {
    this.#recognition = recognition;
    this.#tell = (event) => this.#stop.signal.aborted || tell(event);
    this.#channels = inputs.map((ring, index) => ({
      index,
      reader: new RingReader(ring),
      spoken: new SpokenChannel(),
      live: undefined,
      last: Promise.resolve(),
      open: 0,
    }));
  }

  /** Takes what the rings hold. */
  look(): void {
    for (const channel of this.#channels)
      for (;;) {
        const tick = channel.reader.read(this.#frame);
        if (tick === undefined) break;
        this.#take(channel, channel.spoken.push(this.#frame, tick));
      }
  }

  /** Takes the rest; resolves when everything that was said is answered, or the time for it is over. */
  async finish(): Promise<void> {
    this.look();
    for (const channel of this.#channels) this.#take(channel, channel.spoken.cut());
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(() => over.resolve(), ANSWER_MS);
    await Promise.race([Promise.all(this.#channels.map(({ last }) => last)), over.promise]);
    clearTimeout(timer);
    this.#tell({ kind: 'ended' });
    this.drop();
  }

  /** No event follows. */
  drop(): void {
    this.#stop.abort(new Error('the transcript is not wanted any more'));
    for (const { live } of this.#channels) live?.cancel();
  }

  #take(channel: Channel, event: SpokenEvent | undefined): void {
    if (event === undefined) return;
    const { index } = channel;
    if (event.kind === 'began') {
      const { offsetMs } = event;
      channel.live = this.#recognition.live((text) =>
        this.#tell({ kind: 'partial', channel: index, offsetMs, text }),
      );
      channel.live?.push(event.samples);
    } else if (event.kind === 'spoken') channel.live?.push(event.samples);
    else this.#ended(channel, event);
  }

  #ended(channel: Channel, event: Extract<SpokenEvent, { readonly kind: 'ended' }>): void {
    const { live, index } = channel;
    channel.live = undefined;
    if (channel.open >= MOST_OPEN) {
      live?.cancel();
      this.#tell({ kind: 'missed', channel: index, error: 'the recognisers are slower than the speech' });
      return;
    }
    channel.open++;
    const answer = this.#answer(live, event.samples);
    channel.last = Promise.all([answer, channel.last]).then(([result]) => {
      channel.open--;
      this.#onResult(index, event, result);
    });
  }

  async #answer(live: LiveUtterance | undefined, samples: Int16Array): Promise<SpeechResult> {
    const result = await live?.end();
    if (result !== undefined) return result;
    const audio = { samples, language: undefined, hints: [] };
    const request = { answerMs: ANSWER_MS, leastConfidence: 0, transcribes: true } as const;
    return await this.#recognition.recognise(audio, request, this.#stop.signal);
  }

  #onResult(
    channel: number,
    { offsetMs, durationMs }: Extract<SpokenEvent, { readonly kind: 'ended' }>,
    { reason, text = '', confidence, recogniser, error }: SpeechResult,
  ): void {
    if (reason === 'error') {
      this.#tell({ kind: 'missed', channel, error: error ?? 'no recogniser has answered' });
      return;
    }
    // Noise, or a cough: there is nothing to write down, and the words so far are void.
    if (text === '') this.#tell({ kind: 'partial', channel, offsetMs, text: '' });
    else
      this.#tell({
        kind: 'line',
        line: {
          ...{ channel, offsetMs, durationMs, text },
          ...(confidence !== undefined && { confidence }),
          ...(recogniser !== undefined && { recogniser }),
        },
      });
  }
}
