import type { ExchangeTimer } from '../alarm/protocol/scaip/index.ts';
import type { SessionTimer } from '../alarm/session/index.ts';
import { type Timer, TimerWheel } from '../sip/transaction/index.ts';

/** A timer of an exchange or of the session behind it; both are named by the exchange. */
export type AlarmTimer =
  | { readonly of: 'exchange'; readonly exchange: string; readonly timer: ExchangeTimer }
  | { readonly of: 'session'; readonly exchange: string; readonly timer: SessionTimer };

/** The running timers of all alarms, by name: starting one again replaces it, as machines expect. */
export class AlarmTimers {
  readonly #wheel: TimerWheel<AlarmTimer, 'alarm'>;
  readonly #running = new Map<string, Timer<AlarmTimer, 'alarm'>>();

  constructor(nowMs: number) {
    this.#wheel = new TimerWheel(nowMs);
  }

  start(timer: AlarmTimer, dueMs: number): void {
    this.stop(timer);
    this.#running.set(nameOf(timer), this.#wheel.start(timer, 'alarm', dueMs));
  }

  stop(timer: AlarmTimer): void {
    const name = nameOf(timer);
    const running = this.#running.get(name);
    if (running === undefined) return;
    this.#wheel.stop(running);
    this.#running.delete(name);
  }

  /** Timers due at `nowMs`, earliest first; they run no longer. */
  advance(nowMs: number): readonly AlarmTimer[] {
    const due = this.#wheel.advance(nowMs).map(({ key }) => key);
    for (const timer of due) this.#running.delete(nameOf(timer));
    return due;
  }

  get nextDueMs(): number | undefined {
    return this.#wheel.nextDueMs();
  }
}

const nameOf = ({ exchange, of, timer }: AlarmTimer): string => `${exchange} ${of} ${timer}`;
