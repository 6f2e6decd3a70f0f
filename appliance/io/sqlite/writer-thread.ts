import { Worker } from 'node:worker_threads';
import type { Counters, WriterNews, WriterReply, WriterRequest, WriterSetting } from './journal-message.ts';
import type { Salvage } from './salvage/index.ts';
import { StorageError } from './storage-error.ts';

/**
 * The writer thread as a function from request to reply. A thread that dies rejects what is under way; the next
 * request starts a new one, and whatever hurt the first shows again there.
 *
 *   none --start--> starting --ready--> idle --request--> busy --reply--> idle
 *                      |                  `-----error, exit-----+--> none
 *                      `--error, exit--> none (the waiting request rejects)
 */
export class WriterThread {
  private readonly setting: WriterSetting;
  private readonly onSalvaged: (salvage: Salvage) => void;
  private worker: Worker | undefined;
  private stopped = false;
  private waiting: { resolve(reply: WriterReply): void; reject(error: Error): void } | undefined;

  /** `onSalvaged`: the file is another one from now on; nothing is answered before it has returned. */
  constructor(setting: WriterSetting, onSalvaged: (salvage: Salvage) => void) {
    this.setting = setting;
    this.onSalvaged = onSalvaged;
  }

  /** Opens or creates the file in a new thread. Rejects with `storageFailed`. */
  async start(): Promise<Counters> {
    const worker = new Worker(new URL('./journal-worker.ts', import.meta.url), {
      workerData: this.setting,
      name: 'journal',
    });
    this.worker = worker;
    worker.on('message', (said: WriterReply | WriterNews) => {
      if (said.kind === 'salvaged') this.onSalvaged(said.salvage);
      else this.settle(said);
    });
    worker.on('error', (error) => this.died(worker, String(error)));
    worker.on('exit', (code) => this.died(worker, `its thread ended with code ${code}`));
    const reply = await this.answer();
    if (reply.kind !== 'ready') throw new StorageError(`unexpected answer ${reply.kind} at the start`);
    return reply.counters;
  }

  /** One at a time: the caller waits for the reply before the next request. */
  async request(request: WriterRequest): Promise<WriterReply> {
    if (this.stopped) throw new StorageError('the journal is closed');
    if (this.worker === undefined) {
      const { salvage } = await this.start();
      if (salvage !== undefined) this.onSalvaged(salvage);
    }
    const answer = this.answer();
    this.worker?.postMessage(request);
    return answer;
  }

  async stop(): Promise<void> {
    const worker = this.worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    await this.request({ kind: 'close' });
    this.stopped = true;
    this.worker = undefined;
    await ended;
  }

  /** Ends the thread without a word, as a crash of it would; for tests of the failure. */
  async crash(): Promise<void> {
    await this.worker?.terminate();
  }

  private answer(): Promise<WriterReply> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  private settle(reply: WriterReply): void {
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.resolve(reply);
  }

  private died(worker: Worker, reason: string): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.reject(new StorageError(reason));
  }
}
