import { Worker } from 'node:worker_threads';
import { StorageError } from '../storage-error.ts';
import type { RecordReply, RecordRequest, RecordWriterSetting } from './record-message.ts';

type Ready = Extract<RecordReply, { kind: 'ready' }>;
type Done = Extract<RecordReply, { kind: 'done' }>;

/** The writer thread as a function from request to reply, one after the other. A thread that dies is started again. */
export class RecordThread {
  readonly #setting: RecordWriterSetting;
  readonly #onReady: (ready: Ready) => void;
  #worker: Worker | undefined;
  #begun: PromiseWithResolvers<void> | undefined;
  #waiting: PromiseWithResolvers<Done> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** `onReady`: the file is open, or is another one from now on. */
  constructor(setting: RecordWriterSetting, onReady: (ready: Ready) => void) {
    this.#setting = setting;
    this.#onReady = onReady;
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
      if (this.#worker === undefined) await this.start();
      const waiting = Promise.withResolvers<Done>();
      this.#waiting = waiting;
      this.#worker?.postMessage(request);
      return await waiting.promise;
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  /** Ends the thread without a word, as a crash of it would; for tests of the failure. */
  async crash(): Promise<void> {
    await this.#worker?.terminate();
  }

  #died(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#begun?.reject(new StorageError(reason));
    this.#waiting?.reject(new StorageError(reason));
  }
}
