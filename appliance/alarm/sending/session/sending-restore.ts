import type { JournalPorts } from '../../../delivery/outbox/index.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import { type StoredSending, storedSendings } from './active-sending.ts';

type Ports = KernelPorts & JournalPorts;

/**
 * `Chosen:` an event that was taken waits this long after a restart for its event sender: the configuration that it was taken
 * under may be on its way, or back at the one before. Then a person gets the notice that it was not sent.
 */
const WAIT_MS = 60_000;
const LOOK_MS = 1_000;

/** Events of an earlier run, or of a host that has failed, until each is on its way again. */
export class SendingRestore {
  readonly #ports: Ports;
  /** False: its event sender is not there; `atLast`, it is told so. */
  readonly #resume: (stored: StoredSending, atLast: boolean) => boolean;
  readonly #waiting = new Map<string, { readonly stored: StoredSending; readonly untilMs: number }>();
  #lookMs = 0;

  constructor(ports: Ports, resume: (stored: StoredSending, atLast: boolean) => boolean) {
    this.#ports = ports;
    this.#resume = resume;
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
    if (this.#waiting.size > 0) this.#ports.wakeBy?.(this.#lookMs);
  }

  get nextDueMs(): number | undefined {
    return this.#waiting.size > 0 ? this.#lookMs : undefined;
  }

  advance(nowMs: number): void {
    if (this.#waiting.size === 0 || nowMs < this.#lookMs) return;
    this.#lookMs = nowMs + LOOK_MS;
    for (const [id, { stored, untilMs }] of this.#waiting)
      if (this.#resume(stored, nowMs >= untilMs)) this.#waiting.delete(id);
  }
}
