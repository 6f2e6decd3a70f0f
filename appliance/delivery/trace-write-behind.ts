import type { TimerPorts, TimerScope } from '../kernel/engine-timers.ts';
import type { KernelPorts } from '../kernel/port.ts';
import type { JournalPorts, JournalWrite } from './outbox/index.ts';

const WAIT_MS = 250;
/**
 * Signs of one commit, about: what is handed to the journal's thread is copied on this one, and 12 MB, a call of 60,000 steps, take
 * 10 to 40 ms. So much takes less than one.
 */
const STEP_SIGNS = 256 * 1024;

type Ports = { readonly journal: Pick<JournalPorts['journal'], 'commit'> } & TimerPorts &
  Pick<KernelPorts, 'run' | 'clock'>;

/**
 * Writes that no other commit takes along and no caller waits for: batches of traces, and the bindings of registrations. They
 * go to the disk together a few times a second instead of costing one more commit for each.
 */
export class TraceWriteBehind {
  readonly #ports: Ports;
  readonly #timers: TimerScope<'flush'>;
  #waiting: JournalWrite[] = [];
  /** Resolves when all before was written; undefined: nothing is being written. */
  #writing: Promise<void> | undefined;

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

  /** Writes what waits, behind what is being written; before the journal closes. */
  flush(): Promise<void> {
    const pages = this.#waiting;
    this.#waiting = [];
    this.#timers.stop('pages', 'flush');
    const written = this.#writing?.then(() => this.#write(pages)) ?? this.#write(pages);
    const settled = written
      // The caller hears of it.
      .catch(() => undefined)
      .then(() => {
        if (this.#writing === settled) this.#writing = undefined;
      });
    this.#writing = settled;
    return written;
  }

  async #write(pages: readonly JournalWrite[]): Promise<void> {
    for (let from = 0; from < pages.length; ) {
      const to = stepEnd(pages, from);
      await this.#ports.journal.commit(pages.slice(from, to));
      from = to;
    }
  }
}

/** End of the step that begins here: one write at least. */
function stepEnd(pages: readonly JournalWrite[], from: number): number {
  let signs = 0;
  for (let at = from; at < pages.length; at++) {
    const page = pages[at];
    signs += page?.kind === 'trace' ? page.row.body.length : 0;
    if (signs > STEP_SIGNS && at > from) return at;
  }
  return pages.length;
}
