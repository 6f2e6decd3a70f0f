import type { TimerPorts, TimerScope } from '../kernel/engine-timers.ts';
import type { KernelPorts } from '../kernel/port.ts';
import { type Rate, TokenBucket } from '../kernel/token-bucket.ts';
import type { Flow } from '../sip/endpoint/index.ts';

interface Datagram {
  readonly flow: Flow;
  readonly bytes: Buffer;
}

export interface StrangerQueueSetting {
  readonly handle: (flow: Flow, bytes: Buffer) => void;
  /** Whether a device, a trunk or a call of ours stands behind it. `user`: user part of From, as it is written. */
  readonly isKnown: (flow: Flow, user: string) => boolean;
  /** There was no room for it. */
  readonly dropped: (flow: Flow) => void;
}

/** Chosen: as many are handled as they come; a flood waits behind the datagrams of known devices. */
const AS_THEY_COME: Rate = { burst: 1_000, perS: 500 };
/** Chosen: datagrams that wait, about two seconds of a flood. */
const MOST = 4_000;
/** Handled in one go: a known device waits no longer than that. */
const [SLICE, SLICE_MS] = [20, 5];
/** Bytes in which From is looked for. */
const HEAD = 1_200;
/** Owner of the one timer. */
const QUEUE = 'queue';

/**
 * SIP datagrams in the order of who sent them: those of known devices, trunks and calls are handled at once, those of strangers as far
 * as there are few, else in slices between. Full, it drops the newest, which UDP may do as well; each is counted.
 */
export class StrangerQueue {
  readonly #clock: KernelPorts['clock'];
  readonly #timers: TimerScope<'slice'>;
  readonly #setting: StrangerQueueSetting;
  readonly #pace = new TokenBucket(AS_THEY_COME);
  #waiting: Datagram[] = [];
  /** How many of `#waiting` were handled. */
  #done = 0;

  constructor({ clock, timers }: Pick<KernelPorts, 'clock'> & TimerPorts, setting: StrangerQueueSetting) {
    this.#clock = clock;
    this.#timers = timers.scope((_owner, _timer, nowMs) => this.#slice(nowMs));
    this.#setting = setting;
  }

  take(flow: Flow, bytes: Buffer): void {
    const { handle, dropped } = this.#setting;
    const nowMs = this.#clock.monoMs();
    const isEmpty = this.#waiting.length === 0;
    if (this.#isKnown(flow, bytes) || (isEmpty && this.#pace.draw(nowMs))) handle(flow, bytes);
    else if (this.#waiting.length - this.#done >= MOST) dropped(flow);
    else {
      this.#waiting.push({ flow, bytes });
      if (isEmpty) this.#sliceAt(nowMs);
    }
  }

  #sliceAt(dueMs: number): void {
    this.#timers.start(QUEUE, 'slice', dueMs);
  }

  /** Handles the next few. The timer of the next slice is started first: a defect of one datagram does not stop the others. */
  #slice(nowMs: number): void {
    this.#sliceAt(nowMs);
    const end = Math.min(this.#waiting.length, this.#done + SLICE);
    while (this.#done < end && this.#clock.monoMs() - nowMs < SLICE_MS) {
      const next = this.#waiting[this.#done++];
      if (next !== undefined) this.#setting.handle(next.flow, next.bytes);
    }
    if (this.#done === this.#waiting.length) {
      this.#waiting = [];
      this.#timers.stop(QUEUE, 'slice');
    } else if (this.#done >= MOST) this.#waiting = this.#waiting.slice(this.#done);
    else return;
    this.#done = 0;
  }

  /** A connection has a queue of its own in the kernel; an answer is to a request of ours. */
  #isKnown(flow: Flow, bytes: Buffer): boolean {
    if (flow.transport !== 'UDP') return true;
    const head = bytes.toString('latin1', 0, Math.min(bytes.length, HEAD));
    if (head.startsWith('SIP/2.0 ')) return true;
    const user = /^(?:From|f)[ \t]*:[^\r\n]*?sips?:([^@>;\r\n]+)@/im.exec(head)?.[1] ?? '';
    return this.#setting.isKnown(flow, user);
  }
}
