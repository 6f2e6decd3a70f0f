import type { StreamEvent, StreamFormat, StreamId, StreamTrack } from '../control/index.ts';
import { MediaStreamWriter, readMessage, type ToProgram } from './media-stream-message.ts';
import { PlayQueue } from './play-queue.ts';
import { channelOf, SampleReader, SampleWriter } from './sample-format.ts';

/** A program may be this far behind; older audio is dropped. */
const MOST_BEHIND_MS = 1_000;
/** Chosen: a program that has taken nothing for so long has stalled. */
const STALLED_MS = 10_000;
/** Closing that a program means (RFC 6455 7.4.1): normal, going away, without a code. */
const MEANT = new Set([1_000, 1_001, 1_005]);

export interface StreamSessionSetting {
  readonly stream: StreamId;
  readonly format: StreamFormat;
  /** The side of each channel, in their order. */
  readonly tracks: readonly StreamTrack[];
  /** Length of each channel in one message, ms. */
  readonly chunkMs: number;
  /** The program may speak; absent: its audio is dropped. */
  readonly speech?: { readonly volumeDb: number };
}

/** The ways in which we end a stream. */
export type StopReason = 'stopped' | 'callEnded';

export type StreamInput =
  | { readonly kind: 'opened'; readonly wallMs: number }
  /** A chunk of every channel, one after another. */
  | { readonly kind: 'chunk'; readonly samples: Int16Array }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** A key was pressed. */
  | { readonly kind: 'digit'; readonly digit: string; readonly track: StreamTrack }
  /** The call has heard so many frames of the program. */
  | { readonly kind: 'heard'; readonly frames: number }
  /** Time passes. `blocked`: the program takes nothing now. */
  | { readonly kind: 'time'; readonly blocked: boolean }
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string; readonly wallMs: number }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'stop'; readonly why: StopReason; readonly wallMs: number };

export type StreamEffect =
  | { readonly kind: 'send'; readonly data: string | Uint8Array }
  | { readonly kind: 'close' }
  /** The call drops the frames that lie ahead. */
  | { readonly kind: 'clear' }
  | { readonly kind: 'event'; readonly event: StreamEvent };

type Timed = StreamInput & { readonly atMs: number };

/**
 * One stream to and from a program, without its socket.
 *
 * ```
 *   Connecting ──opened──▶ Open ──stop──▶ Over: stopped (stopped, callEnded)
 *       │                   ├──closed, and meant──▶ Over: stopped (closedByProgram)
 *       │                   └──closed otherwise, stalled, failed──▶ Over: failed
 *       ├──stop──▶ Over: stopped        └──closed, failed──▶ Over: failed
 *   Over: nothing is said any more; whatever comes is dropped
 * ```
 * It is never opened again: a program that speaks has lost what it was about to say.
 */
export class StreamSession {
  readonly #setting: StreamSessionSetting;
  readonly #writers: readonly SampleWriter[];
  readonly #reader: SampleReader;
  readonly #queue: PlayQueue;
  readonly #messages: MediaStreamWriter;
  #phase: 'Connecting' | 'Open' | 'Over' = 'Connecting';
  /** Chunks that wait for the program, the oldest first. */
  readonly #backlog: { readonly chunk: number; readonly samples: Int16Array }[] = [];
  #chunks = 0;
  #droppedMs = 0;
  #junk = 0;
  #receivedFrames = 0;
  #blockedSinceMs: number | undefined;

  constructor(setting: StreamSessionSetting) {
    const { format, tracks, speech } = setting;
    this.#setting = setting;
    this.#writers = tracks.map(() => new SampleWriter(format));
    this.#reader = new SampleReader(format);
    this.#queue = new PlayQueue(speech?.volumeDb);
    this.#messages = new MediaStreamWriter({ streamSid: setting.stream, ...format.names });
  }

  get isOver(): boolean {
    return this.#phase === 'Over';
  }

  /** One input to completion. */
  take(input: Timed): readonly StreamEffect[] {
    if (this.#phase === 'Over') return [];
    switch (input.kind) {
      case 'opened':
        return this.#opened(input.wallMs);
      case 'chunk':
        this.#chunk(input.samples);
        return [];
      case 'text':
        return this.#text(input.text, input.atMs);
      case 'bytes':
        this.#bytes(input.bytes, input.atMs);
        return [];
      case 'digit':
        return this.#phase === 'Open'
          ? this.#say({ event: 'dtmf', track: input.track, digit: input.digit })
          : [];
      case 'heard':
        this.#receivedFrames = input.frames;
        return this.#answer(this.#queue.reached(input.frames));
      case 'time':
        return this.#time(input);
      case 'closed':
        return this.#closed(input);
      case 'failed':
        return this.#fail(input.reason);
      case 'stop':
        return this.#stop(input.why, input.wallMs);
    }
  }

  /** The oldest audio that waits for the program; undefined: none, or the program is not there yet. */
  next(): readonly StreamEffect[] | undefined {
    const oldest = this.#phase === 'Open' ? this.#backlog.shift() : undefined;
    if (oldest === undefined) return undefined;
    const { tracks, format, chunkMs } = this.#setting;
    const payloads = this.#writers.map((writer, channel) =>
      writer.write(channelOf(oldest.samples, channel, tracks.length)),
    );
    if (format.framing === 'pcm') return [{ kind: 'send', data: Buffer.concat(payloads) }];
    return payloads.flatMap((payload, channel) => {
      const { chunk } = oldest;
      const track = tracks[channel] ?? 'inbound';
      return this.#say({ event: 'media', track, chunk, timestampMs: (chunk - 1) * chunkMs, payload });
    });
  }

  /** The next 20 ms of the program for the call; undefined: it says nothing now. */
  pull(atMs: number): Int16Array | undefined {
    return this.#phase === 'Open' ? this.#queue.pull(atMs) : undefined;
  }

  #opened(startTime: number): readonly StreamEffect[] {
    if (this.#phase !== 'Connecting') return [];
    this.#phase = 'Open';
    const { stream, tracks, format } = this.#setting;
    const event: StreamEvent = { kind: 'started', stream, startTime, channels: tracks.length };
    const { encoding, sampleRate, customParameters } = format;
    return [
      ...this.#say({ event: 'connected' }),
      ...this.#say({ event: 'start', tracks, mediaFormat: { encoding, sampleRate }, customParameters }),
      { kind: 'event', event },
    ];
  }

  /** PCM has no words of ours but marks, which its program has asked for. */
  #say(message: ToProgram): readonly StreamEffect[] {
    if (this.#setting.format.framing === 'pcm' && message.event !== 'mark') return [];
    return [{ kind: 'send', data: this.#messages.write(message) }];
  }

  #answer(marks: readonly string[]): readonly StreamEffect[] {
    return marks.flatMap((name) => this.#say({ event: 'mark', name }));
  }

  #chunk(samples: Int16Array): void {
    const { chunkMs } = this.#setting;
    this.#backlog.push({ chunk: ++this.#chunks, samples });
    while (this.#backlog.length > Math.max(1, MOST_BEHIND_MS / chunkMs)) {
      this.#backlog.shift();
      this.#droppedMs += chunkMs;
    }
  }

  #text(text: string, atMs: number): readonly StreamEffect[] {
    const message = this.#phase === 'Open' ? readMessage(text, this.#setting.stream) : undefined;
    if (message === undefined || this.#setting.speech === undefined) {
      this.#junk++;
      return [];
    }
    if (message.event === 'clear') return [{ kind: 'clear' }, ...this.#answer(this.#queue.clear())];
    if (message.event === 'media') {
      this.#queue.push(this.#reader.read(message.payload), atMs);
      return [];
    }
    return this.#queue.mark(message.name, this.#receivedFrames) ? [] : this.#answer([message.name]);
  }

  #bytes(bytes: Uint8Array, atMs: number): void {
    const { speech, format } = this.#setting;
    if (this.#phase === 'Open' && speech !== undefined && format.framing === 'pcm')
      this.#queue.push(this.#reader.read(bytes), atMs);
    else this.#junk++;
  }

  #time({ blocked, atMs }: Extract<Timed, { readonly kind: 'time' }>): readonly StreamEffect[] {
    if (!blocked) {
      this.#blockedSinceMs = undefined;
      return [];
    }
    this.#blockedSinceMs ??= atMs;
    return atMs - this.#blockedSinceMs < STALLED_MS
      ? []
      : this.#fail(
          `the program has taken no audio for ${STALLED_MS / 1_000} s; read the socket all the time`,
        );
  }

  #closed({ code, reason, wallMs }: Extract<Timed, { readonly kind: 'closed' }>): readonly StreamEffect[] {
    if (this.#phase === 'Open' && MEANT.has(code))
      return this.#over(this.#stopped('closedByProgram', wallMs));
    return this.#fail(reason);
  }

  #stop(why: StopReason, wallMs: number): readonly StreamEffect[] {
    const rest: StreamEffect[] = [];
    if (this.#phase === 'Open') {
      for (let more = this.next(); more !== undefined; more = this.next()) rest.push(...more);
      rest.push(...this.#answer(this.#queue.clear()), ...this.#say({ event: 'stop' }));
    }
    return [...rest, ...this.#over(this.#stopped(why, wallMs))];
  }

  #fail(reason: string): readonly StreamEffect[] {
    return this.#over({ kind: 'failed', stream: this.#setting.stream, reason, ...this.#figures });
  }

  #stopped(reason: StopReason | 'closedByProgram', stopTime: number): StreamEvent {
    return { kind: 'stopped', stream: this.#setting.stream, stopTime, reason, ...this.#figures };
  }

  #over(event: StreamEvent): readonly StreamEffect[] {
    this.#phase = 'Over';
    this.#backlog.length = 0;
    this.#queue.clear();
    return [{ kind: 'event', event }, { kind: 'close' }];
  }

  get #figures() {
    const refusedMs = Math.round(this.#queue.refusedMs);
    return {
      droppedMs: this.#droppedMs,
      reconnects: 0,
      ...(refusedMs > 0 && { refusedMs }),
      ...(this.#junk > 0 && { ignored: this.#junk }),
    };
  }
}
