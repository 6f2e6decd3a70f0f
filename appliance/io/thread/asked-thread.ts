import type { Worker } from 'node:worker_threads';

/** The messages of a thread. */
export type ThreadReport<Answer, Event> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'event'; readonly event: Event };

interface ThreadUser<Event> {
  readonly start: () => Worker;
  readonly event: (event: Event) => void;
  /** It ended by itself; all that it kept is lost. Called after every open question was answered. */
  readonly died: (reason: string) => void;
}

/** A thread with numbered questions. `undefined` for an answer: the thread died, or was ended, before it gave one. */
export class AskedThread<Command, Answer, Event> {
  readonly #user: ThreadUser<Event>;
  readonly #waiting = new Map<number, (answer: Answer | undefined) => void>();
  #worker: Worker | undefined;
  #commands = 0;
  #isEnding = false;
  #ended = false;
  /** Why the last thread died. */
  reason = 'it is closed';

  constructor(user: ThreadUser<Event>) {
    this.#user = user;
  }

  ask(command: Command): Promise<Answer | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#commands;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      worker.postMessage({ id, command });
    });
  }

  /** The last question; then no other thread is started. `terminate`: whatever it still has to do. */
  async end(last: Command, { terminate = false } = {}): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined || this.#ended) {
      this.#ended = true;
      return;
    }
    const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    // From here on: where this thread is held up, the end of the other one is heard together with its answer.
    this.#isEnding = true;
    await this.ask(last);
    this.#ended = true;
    if (terminate) await worker.terminate();
    await exited;
  }

  #start(): Worker {
    const worker = this.#user.start();
    let reason = 'its thread ended';
    worker.on('error', (error) => {
      reason = String(error);
    });
    worker.on('exit', () => this.#died(reason));
    worker.on('message', (report: ThreadReport<Answer, Event>) => {
      if (report.kind === 'event') this.#user.event(report.event);
      else if (report.kind === 'answer') {
        const settle = this.#waiting.get(report.id);
        this.#waiting.delete(report.id);
        settle?.(report.answer);
      }
    });
    return worker;
  }

  #died(reason: string): void {
    this.#worker = undefined;
    this.reason = reason;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const settle of waiting) settle(undefined);
    if (!this.#isEnding) this.#user.died(reason);
  }
}
