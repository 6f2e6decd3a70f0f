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

/** Events of an earlier run, or of a host that has failed, until each is on its way again. */
export class SendingRestore {
  readonly #ports: Ports;
  /** @returns false while its event sender is not there; `atLast`: such an event ends, and its application gets the reason */
  readonly #resume: (stored: StoredSending, atLast: boolean) => boolean;
  readonly #waiting = new Map<string, StoredSending>();
  readonly #timers: TimerScope<'patience'>;
  /** Nothing can be sent yet. */
  #held = false;

  constructor(ports: Ports, resume: (stored: StoredSending, atLast: boolean) => boolean) {
    this.#ports = ports;
    this.#resume = resume;
    this.#timers = ports.timers.scope((id) => this.#look(id, true));
  }

  get size(): number {
    return this.#waiting.size;
  }

  get sessionIds(): Iterable<string> {
    return this.#waiting.keys();
  }

  /**
   * Gives all that is stored to `seen`, also what is over. `only`: of these sessions. `later`: none goes on before `goOn`, since
   * nothing can be sent yet.
   */
  begin(
    seen: (stored: StoredSending) => void,
    { only, later = false }: { readonly only?: ReadonlySet<string>; readonly later?: boolean } = {},
  ): void {
    if (later) this.#held = true;
    const untilMs = this.#ports.clock.monoMs() + WAIT_MS;
    for (const stored of storedSendings(this.#ports)) {
      if (only?.has(stored.facts.sessionId) === false) continue;
      seen(stored);
      if (stored.session.phase === 'over' || (!this.#held && this.#resume(stored, false))) continue;
      this.#waiting.set(stored.facts.sessionId, stored);
      this.#timers.start(stored.facts.sessionId, 'patience', untilMs);
    }
  }

  /** The configuration changed: event senders may be there now. */
  follow(): void {
    if (this.#held) return;
    for (const id of this.#waiting.keys()) this.#look(id, false);
  }

  /** Requests can leave from now on. */
  goOn(): void {
    this.#held = false;
    this.follow();
  }

  #look(id: string, atLast: boolean): void {
    const stored = this.#waiting.get(id);
    if (stored === undefined || !this.#resume(stored, atLast)) return;
    this.#waiting.delete(id);
    this.#timers.stop(id, 'patience');
  }
}
