import { Worker } from 'node:worker_threads';
import type { OwnListener } from '#shared/matching/index.ts';
import { fail } from '#shared/result.ts';
import type { RingMemory } from '../../media/audio/index.ts';
import type {
  StreamAnswer,
  StreamEvent,
  Streamer,
  StreamId,
  StreamSetting,
  StreamTrack,
} from '../../media/control/index.ts';
import { AskedThread } from '../thread/index.ts';
import type { StreamCommand, StreamThreadSetting } from './stream-message.ts';

export interface StreamerSetting {
  /** CIDR blocks of `CARILLON_ALLOW_PRIVATE`. */
  readonly allowPrivate?: readonly string[];
  /** Own listeners, never called. */
  readonly listeners?: () => readonly OwnListener[];
  /** PEM certificates trusted beside the system's. */
  readonly extraCas?: readonly string[];
  readonly onEvent: (event: StreamEvent) => void;
}

/** Nothing runs before the first stream: the thread starts with it. */
export const openStreamer = (setting: StreamerSetting): Streamer => new ThreadedStreamer(setting);

class ThreadedStreamer implements Streamer {
  readonly #setting: StreamerSetting;
  readonly #running = new Set<StreamId>();
  readonly #thread: AskedThread<StreamCommand, StreamAnswer, StreamEvent>;

  constructor(setting: StreamerSetting) {
    const { allowPrivate = [], extraCas = [], onEvent } = setting;
    this.#setting = setting;
    this.#thread = new AskedThread({
      start: () => {
        const workerData: StreamThreadSetting = { allowPrivate, extraCas };
        return new Worker(new URL('./stream-worker.ts', import.meta.url), { workerData, name: 'stream' });
      },
      event: (event) => {
        if (event.kind !== 'started') this.#running.delete(event.stream);
        onEvent(event);
      },
      died: (reason) => {
        const failed = [...this.#running];
        this.#running.clear();
        for (const stream of failed) onEvent({ kind: 'failed', stream, reason, droppedMs: 0, reconnects: 0 });
      },
    });
  }

  async start(setting: StreamSetting): Promise<StreamAnswer> {
    const listeners = this.#setting.listeners?.() ?? [];
    const answer = await this.#ask({ kind: 'start', setting, listeners });
    if (answer.ok) this.#running.add(setting.stream);
    return answer;
  }

  stop(stream: StreamId, why?: 'stopped' | 'callEnded'): Promise<StreamAnswer> {
    return this.#ask({ kind: 'stop', stream, why });
  }

  speakTo(stream: StreamId, outputs: readonly RingMemory[]): Promise<StreamAnswer> {
    return this.#ask({ kind: 'speakTo', stream, outputs });
  }

  digit(stream: StreamId, digit: string, track: StreamTrack): Promise<StreamAnswer> {
    return this.#ask({ kind: 'digit', stream, digit, track });
  }

  close(): Promise<void> {
    return this.#thread.end({ kind: 'close' });
  }

  async #ask(command: StreamCommand): Promise<StreamAnswer> {
    return (await this.#thread.ask(command)) ?? fail('Lost', `Streaming ended: ${this.#thread.reason}`);
  }
}
