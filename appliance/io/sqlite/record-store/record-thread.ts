import { Worker } from 'node:worker_threads';
import { StorageError } from '../storage-error.ts';
import type { RecordReply, RecordRequest, RecordWriterSetting } from './record-message.ts';

type Ready = Extract<RecordReply, { kind: 'ready' }>;
type Done = Extract<RecordReply, { kind: 'done' }>;

/** Chosen: a thread without work for so long ends; a quiet site does without its 10 MB, and its start costs a busy one nothing. */
const IDLE_MS = 30_000;
const NOTHING: Done = { kind: 'done', rows: 0, dropped: 0 };

/**
 * The writer thread as a function from request to reply, one after the other. A thread that dies, or has ended for want of work,
 * is started again by the next request.
 */
export class RecordThread {
  readonly #setting: RecordWriterSetting;
  readonly #onReady: (ready: Ready) => void;
  #worker: Worker | undefined;
  #begun: PromiseWithResolvers<void> | undefined;
  #waiting: PromiseWithResolvers<Done> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #resting: NodeJS.Timeout | undefined;
  readonly #idleMs: number;

  /** `onReady`: the file is open, or is another one from now on. */
  constructor(setting: RecordWriterSetting, onReady: (ready: Ready) => void, idleMs = IDLE_MS) {
    this.#setting = setting;
    this.#onReady = onReady;
    this.#idleMs = idleMs;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  start(): Promise<void> {
    const worker = new Worker(new URL('./record-worker.ts', import.meta.url), {
      workerData: this.#setting,
      name: 'record',
    });
    const begun = Promise.withResolvers<void>();
    this.#worker = worker;
    this.#begun = begun;
    worker.on('message', (said: RecordReply) => {
      if (said.kind === 'ready') {
        this.#onReady(said);
        begun.resolve();
        this.#restLater();
      } else if (said.kind === 'done') this.#waiting?.resolve(said);
      else this.#waiting?.reject(new StorageError(said.reason));
    });
    worker.on('error', (error) => this.#died(worker, String(error)));
    worker.on('exit', (code) => this.#died(worker, `its thread ended with code ${code}`));
    return begun.promise;
  }

  /** Rejects with `StorageError`. */
  request(request: RecordRequest): Promise<Done> {
    const answer = this.#last.then(async () => {
      clearTimeout(this.#resting);
      if (request.kind === 'close') return this.#worker === undefined ? NOTHING : await this.#ask(request);
      if (this.#worker === undefined) await this.start();
      const done = await this.#ask(request);
      this.#restLater();
      return done;
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  /** Runs `work` while no thread has the file open; requests wait for it. */
  alone(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(async () => {
      clearTimeout(this.#resting);
      await this.#rest();
      await work();
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Ends the thread without a word, as a crash of it would; for tests of the failure. */
  async crash(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(request: RecordRequest): Promise<Done> {
    const waiting = Promise.withResolvers<Done>();
    this.#waiting = waiting;
    this.#worker?.postMessage(request);
    return waiting.promise;
  }

  #restLater(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      // In turn: a request that came meanwhile goes first, and puts the rest off.
      this.#last = this.#last.then(() => this.#rest()).catch(() => undefined);
    }, this.#idleMs);
    this.#resting.unref();
  }

  /** Closes the file and ends the thread. */
  async #rest(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    await this.#ask({ kind: 'close' });
    if (this.#worker === worker) this.#worker = undefined;
  }

  #died(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#begun?.reject(new StorageError(reason));
    this.#waiting?.reject(new StorageError(reason));
  }
}
