import { uuid } from '#shared/id.ts';
import type { TranscriptEvent, TranscriptId } from '../../media/control/index.ts';
import type { Transcript, TranscriptLine } from '../../media/recording/index.ts';
import { LegTap } from './leg-tap.ts';
import type { SoundDependencies } from './port.ts';
import type { Channel, Hearing, HearRequest } from './sound.ts';

const NO_RECOGNISER = 'this host has no recogniser; name a file of recognisers in CARILLON_RECOGNISERS';

type Dependencies = Pick<SoundDependencies, 'media' | 'random' | 'run' | 'speech' | 'turn'>;

/** The speech of legs to the thread that recognises it. */
export class LegHearings {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  hear({ leg, onEvent, ...request }: HearRequest): Hearing {
    const { speech, random, run, turn } = this.#dependencies;
    if (speech === undefined) {
      onEvent({ kind: 'ended', result: { reason: 'error', error: NO_RECOGNISER } });
      return { stop: () => undefined };
    }
    const hearing = uuid(random(16));
    const tap = new LegTap(this.#dependencies, `speech ${hearing}`, [[leg]], 'said');
    const [input] = tap.rings;
    if (input === undefined) throw new Error('a tap of one channel has one ring');
    tap.begin();
    speech.start({ hearing, input, request }, (event) =>
      turn(() => {
        if (event.kind === 'ended') run(tap.end());
        onEvent(event);
      }),
    );
    return {
      stop: () => {
        run(tap.end());
        speech.stop(hearing);
      },
    };
  }
}

/** Chosen: words of one recording, characters, and its utterances: three hours of quick speech. */
const MOST_CHARS = 200_000;
const MOST_LINES = 5_000;
/** Chosen: an utterance has 15 s; what a service says beyond that is none. */
const MOST_PARTIAL_CHARS = 1_000;

/** The transcript of a recording that runs. */
export interface LiveTranscript {
  readonly lines: readonly TranscriptLine[];
  /** The words so far of what is being spoken, one for each channel at most. */
  readonly partials: readonly Pick<TranscriptLine, 'channel' | 'offsetMs' | 'text'>[];
  readonly missed: number;
  /** Why the last of them is missing. */
  readonly error?: string;
}

/** The words of one recording, as the thread of speech tells them. */
class RecordingTranscript {
  readonly ended = Promise.withResolvers<void>();
  readonly #lines: TranscriptLine[] = [];
  readonly #partials = new Map<number, LiveTranscript['partials'][number]>();
  #chars = 0;
  #missed = 0;
  #error: string | undefined;

  onTranscript(event: TranscriptEvent): void {
    if (event.kind === 'ended') this.ended.resolve();
    else if (event.kind === 'line') this.#add(event.line);
    else if (event.kind === 'missed') {
      this.#partials.delete(event.channel);
      this.miss(event.error);
    } else {
      const { channel, offsetMs, text } = event;
      if (text === '') this.#partials.delete(channel);
      else this.#partials.set(channel, { channel, offsetMs, text: text.slice(-MOST_PARTIAL_CHARS) });
    }
  }

  miss(error: string): void {
    this.#missed++;
    this.#error = error;
  }

  get live(): LiveTranscript {
    return { ...this.whole, partials: [...this.#partials.values()] };
  }

  get whole(): Transcript {
    const error = this.#error;
    return { lines: [...this.#lines], missed: this.#missed, ...(error !== undefined && { error }) };
  }

  #add(line: TranscriptLine): void {
    this.#partials.delete(line.channel);
    this.#chars += line.text.length;
    if (this.#chars > MOST_CHARS || this.#lines.length >= MOST_LINES) this.miss('the transcript is full');
    else this.#lines.push(line);
  }
}

/** A recording and its words. */
export interface TranscriptHandle {
  readonly live: () => LiveTranscript;
  change(channels: readonly Channel[]): void;
  /** Speech from now on does not belong to the recording, until it is paused no longer. */
  pause(isPaused: boolean): void;
  /** The whole, when what was said is recognised. It takes 10 s at most. */
  end(): Promise<Transcript>;
  drop(): void;
}

/** The words of recordings: a tap of their channels, to the thread that recognises speech. */
export class LegTranscripts {
  readonly #dependencies: Dependencies;
  /** Those that are heard, with what gives them up. */
  readonly #running = new Map<TranscriptId, () => void>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Undefined: no recogniser of this host transcribes recordings. */
  begin(channels: readonly Channel[]): TranscriptHandle | undefined {
    const { speech, random, run, turn } = this.#dependencies;
    if (speech?.transcribes !== true) return undefined;
    const id = uuid(random(16));
    // The phrases that a leg hears are known: what the participants say is not.
    const tap = new LegTap(this.#dependencies, `transcript ${id}`, channels, 'said');
    const words = new RecordingTranscript();
    tap.begin();
    speech.transcribe({ transcript: id, inputs: tap.rings }, (event) =>
      turn(() => words.onTranscript(event)),
    );
    const finish = async (): Promise<void> => {
      this.#running.delete(id);
      await tap.end();
      speech.finish(id);
    };
    this.#running.set(id, () => {
      words.miss('this host was overloaded');
      run(finish());
    });
    return {
      live: () => words.live,
      change: (others) => {
        if (this.#running.has(id)) tap.change(others);
      },
      pause: (isPaused) => tap.pause(isPaused),
      end: async () => {
        await finish();
        await words.ended.promise;
        return words.whole;
      },
      drop: () => {
        this.#running.delete(id);
        run(tap.end());
        speech.drop(id);
      },
    };
  }

  /** Our own load is too much: recordings go on without their words. */
  shed(): void {
    for (const give of [...this.#running.values()]) give();
  }
}
