import { StorageError } from './storage-error.ts';

/** A message of the thread as the asker understands it. */
export type ThreadMessage<Ready, Reply> =
  | { readonly kind: 'ready'; readonly ready: Ready }
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** The request came to nothing; the thread goes on. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Said between a request and its reply, and taken already. */
  | { readonly kind: 'event' };

/** A worker thread, or what answers as one does. */
export interface ServingThread {
  postMessage(message: unknown): void;
  // biome-ignore lint/suspicious/noExplicitAny: it is so in `Worker`.
  on(event: 'message', listener: (message: any) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  once(event: 'exit', listener: (code: number) => void): unknown;
  terminate(): Promise<unknown>;
}

export interface RequestThreadSetting<Said, Ready, Reply> {
  /** Begins a thread; it says that it is ready, or dies. */
  readonly begin: () => ServingThread;
  /** Understands a message; what it does with it is done before anything is answered. */
  readonly hear: (said: Said) => ThreadMessage<Ready, Reply>;
  /** The failure of a request after the end, in words. */
  readonly closed: string;
  /** A thread without work for so long, in ms, ends; absent: it never does. */
  readonly idleMs?: number;
}

/** A request of this kind closes the file and ends the thread. */
const CLOSE = { kind: 'close' } as const;

/**
 * A thread with a file, as a function from request to reply, one after the other. A thread that dies rejects what is under way;
 * the next request starts a new one, and whatever hurt the first shows again there. A thread that rests is started again, too.
 *
 *   none --start--> starting --ready--> idle --request--> busy --reply, failed--> idle
 *    ^                 |                  | `-----error, exit-----+--> none
 *    |                 `--error, exit--> none (the request that waits rejects)
 *    `-------closed-------- resting <-----' idleMs without a request
 */
export class RequestThread<Request extends { readonly kind: string }, Said, Ready, Reply> {
  readonly #setting: RequestThreadSetting<Said, Ready, Reply>;
  #worker: ServingThread | undefined;
  #begun: PromiseWithResolvers<Ready> | undefined;
  #waiting: PromiseWithResolvers<Reply> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #resting: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(setting: RequestThreadSetting<Said, Ready, Reply>) {
    this.#setting = setting;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Opens or creates the file in a new thread. Rejects with `StorageError`. */
  async start(): Promise<Ready> {
    const worker = this.#setting.begin();
    const begun = Promise.withResolvers<Ready>();
    this.#worker = worker;
    this.#begun = begun;
    worker.on('message', (said: Said) => this.#onMessage(this.#setting.hear(said)));
    worker.on('error', (error) => this.#died(worker, String(error)));
    worker.on('exit', (code) => this.#died(worker, `its thread ended with code ${code}`));
    const ready = await begun.promise;
    this.#restLater();
    return ready;
  }

  /** Rejects with `StorageError`. */
  request(request: Request): Promise<Reply> {
    return this.#inTurn(async () => {
      if (this.#stopped) throw new StorageError(this.#setting.closed);
      clearTimeout(this.#resting);
      if (this.#worker === undefined) await this.start();
      try {
        return await this.#ask(request);
      } finally {
        this.#restLater();
      }
    });
  }

  /** Closes the file, behind the requests before, and resolves when the thread has ended. */
  stop(): Promise<void> {
    return this.#inTurn(async () => {
      this.#stopped = true;
      clearTimeout(this.#resting);
      await this.#close();
    });
  }

  /** Runs `work` while no thread has the file open; requests wait for it. */
  alone(work: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      clearTimeout(this.#resting);
      await this.#close();
      await work();
    });
  }

  /** Ends the thread without a word, as a crash of it would; for tests of the failure. */
  async crash(): Promise<void> {
    await this.#worker?.terminate();
  }

  #inTurn<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = this.#last.then(work);
    this.#last = outcome.catch(() => undefined);
    return outcome;
  }

  #ask(request: Request | typeof CLOSE): Promise<Reply> {
    const waiting = Promise.withResolvers<Reply>();
    this.#waiting = waiting;
    this.#worker?.postMessage(request);
    return waiting.promise;
  }

  async #close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    await this.#ask(CLOSE);
    await ended;
  }

  #restLater(): void {
    const { idleMs } = this.#setting;
    clearTimeout(this.#resting);
    if (idleMs === undefined || this.#stopped || this.#worker === undefined) return;
    this.#resting = setTimeout(() => {
      // In turn: a request that came meanwhile goes first, and its own end puts the rest off.
      this.#inTurn(() => this.#close()).catch(() => undefined);
    }, idleMs);
    this.#resting.unref();
  }

  #onMessage(message: ThreadMessage<Ready, Reply>): void {
    switch (message.kind) {
      case 'ready':
        this.#begun?.resolve(message.ready);
        return;
      case 'reply':
        this.#waiting?.resolve(message.reply);
        return;
      case 'failed':
        this.#waiting?.reject(new StorageError(message.reason));
        return;
      case 'event':
    }
  }

  #died(worker: ServingThread, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#begun?.reject(new StorageError(reason));
    this.#waiting?.reject(new StorageError(reason));
  }
}
