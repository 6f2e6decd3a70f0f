import { Worker } from 'node:worker_threads';
import type { OwnListener } from '#shared/matching/index.ts';
import { fail } from '#shared/result.ts';
import type {
  StreamAnswer,
  StreamEvent,
  Streamer,
  StreamId,
  StreamSetting,
} from '../../media/control/index.ts';
import type { StreamCommand, StreamReport, StreamThreadSetting } from './stream-message.ts';

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

/*
 *   none ──start──▶ running ──close──▶ closed
 *    ▲                │
 *    └─ thread dies ──┘    waiting answers: Lost; every running stream: failed
 */
class ThreadedStreamer implements Streamer {
  readonly #setting: StreamerSetting;
  readonly #waiting = new Map<number, (answer: StreamAnswer) => void>();
  readonly #running = new Set<StreamId>();
  #thread: Worker | undefined;
  #commands = 0;
  #closed = false;

  constructor(setting: StreamerSetting) {
    this.#setting = setting;
  }

  async start(setting: StreamSetting): Promise<StreamAnswer> {
    const listeners = this.#setting.listeners?.() ?? [];
    const answer = await this.#ask({ kind: 'start', setting, listeners });
    if (answer.ok) this.#running.add(setting.stream);
    return answer;
  }

  stop(stream: StreamId): Promise<StreamAnswer> {
    return this.#ask({ kind: 'stop', stream });
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
    await this.#ask({ kind: 'close' });
    this.#closed = true;
    await ended;
  }

  #ask(command: StreamCommand): Promise<StreamAnswer> {
    if (this.#closed) return Promise.resolve(fail('Lost', 'Streaming is closed.'));
    this.#thread ??= this.#startThread();
    const thread = this.#thread;
    const id = ++this.#commands;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      thread.postMessage({ id, command });
    });
  }

  #startThread(): Worker {
    const { allowPrivate = [], extraCas = [] } = this.#setting;
    const workerData: StreamThreadSetting = { allowPrivate, extraCas };
    const worker = new Worker(new URL('./stream-worker.ts', import.meta.url), { workerData, name: 'stream' });
    let reason = 'its thread ended';
    worker.on('error', (error) => {
      reason = String(error);
    });
    worker.on('exit', () => this.#died(reason));
    worker.on('message', (report: StreamReport) => {
      if (report.kind === 'answer') {
        this.#waiting.get(report.id)?.(report.answer);
        this.#waiting.delete(report.id);
      } else if (report.kind === 'event') this.#pass(report.event);
    });
    return worker;
  }

  #pass(event: StreamEvent): void {
    if (event.kind !== 'started') this.#running.delete(event.stream);
    this.#setting.onEvent(event);
  }

  #died(reason: string): void {
    this.#thread = undefined;
    for (const settle of this.#waiting.values()) settle(fail('Lost', `Streaming died: ${reason}`));
    this.#waiting.clear();
    for (const stream of this.#running) {
      this.#setting.onEvent({ kind: 'failed', stream, reason, droppedMs: 0, reconnects: 0 });
    }
    this.#running.clear();
  }
}
