import { Worker } from 'node:worker_threads';
import { fail, type Result } from '#shared/result.ts';
import type { Freshness, PromptFault, PromptSource, Voice } from '../../media/prompt/index.ts';
import type { Loaded, PromptCommand, PromptReport, PromptThreadSetting } from './prompt-message.ts';

/** Chosen: no source takes this long; a thread that has not answered by then hangs, and is ended. */
const HANGS_MS = 120_000;

type Answer = Result<Loaded, PromptFault>;
type Voices = readonly (Voice & { readonly engine: string })[];

/*
 *   starting ──ready──▶ running ──close──▶ closed
 *      ▲                  │
 *      └─ next load ─── dead      what waits is answered Lost
 */
export class PromptThread {
  readonly #setting: PromptThreadSetting;
  readonly #waiting = new Map<
    number,
    { readonly settle: (answer: Answer) => void; readonly timer: NodeJS.Timeout }
  >();
  #thread: Promise<{ readonly worker: Worker; readonly voices: Voices }> | undefined;
  #loads = 0;
  #closed = false;

  constructor(setting: PromptThreadSetting) {
    this.#setting = setting;
  }

  /** The voices that can speak; starts the thread. Rejects when it does not start. */
  async voices(): Promise<Voices> {
    this.#thread ??= this.#start();
    return (await this.#thread).voices;
  }

  async load(source: PromptSource, known: Freshness | undefined, signal: AbortSignal): Promise<Answer> {
    if (this.#closed) return fail('Lost', 'The prompts are closed.');
    let worker: Worker;
    try {
      this.#thread ??= this.#start();
      ({ worker } = await this.#thread);
    } catch (thrown) {
      this.#thread = undefined;
      return fail('Lost', `The prompt thread does not start: ${String(thrown)}`);
    }
    const id = ++this.#loads;
    const tell = (command: PromptCommand) => worker.postMessage(command);
    const stop = () => tell({ kind: 'stop', id });
    const answer = new Promise<Answer>((settle) => {
      const timer = setTimeout(() => void worker.terminate(), HANGS_MS);
      timer.unref();
      this.#waiting.set(id, { settle, timer });
      tell({ kind: 'load', id, source, known });
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    try {
      return await answer;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const worker = await this.#thread?.then(
      (thread) => thread.worker,
      () => undefined,
    );
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'close' } satisfies PromptCommand);
    await ended;
  }

  /** Ends the thread without a word, as a crash of it would; for tests of the failure. */
  async crash(): Promise<void> {
    await (await this.#thread)?.worker.terminate();
  }

  #start(): Promise<{ readonly worker: Worker; readonly voices: Voices }> {
    const worker = new Worker(new URL('./prompt-worker.ts', import.meta.url), {
      workerData: this.#setting,
      name: 'prompt',
      // The decoders complain of each damaged file there; what was wrong comes as an answer.
      stderr: true,
      // `node:wasi` announces in each process that it is experimental. Flags of V8 are the process's own: a thread refuses them.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    worker.stderr.resume();
    return new Promise((resolve, reject) => {
      let reason = 'its thread ended';
      worker.on('error', (error) => {
        reason = String(error);
      });
      worker.on('exit', () => {
        reject(new Error(reason));
        this.#thread = undefined;
        for (const id of this.#waiting.keys())
          this.#settle(id, fail('Lost', `The prompt thread died: ${reason}`));
      });
      worker.on('message', (message: PromptReport) => {
        if (message.kind === 'ready') resolve({ worker, voices: message.voices });
        else this.#settle(message.id, message.result);
      });
    });
  }

  #settle(id: number, answer: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    waiting?.settle(answer);
  }
}
