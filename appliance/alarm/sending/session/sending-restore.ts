import type { JournalPorts } from '../../../delivery/outbox/index.ts';
import type { TimerPorts, TimerScope } from '../../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import { type StoredSending, storedSendings } from './active-sending.ts';

type Ports = KernelPorts & TimerPorts & JournalPorts;

/**
 * `Chosen:` an event that was taken waits this long after a restart for its event sender: the configuration that it was taken
 * under may be on its way, or back at the one before. Then a person gets the notice that it was not sent.
 */
const WAIT_MS = 60_000;
const LOOK_MS = 1_000;
/** Owner of the one timer: all events are looked at together. */
const ALL = 'all';

/** Events of an earlier run, or of a host that has failed, until each is on its way again. */
export class SendingRestore {
  readonly #ports: Ports;
  /** False: its event sender is not there; `atLast`, it is told so. */
  readonly #resume: (stored: StoredSending, atLast: boolean) => boolean;
  readonly #waiting = new Map<string, { readonly stored: StoredSending; readonly untilMs: number }>();
  readonly #timers: TimerScope<'look'>;

  constructor(ports: Ports, resume: (stored: StoredSending, atLast: boolean) => boolean) {
    this.#ports = ports;
    this.#resume = resume;
    this.#timers = ports.timers.scope((_owner, _timer, nowMs) => this.#look(nowMs));
  }

  get size(): number {
    return this.#waiting.size;
  }

  get sessionIds(): Iterable<string> {
    return this.#waiting.keys();
  }

  /** Gives all that is stored to `seen`, also what is over; `only`: of these sessions. */
  begin(seen: (stored: StoredSending) => void, only?: ReadonlySet<string>): void {
    const untilMs = this.#ports.clock.monoMs() + WAIT_MS;
    for (const stored of storedSendings(this.#ports)) {
      if (only?.has(stored.facts.sessionId) === false) continue;
      seen(stored);
      if (stored.session.phase !== 'over' && !this.#resume(stored, false))
        this.#waiting.set(stored.facts.sessionId, { stored, untilMs });
    }
    if (this.#waiting.size > 0) this.#timers.start(ALL, 'look', this.#ports.clock.monoMs());
  }

  #look(nowMs: number): void {
    for (const [id, { stored, untilMs }] of this.#waiting)
      if (this.#resume(stored, nowMs >= untilMs)) this.#waiting.delete(id);
    if (this.#waiting.size > 0) this.#timers.start(ALL, 'look', nowMs + LOOK_MS);
  }
}
