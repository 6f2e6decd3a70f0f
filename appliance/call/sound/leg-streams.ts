import { MEDIA_STREAM_EVENTS, type ProgramStream } from '#shared/contract/callback/index.ts';
import { uuid } from '#shared/id.ts';
import { ok, type Result } from '#shared/result.ts';
import type { MediaEvent, StreamEvent, StreamId, StreamTrack } from '../../media/control/index.ts';
import { LegTap } from './leg-tap.ts';
import { LegVoice } from './leg-voice.ts';
import type { SoundDependencies } from './port.ts';
import type { Channel, LiveStream, StreamProgress, StreamRequest } from './sound.ts';

interface Streaming {
  readonly tap: LegTap;
  readonly voice: LegVoice | undefined;
  readonly request: StreamRequest;
}

/**
 * Legs live to WebSockets. A stream that only listens is the first thing given up when media is late, and so is every stream beside
 * an alarm; a program that speaks in another call is a participant, and the last one.
 */
export class LegStreams {
  readonly #dependencies: SoundDependencies;
  readonly #streams = new Map<StreamId, Streaming>();

  constructor(dependencies: SoundDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#streams.size;
  }

  stream(request: StreamRequest): Result<LiveStream> {
    const { streamId = uuid(this.#dependencies.random(16)), speech } = request;
    // Two channels are heard in step; one is heard as soon as it arrives.
    const of = request.channels.length === 1 ? 'arriving' : 'said';
    const tap = new LegTap(this.#dependencies, `stream ${streamId}`, request.channels, of);
    const voice = speech && new LegVoice(this.#dependencies, `stream ${streamId}`, speech);
    this.#streams.set(streamId, { tap, voice, request });
    tap.begin();
    const { streamer, run, turn } = this.#dependencies;
    const { url, headers, trustSelfSigned, chunkDuration, format, tracks } = request;
    const setting = {
      stream: streamId,
      url,
      inputs: tap.rings,
      ...(headers && { headers }),
      ...(trustSelfSigned !== undefined && { trustSelfSigned }),
      ...(chunkDuration !== undefined && { chunkDuration }),
      ...(format && { format }),
      ...(tracks && { tracks }),
      ...(speech && voice && { speech: { volumeDb: speech.volumeDb, outputs: voice.begin() } }),
    };
    run(
      streamer.start(setting).then((started) => {
        if (!started.ok) turn(() => this.#failed(streamId, started.error.reason));
      }),
    );
    return ok({
      streamId,
      change: (channels, hearers) => {
        tap.change(channels);
        const outputs = hearers && this.#streams.has(streamId) ? voice?.change(hearers) : undefined;
        if (outputs !== undefined) run(streamer.speakTo(streamId, outputs));
      },
      digit: (digit, track) => run(streamer.digit(streamId, digit, track)),
      stop: (why) => run(this.#stop(streamId, why)),
    });
  }

  /** From the streamer's thread. */
  onStreamEvent(event: StreamEvent): void {
    const streaming = this.#streams.get(event.stream);
    if (streaming === undefined) return;
    if (event.kind !== 'started') this.#drop(event.stream);
    streaming.request.onEvent(progressOf(event));
  }

  onMediaEvent(event: MediaEvent): void {
    if (event.kind !== 'lost') return;
    for (const [id, { tap }] of this.#streams)
      if (tap.hears(event.legs)) this.#giveUp(id, 'the media of the call was lost');
  }

  /** Our own load is too much: calls are worth more than their copies, and than those that are no persons. */
  shed(which: 'listening' | 'speaking'): void {
    for (const [id, { voice, request }] of [...this.#streams])
      if ((voice !== undefined && request.goesFirst !== true) === (which === 'speaking'))
        this.#giveUp(id, 'this machine has too much to do; running calls go before streams');
  }

  async #stop(id: StreamId, why: 'stopped' | 'callEnded' = 'stopped'): Promise<void> {
    await this.#streams.get(id)?.tap.end();
    await this.#dependencies.streamer.stop(id, why);
  }

  #giveUp(id: StreamId, reason: string): void {
    this.#failed(id, reason);
    this.#dependencies.run(this.#dependencies.streamer.stop(id));
  }

  #failed(id: StreamId, reason: string): void {
    const streaming = this.#streams.get(id);
    this.#drop(id);
    streaming?.request.onEvent({ kind: 'failed', reason, droppedMs: 0, reconnects: 0 });
  }

  #drop(id: StreamId): void {
    const streaming = this.#streams.get(id);
    this.#streams.delete(id);
    if (streaming === undefined) return;
    streaming.voice?.end();
    this.#dependencies.run(streaming.tap.end());
  }
}

function progressOf(event: StreamEvent): StreamProgress {
  const { stream: _, ...progress } = event;
  return progress;
}

/** The call of a stream, beside the words of its target. */
export interface StreamSource {
  readonly streamId: string;
  readonly channels: readonly Channel[];
  readonly tracks: readonly StreamTrack[];
  /** The legs that hear a program that speaks. */
  readonly hearers: Channel;
  readonly names: { readonly accountSid: string; readonly callSid: string };
}

/** A target in the words of the API as a stream. The frames of media document 6 keep their way, which is opened again. */
export function streamRequest(
  target: ProgramStream,
  { streamId, channels, tracks, hearers, names }: StreamSource,
): Omit<StreamRequest, 'onEvent'> {
  const { url, headers, trustSelfSigned, chunkDuration, framing, sampleRate, bidirectional } = target;
  const { volume: volumeDb, playMode: over, customParameters = {} } = target;
  const plain = {
    ...{ streamId, url, channels },
    ...(headers && { headers }),
    ...(trustSelfSigned !== undefined && { trustSelfSigned }),
    ...(chunkDuration !== undefined && { chunkDuration }),
  };
  if (framing === 'pcm' && !bidirectional && sampleRate === 8_000) return plain;
  const encoding = target.encoding ?? (framing === 'pcm' ? 'audio/x-l16' : 'audio/x-mulaw');
  return {
    ...plain,
    tracks,
    format: { framing, encoding, sampleRate, names, customParameters },
    ...(bidirectional && { speech: { hearers, volumeDb, over } }),
  };
}

/** An event of a stream as an entry of a trace. User, query and fragment of its address may hold secrets, and are left out. */
export const streamedOf = (streamId: string, url: string, progress: StreamProgress) => ({
  streamId,
  event: MEDIA_STREAM_EVENTS[progress.kind],
  url: url.replace(/[?#].*$/s, '').replace(/^(\w+:\/\/)[^/]*@/, '$1'),
  ...('reason' in progress && progress.reason !== undefined && { reason: progress.reason }),
});
