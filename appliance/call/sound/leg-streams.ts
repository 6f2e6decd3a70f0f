import { uuid } from '#shared/id.ts';
import { ok, type Result } from '#shared/result.ts';
import type { MediaEvent, StreamEvent, StreamId } from '../../media/control/index.ts';
import { LegTap } from './leg-tap.ts';
import type { SoundDependencies } from './port.ts';
import type { LiveStream, StreamProgress, StreamRequest } from './sound.ts';

interface Streaming {
  readonly tap: LegTap;
  readonly wish: StreamRequest;
}

/** Legs live to WebSockets. Streaming is the first thing given up when media is late. */
export class LegStreams {
  readonly #dependencies: SoundDependencies;
  readonly #streams = new Map<StreamId, Streaming>();

  constructor(dependencies: SoundDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#streams.size;
  }

  stream(wish: StreamRequest): Result<LiveStream> {
    const streamId = uuid(this.#dependencies.random(16));
    const tap = new LegTap(this.#dependencies, `stream ${streamId}`, wish.channels, 'said');
    this.#streams.set(streamId, { tap, wish });
    tap.begin();
    const { streamer, run, turn } = this.#dependencies;
    const { url, headers, trustSelfSigned, chunkDuration } = wish;
    const setting = {
      stream: streamId,
      url,
      inputs: tap.rings,
      ...(headers && { headers }),
      ...(trustSelfSigned !== undefined && { trustSelfSigned }),
      ...(chunkDuration !== undefined && { chunkDuration }),
    };
    run(
      streamer.start(setting).then((started) => {
        if (!started.ok) turn(() => this.#failed(streamId, started.error.reason));
      }),
    );
    return ok({
      streamId,
      change: (channels) => tap.change(channels),
      stop: () => run(this.#stop(streamId)),
    });
  }

  /** From the streamer's thread. */
  told(event: StreamEvent): void {
    const streaming = this.#streams.get(event.stream);
    if (streaming === undefined) return;
    if (event.kind !== 'started') this.#drop(event.stream);
    streaming.wish.onEvent(newsOf(event));
  }

  heard(event: MediaEvent): void {
    if (event.kind !== 'lost') return;
    for (const [id, { tap }] of this.#streams)
      if (tap.hears(event.legs)) this.#giveUp(id, 'the media of the call is gone');
  }

  /** Our own load is too much: calls are worth more than their copies. */
  shed(): void {
    for (const id of [...this.#streams.keys()])
      this.#giveUp(id, 'this machine has too much to do; running calls go before streams');
  }

  async #stop(id: StreamId): Promise<void> {
    await this.#streams.get(id)?.tap.end();
    await this.#dependencies.streamer.stop(id);
  }

  #giveUp(id: StreamId, reason: string): void {
    this.#failed(id, reason);
    this.#dependencies.run(this.#dependencies.streamer.stop(id));
  }

  #failed(id: StreamId, reason: string): void {
    const streaming = this.#streams.get(id);
    this.#drop(id);
    streaming?.wish.onEvent({ kind: 'failed', reason, droppedMs: 0, reconnects: 0 });
  }

  #drop(id: StreamId): void {
    const streaming = this.#streams.get(id);
    this.#streams.delete(id);
    if (streaming !== undefined) this.#dependencies.run(streaming.tap.end());
  }
}

function newsOf(event: StreamEvent): StreamProgress {
  const { stream: _, ...news } = event;
  return news;
}
