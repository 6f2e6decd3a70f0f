import type { TimerPorts, TimerScope } from '../kernel/engine-timers.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { JournalPorts, JournalWrite } from './outbox/index.ts';

const WAIT_MS = 250;

type Ports = JournalPorts & TimerPorts & Pick<KernelPorts, 'run' | 'clock'>;

/**
 * Writes that no other commit takes along and no caller waits for: batches of traces, and the bindings of registrations. They
 * go to the disk together a few times a second instead of costing one more commit for each.
 */
export class TraceWriteBehind {
  readonly #ports: Ports;
  readonly #timers: TimerScope<'flush'>;
  #waiting: JournalWrite[] = [];

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#timers = ports.timers.scope(() => ports.run(this.flush()));
  }

  add(page: readonly JournalWrite[]): void {
    if (page.length === 0) return;
    if (this.#waiting.length === 0)
      this.#timers.start('pages', 'flush', this.#ports.clock.monoMs() + WAIT_MS);
    this.#waiting.push(...page);
  }

  /** Writes what waits; before the journal closes. */
  async flush(): Promise<void> {
    const pages = this.#waiting;
    this.#waiting = [];
    this.#timers.stop('pages', 'flush');
    if (pages.length > 0) await this.#ports.journal.commit(pages);
  }
}
