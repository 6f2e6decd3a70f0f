import type { SessionSettings } from '#appliance/sip/dialog/index.ts';
import { seeded } from '../endpoint/stage.ts';
import { type Call, Phone } from './phone.ts';

interface Packet {
  readonly atMs: number;
  readonly to: Phone;
  readonly bytes: Buffer;
}

export interface Line {
  readonly loss?: number;
  readonly doubled?: number;
  /** Longest delay, ms; the shortest is 10. */
  readonly delayMs?: number;
  readonly a?: Partial<SessionSettings>;
  readonly b?: Partial<SessionSettings>;
}

/** Two phones and the wire between them. */
export class Wire {
  readonly a: Phone;
  readonly b: Phone;
  readonly sent: string[] = [];
  nowMs = 0;
  loss: number;
  /** Drop a message by its first line. */
  drop: (line: string) => boolean = () => false;
  readonly random: () => number;
  readonly #line: Line;
  #queue: Packet[] = [];

  constructor(seed: number, line: Line = {}) {
    this.random = seeded(seed);
    this.#line = line;
    this.loss = line.loss ?? 0;
    this.a = new Phone('a', seed + 10, (bytes) => this.#carry('a', bytes), line.a);
    this.b = new Phone('b', seed + 20, (bytes) => this.#carry('b', bytes), line.b);
  }

  #carry(from: 'a' | 'b', bytes: Buffer): void {
    const text = bytes.toString('latin1');
    const first = text.slice(0, text.indexOf('\r\n'));
    const method = /CSeq: \d+ (\w+)/.exec(text)?.[1] ?? '';
    const line = `${from} ${first.startsWith('SIP/2.0') ? `${first.slice(8, 11)} ${method}` : method}`;
    this.sent.push(`${this.nowMs} ${line}`);
    if (this.drop(line) || this.random() < this.loss) return;
    const copies = this.random() < (this.#line.doubled ?? 0) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const delay = 10 + Math.floor(this.random() * ((this.#line.delayMs ?? 10) - 9));
      this.#queue.push({ atMs: this.nowMs + delay, to: from === 'a' ? this.b : this.a, bytes });
    }
  }

  /** Lets time pass, from event to event. */
  pass(ms: number): void {
    const until = this.nowMs + ms;
    for (;;) {
      const next = Math.min(this.a.nextDueMs(), this.b.nextDueMs(), ...this.#queue.map(({ atMs }) => atMs));
      if (next > until) break;
      this.nowMs = Math.max(this.nowMs, next);
      this.#tick();
    }
    this.nowMs = until;
    this.#tick();
  }

  #tick(): void {
    const { nowMs } = this;
    this.a.advance(nowMs);
    this.b.advance(nowMs);
    const due = this.#queue.filter(({ atMs }) => atMs <= nowMs).sort((x, y) => x.atMs - y.atMs);
    this.#queue = this.#queue.filter(({ atMs }) => atMs > nowMs);
    for (const { to, bytes } of due) to.endpoint.receive(to.flow, bytes, nowMs);
  }

  /** Messages without their times. */
  get lines(): string[] {
    return this.sent.map((line) => line.slice(line.indexOf(' ') + 1));
  }

  /** Lines from here on. */
  since(count: number): string[] {
    return this.lines.slice(count);
  }
}

/** Both sides of the only call. */
export function pair(wire: Wire): readonly [Call, Call] {
  const [a] = wire.a.calls;
  const [b] = wire.b.calls;
  if (a === undefined || b === undefined) throw new Error('there is no call');
  return [a, b];
}

/** A call that is up, and as quiet as can be. */
export function talking(seed = 1, line: Line = {}): Wire {
  const wire = new Wire(seed, line);
  wire.a.dial('b');
  wire.pass(1_000);
  return wire;
}
