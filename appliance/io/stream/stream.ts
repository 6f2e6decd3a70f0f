import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { StreamEvent, StreamFigures, StreamSetting } from '../../media/control/index.ts';
import { Chunker } from './chunk.ts';
import { isFinal, type Target } from './target.ts';

/** A target may be this far behind; older audio is dropped. */
const MOST_BEHIND_MS = 1_000;
/** Chosen: only this much is handed to the socket ahead, so that what is dropped is the oldest. */
const MOST_HANDED_MS = 200;
/** Chosen: waits before the three tries, ms; the last begins with time left to answer within 10 s. */
const RETRY_MS = [250, 2_000, 4_500];
/** A connection that has lasted this long earns three new tries. */
const SETTLED_MS = 10_000;
const BYTES_PER_MS = 16;

/** A stream as its thread runs it. */
export interface RunningStream {
  connect(): void;
  /** Every 10 ms: takes what has come and sends what fits. */
  pump(): void;
  /** `stopped` has been reported when this returns. */
  stop(why?: 'stopped' | 'callEnded'): void;
}

/**
 * One stream: chunks of audio to one WebSocket, which is opened again when it breaks.
 *
 * ```
 *   connecting ──open──▶ open ──stop──▶ over: stopped
 *     ▲   │               │
 *     │   └─error, close──┴─▶ waiting (queue keeps the newest second)
 *     └──250 ms, 2 s, 4.5 s────┘ └──three tries used up, or refused for good──▶ over: failed
 * ```
 */
export class Stream implements RunningStream {
  readonly #setting: StreamSetting;
  readonly #target: Target;
  readonly #tell: (event: StreamEvent) => void;
  readonly #over: () => void;
  readonly #chunker: Chunker;
  readonly #chunkMs: number;
  readonly #queue: Uint8Array[] = [];
  #socket: WebSocket | undefined;
  #isOpen = false;
  #started = false;
  #ended = false;
  #tries = 0;
  #reconnects = 0;
  #droppedMs = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(setting: StreamSetting, target: Target, tell: (event: StreamEvent) => void, over: () => void) {
    this.#setting = setting;
    this.#target = target;
    this.#tell = tell;
    this.#over = over;
    this.#chunkMs = setting.chunkDuration ?? 20;
    this.#chunker = new Chunker(setting.inputs, this.#chunkMs);
  }

  connect(): void {
    const socket = this.#target.connect();
    this.#socket = socket;
    // Close follows every error; the first error is the reason.
    let reason: string | undefined;
    let final = false;
    socket.on('error', (error) => {
      reason ??= error.message || String(error);
      final ||= isFinal(error);
    });
    socket.on('unexpected-response', (_, { statusCode = 0 }: IncomingMessage) => {
      reason = `the target answered ${statusCode} instead of 101`;
      final = statusCode < 500 && statusCode !== 408 && statusCode !== 429;
      socket.terminate();
    });
    socket.on('open', () => this.#onOpen());
    socket.on('close', (code, words) => {
      this.#onClose(
        reason ?? `the connection was closed: ${code} ${words.toString().slice(0, 100)}`.trim(),
        final,
      );
    });
  }

  /** Takes what has come and sends what fits. */
  pump(): void {
    for (let chunk = this.#chunker.next(); chunk !== undefined; chunk = this.#chunker.next()) {
      this.#queue.push(chunk);
    }
    const handed = () => this.#socket?.bufferedAmount ?? 0;
    const perMs = BYTES_PER_MS * this.#setting.inputs.length;
    while (this.#isOpen && this.#queue.length > 0 && handed() < MOST_HANDED_MS * perMs) this.#sendOldest();
    const most = Math.max(1, Math.floor((MOST_BEHIND_MS - handed() / perMs) / this.#chunkMs));
    while (this.#queue.length > most) {
      this.#queue.shift();
      this.#droppedMs += this.#chunkMs;
    }
  }

  /** Sends what is queued and closes; `stopped` has been called when this returns. */
  stop(): void {
    if (this.#ended) return;
    this.pump();
    while (this.#isOpen && this.#queue.length > 0) this.#sendOldest();
    this.#end({ kind: 'stopped', stream: this.#setting.stream, stopTime: Date.now(), ...this.#figures });
    this.#socket?.close(1_000);
  }

  #sendOldest(): void {
    const chunk = this.#queue.shift();
    if (chunk !== undefined) this.#socket?.send(chunk);
  }

  #onOpen(): void {
    this.#isOpen = true;
    this.#timer = setTimeout(() => {
      this.#tries = 0;
    }, SETTLED_MS);
    if (this.#started) this.#reconnects++;
    else {
      this.#started = true;
      const { stream, inputs } = this.#setting;
      this.#tell({ kind: 'started', stream, startTime: Date.now(), channels: inputs.length });
    }
  }

  #onClose(reason: string, final: boolean): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    if (this.#ended) return;
    const wait = RETRY_MS[this.#tries++];
    if (final || wait === undefined) {
      this.#end({ kind: 'failed', stream: this.#setting.stream, reason, ...this.#figures });
    } else this.#timer = setTimeout(() => this.connect(), wait);
  }

  get #figures(): StreamFigures {
    return { droppedMs: this.#droppedMs, reconnects: this.#reconnects };
  }

  #end(event: StreamEvent): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#tell(event);
    this.#over();
  }
}
