import type { ClientTransaction, OnOutcome, Outcome, SentRequest } from './client-transaction.ts';
import type { StreamRoutes } from './effects.ts';
import type { Flow } from './flow.ts';

/** RFC 3261 18.1.1, the path MTU unknown: a longer request goes by a transport with congestion control. */
export const LONGEST_DATAGRAM = 1_300;

/** Chosen: a server says 100 within 200 ms (17.2.1); who took the INVITE and says nothing for so long speaks no SIP there. */
const FIRST_RESPONSE_MS = 6_000;

interface LongRequestParts {
  /** Where it would go by UDP. */
  readonly flow: Flow;
  readonly streams: StreamRoutes;
  readonly onOutcome: OnOutcome;
  /** Begins a transaction of it, with a branch of its own. */
  readonly begin: (flow: Flow, nowMs: number, onOutcome: OnOutcome) => ClientTransaction;
}

/**
 * One request that is too long for a datagram (RFC 3261 18.1.1).
 *
 *     opening ── a connection ──▶ by stream ── any response ──▶ as every other request
 *        │ none                        │ broken or silent before any response
 *        └────────────▶ by UDP ◀───────┘  the same request (Call-ID, CSeq, From tag) in a branch of its own
 *
 * `cancel` while it is opening: no peer has got it, and none will.
 */
export class LongRequest implements SentRequest {
  readonly #parts: LongRequestParts;
  #client: ClientTransaction | undefined;
  #onOutcome: OnOutcome;
  /** Cancelled, or left: it is not begun again. */
  #given = false;
  #isAnswered = false;

  constructor(parts: LongRequestParts) {
    this.#parts = parts;
    this.#onOutcome = parts.onOutcome;
  }

  get flow(): Flow {
    return this.#client?.flow ?? this.#parts.flow;
  }

  /** Empty until a connection is open, or none is to be had. */
  get branch(): string {
    return this.#client?.branch ?? '';
  }

  get via(): string {
    return this.#client?.via ?? '';
  }

  /** The way is found: this connection, or undefined. */
  opened(stream: Flow | undefined, nowMs: number): void {
    if (this.#given) return;
    if (stream === undefined) this.#byUdp(nowMs);
    else {
      const { begin } = this.#parts;
      this.#client = begin(stream, nowMs, (outcome, atMs) => this.#onStreamOutcome(outcome, atMs));
      this.#client.expectResponse(FIRST_RESPONSE_MS, nowMs);
    }
  }

  cancel(nowMs: number): void {
    const before = this.#given;
    this.#given = true;
    if (this.#client !== undefined) this.#client.cancel(nowMs);
    else if (!before) this.#onOutcome({ kind: 'timeout' }, nowMs);
  }

  leave(late: OnOutcome = NO_LISTENER): void {
    this.#given = true;
    this.#onOutcome = late;
  }

  #onStreamOutcome(outcome: Outcome, nowMs: number): void {
    if (outcome.kind === 'response') this.#isAnswered = true;
    if (this.#isAnswered || this.#given) {
      this.#onOutcome(outcome, nowMs);
      return;
    }
    this.#parts.streams.failed(this.#parts.flow, nowMs);
    this.#byUdp(nowMs);
  }

  #byUdp(nowMs: number): void {
    const { begin, flow } = this.#parts;
    this.#client = begin(flow, nowMs, (outcome, atMs) => this.#onOutcome(outcome, atMs));
  }
}

const NO_LISTENER: OnOutcome = () => undefined;
