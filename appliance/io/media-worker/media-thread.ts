import { Worker } from 'node:worker_threads';
import type { LegId, LegOpening, MediaEvent } from '../../media/control/index.ts';
import type { EngineCommand } from '../../media/engine/index.ts';
import { Descriptors } from '../rtp-socket/index.ts';
import type {
  CommandResult,
  OpenAnswer,
  WorkerLoad,
  WorkerReply,
  WorkerRequest,
  WorkerSetting,
} from './message.ts';

/** As many as the unit lets the process have (`LimitNOFILE`): what is not used takes no memory. */
const MOST_DESCRIPTORS = 65_536;

type Without<T> = T extends unknown ? Omit<T, 'id'> : never;
type Waiting = (reply: WorkerReply | undefined) => void;

/** Gets the reports of a thread. */
export interface ThreadSink {
  readonly event: (event: MediaEvent) => void;
  /** @param slowSockets why its sockets cost more than they need to, if they do */
  readonly ready: (slowSockets: string | undefined) => void;
  /** The work of a leg threw; `lost` follows for it. */
  readonly defect: (leg: LegId, reason: string) => void;
  /** It ended without being asked to: nothing it was doing goes on. */
  readonly died: (reason: string) => void;
}

/**
 * One media worker as seen from the main thread.
 *
 * ```
 *   starting --warmed up--> ready --end--> ended
 *       `--error, exit--------`--> died: every question is answered with undefined
 * ```
 */
export class MediaThread {
  ready = false;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #sink: ThreadSink;
  #nextId = 0;
  /** Asked since the main thread began with what it does now. */
  #asked: WorkerRequest[] = [];
  #over = false;

  constructor(setting: Omit<WorkerSetting, 'descriptors'>, sink: ThreadSink) {
    this.#sink = sink;
    const name = `media-${setting.worker}`;
    const descriptors = new Descriptors(MOST_DESCRIPTORS);
    const workerData: WorkerSetting = { ...setting, descriptors: descriptors.memory };
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData, name });
    this.#worker.on('message', (reply: WorkerReply) => this.#take(reply));
    this.#worker.on('error', (error) => this.#died(String(error)));
    this.#worker.on('exit', (code) => {
      descriptors.closeAll();
      this.#died(`its thread ended with code ${code}`);
    });
  }

  async open(opening: LegOpening, port: number): Promise<OpenAnswer | undefined> {
    const reply = await this.#ask({ kind: 'open', opening, port });
    return reply?.kind === 'opened' ? reply.answer : undefined;
  }

  async command(command: EngineCommand): Promise<CommandResult | undefined> {
    const reply = await this.#ask({ kind: 'command', command });
    return reply?.kind === 'done' ? reply.answer : undefined;
  }

  async load(): Promise<WorkerLoad | undefined> {
    const reply = await this.#ask({ kind: 'load' });
    return reply?.kind === 'load' ? reply.load : undefined;
  }

  /** Says BYE on every leg and ends. */
  async end(): Promise<void> {
    if (this.#over) return;
    if (this.ready) await this.#ask({ kind: 'end' });
    this.#over = true;
    await this.#worker.terminate();
  }

  /** Ends the thread without a word, as a crash of it would; for tests of the failure. */
  async crash(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(request: Without<WorkerRequest>): Promise<WorkerReply | undefined> {
    if (this.#over) return Promise.resolve(undefined);
    const id = this.#nextId++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      // The worker is ahead of us: each message that wakes it takes our core away in the middle of a turn.
      if (this.#asked.length === 0) queueMicrotask(() => this.#post());
      this.#asked.push({ ...request, id });
    });
  }

  #post(): void {
    const asked = this.#asked;
    this.#asked = [];
    this.#worker.postMessage(asked);
  }

  #take(reply: WorkerReply): void {
    if (reply.kind === 'event') this.#sink.event(reply.event);
    else if (reply.kind === 'defect') this.#sink.defect(reply.leg, reply.reason);
    else if (reply.kind === 'ready') {
      this.ready = true;
      this.#sink.ready(reply.slowSockets);
    } else {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      waiting?.(reply);
    }
  }

  #died(reason: string): void {
    const wasOver = this.#over;
    this.#over = true;
    this.ready = false;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const resolve of waiting) resolve(undefined);
    if (!wasOver) this.#sink.died(reason);
  }
}
