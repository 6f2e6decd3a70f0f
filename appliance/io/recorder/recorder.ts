import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Mark,
  mapChannels,
  type Recorder,
  type RecorderEvent,
  type RecorderFault,
  type RecordingId,
  type RecordingResult,
  type RecordingSetting,
  type StoringSetting,
} from '../../media/recording/index.ts';
import { leftovers } from './leftover.ts';
import type {
  RecorderAnswer,
  RecorderCommand,
  RecorderReport,
  RecorderThreadSetting,
} from './recorder-message.ts';

export interface RecorderSetting {
  /** Where recordings stand; made when it is not there. Leftovers below it are completed at start. */
  readonly folder: string;
  /** Nothing new is recorded when less is free, bytes. */
  readonly leastFreeBytes: number;
  readonly onEvent: (event: RecorderEvent) => void;
  /** Another build of LAME than the one that came with the packages. */
  readonly mp3Wasm?: string;
}

/** Starts the thread; resolves when it is warm and every leftover has been reported. Rejects when it cannot start. */
export async function openRecorder(setting: RecorderSetting): Promise<Recorder> {
  const recorder = new ThreadedRecorder(setting);
  await recorder.warm();
  return recorder;
}

/** Without waiting: leftovers or the first recording start the thread, which holds 5 MB. */
export const createRecorder = (setting: RecorderSetting): Recorder => new ThreadedRecorder(setting);

/*
 *   starting ──ready──▶ running ──close──▶ closed
 *      ▲                  │
 *      └── thread dies ───┘    waiting answers: Lost; the next thread completes what is left and reports `interrupted`
 */
class ThreadedRecorder implements Recorder {
  readonly #setting: RecorderSetting;
  readonly #waiting = new Map<number, (answer: RecorderAnswer) => void>();
  /** Which recording writes a file. */
  readonly #writers = new Map<string, RecordingId>();
  #thread: Promise<Worker> | undefined;
  #commands = 0;
  #isClosing = false;
  #closed = false;

  constructor(setting: RecorderSetting) {
    this.#setting = setting;
  }

  async begin(): Promise<void> {
    // A folder that is not there yet holds nothing.
    const left = await leftovers(this.#setting.folder).catch(() => []);
    if (left.length > 0) await this.warm();
  }

  async warm(): Promise<void> {
    this.#thread ??= this.#startThread();
    await this.#thread;
  }

  async start(setting: RecordingSetting) {
    const { file, layout, inputs, recording } = setting;
    const answer = await this.#ask({ kind: 'start', setting });
    const mapped = mapChannels(file, layout, inputs.length);
    if (answer.ok && mapped.ok) for (const each of mapped.value) this.#writers.set(each.file, recording);
    return done(answer);
  }

  async pause(recording: RecordingId) {
    return done(await this.#ask({ kind: 'pause', recording }));
  }

  async resume(recording: RecordingId) {
    return done(await this.#ask({ kind: 'resume', recording }));
  }

  async mark(recording: RecordingId, label: string) {
    return (await this.#ask({ kind: 'mark', recording, label })) as Result<Mark, RecorderFault>;
  }

  async stop(recording: RecordingId) {
    const answer = await this.#ask({ kind: 'stop', recording });
    if (answer.ok || answer.error.code !== 'Lost') this.#forget(recording);
    return answer as Result<RecordingResult, RecorderFault>;
  }

  async cancel(recording: RecordingId) {
    const answer = await this.#ask({ kind: 'cancel', recording });
    if (answer.ok) this.#forget(recording);
    return done(answer);
  }

  async store(setting: StoringSetting) {
    return done(await this.#ask({ kind: 'store', setting }));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    const thread = await this.#thread;
    const ended = new Promise<void>((resolve) => thread?.once('exit', () => resolve()));
    // From here on: where this thread is held up, the end of the other one is heard together with its answer.
    this.#isClosing = true;
    await this.#ask({ kind: 'close' });
    this.#closed = true;
    if (thread !== undefined) await ended;
  }

  async crash(): Promise<void> {
    await (await this.#thread)?.terminate();
  }

  async #ask(command: RecorderCommand): Promise<RecorderAnswer> {
    if (this.#closed) return fail('Lost', 'The recorder is closed.');
    let thread: Worker;
    try {
      this.#thread ??= this.#startThread();
      thread = await this.#thread;
    } catch (thrown) {
      return fail('Lost', `The recorder does not start: ${String(thrown)}`);
    }
    const id = ++this.#commands;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      thread.postMessage({ id, command });
    });
  }

  #startThread(): Promise<Worker> {
    const { folder, leastFreeBytes, mp3Wasm } = this.#setting;
    const workerData: RecorderThreadSetting = { folder, leastFreeBytes, mp3Wasm: mp3Wasm ?? packagedLame() };
    const worker = new Worker(new URL('./recorder-worker.ts', import.meta.url), {
      workerData,
      name: 'recorder',
    });
    return new Promise((resolve, reject) => {
      let reason = 'its thread ended';
      worker.on('error', (error) => {
        reason = String(error);
      });
      worker.on('exit', () => {
        reject(new Error(reason));
        this.#died(reason);
      });
      worker.on('message', (report: RecorderReport) => {
        if (report.kind === 'ready') resolve(worker);
        else if (report.kind === 'event') this.#pass(report.event);
        else {
          this.#waiting.get(report.id)?.(report.answer);
          this.#waiting.delete(report.id);
        }
      });
    });
  }

  #died(reason: string): void {
    for (const settle of this.#waiting.values()) settle(fail('Lost', `The recorder died: ${reason}`));
    this.#waiting.clear();
    this.#thread = undefined;
    // A new thread completes what this one left, unless it never had anything to record.
    if (!this.#isClosing && this.#writers.size > 0) this.warm().catch(() => undefined);
  }

  #pass(event: RecorderEvent): void {
    if (event.kind === 'failed') this.#forget(event.recording);
    this.#setting.onEvent(event.kind === 'interrupted' ? this.#named(event) : event);
  }

  #named(event: Extract<RecorderEvent, { kind: 'interrupted' }>): RecorderEvent {
    const recording = this.#writers.get(event.file.file);
    this.#writers.delete(event.file.file);
    return recording === undefined ? event : { ...event, recording };
  }

  #forget(recording: RecordingId): void {
    for (const [file, writer] of this.#writers) if (writer === recording) this.#writers.delete(file);
  }
}

const done = (answer: RecorderAnswer): Result<undefined, RecorderFault> =>
  answer.ok ? ok(undefined) : answer;

const packagedLame = (): string => fileURLToPath(import.meta.resolve('wasm-media-encoders/wasm/mp3'));
