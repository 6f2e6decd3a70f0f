import type { KernelPorts } from '../kernel/port.ts';
import type { JournalPorts, JournalWrite } from './outbox/index.ts';

const WAIT_MS = 250;

/**
 * Writes that no other commit takes along and no caller waits for: batches of traces, and the bindings of registrations. They
 * go to the disk together a few times a second instead of costing one more commit for each.
 */
export class TraceWriteBehind {
  readonly #ports: JournalPorts & Pick<KernelPorts, 'run' | 'clock' | 'wakeBy'>;
  #waiting: JournalWrite[] = [];
  #dueMs = Number.POSITIVE_INFINITY;

  constructor(ports: JournalPorts & Pick<KernelPorts, 'run' | 'clock' | 'wakeBy'>) {
    this.#ports = ports;
  }

  get nextDueMs(): number {
    return this.#dueMs;
  }

  add(page: readonly JournalWrite[]): void {
    if (page.length === 0) return;
    this.#waiting.push(...page);
    if (this.#dueMs !== Number.POSITIVE_INFINITY) return;
    this.#dueMs = this.#ports.clock.monoMs() + WAIT_MS;
    this.#ports.wakeBy?.(this.#dueMs);
  }

  advance(nowMs: number): void {
    if (nowMs >= this.#dueMs) this.#ports.run(this.flush());
  }

  /** Writes what waits; before the journal closes. */
  async flush(): Promise<void> {
    const pages = this.#waiting;
    this.#waiting = [];
    this.#dueMs = Number.POSITIVE_INFINITY;
    if (pages.length > 0) await this.#ports.journal.commit(pages);
  }
}
