import { USAGE_TYPE } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import type { JournalPorts } from '../../delivery/outbox/index.ts';
import { cloudRow } from '../../delivery/site-report.ts';
import type { TimerPorts, TimerScope } from '../../kernel/engine-timers.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { TenantPorts } from '../../replica/index.ts';
import { UsageCounter, type Use, usageOf } from '../index.ts';

type Ports = KernelPorts & TimerPorts & TenantPorts & JournalPorts & UsagePorts;

/** A place for what is counted; one text, replaced as a whole. */
export interface UsageStore {
  /** Undefined: nothing was kept. */
  readonly load: () => string | undefined;
  readonly save: (text: string) => Promise<void>;
}

/** A crash forgets at most what was used in this time. */
const LOOK_MS = 60_000;
/** Owner of the one timer: all usage is kept together. */
const ALL = 'all';

/**
 * Counts the usage and reports it in lane `usage`, hour by hour; without a store nothing is counted. A span is on the disk as an
 * event before its store forgets it, under the id it began with, so that a crash in between reports none twice.
 */
export class UsageRecorder {
  readonly #ports: Ports;
  readonly #counter = new UsageCounter();
  readonly #timers: TimerScope<'look'>;
  /** When the timer is due; later starts leave it. */
  #dueMs = Number.POSITIVE_INFINITY;
  #keeping = Promise.resolve();

  constructor(ports: Ports) {
    this.#ports = ports;
    this.#timers = ports.timers.scope(() => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      this.#ports.run(this.flush());
    });
  }

  readonly count = (use: Use): void => {
    const { clock, random, usage } = this.#ports;
    if (usage === undefined) return;
    const wallMs = clock.wallMs();
    this.#counter.add(use, wallMs, () => ulid(wallMs, random(10)));
    this.#wake();
  };

  /** Goes on with what an earlier life has counted. */
  restore(): void {
    const { usage, journal } = this.#ports;
    const kept = usage?.load();
    if (kept === undefined) return;
    this.#counter.restore(kept, (id) => journal.outboxRow(id) !== undefined);
    this.#wake();
  }

  /**
   * Everything to the disk; the running span goes on, also in the next run. Flushes run one after the other: no two report one
   * span.
   */
  flush(): Promise<void> {
    this.#keeping = this.#keeping.then(() => this.#keep());
    return this.#keeping;
  }

  /** Also what runs becomes an event, as of now: this host leaves its service, and its disk may not be read any more. */
  tellAll(): Promise<void> {
    this.#counter.end(this.#ports.clock.wallMs());
    return this.flush();
  }

  /** While something runs or waits it is looked at each minute: a wall clock that is set moves the hours. */
  #wake(): void {
    const { endsMs, ended, isDirty } = this.#counter;
    if (endsMs === undefined && ended.length === 0 && !isDirty) return;
    const { clock } = this.#ports;
    const untilEndMs = Math.max(0, (endsMs ?? Number.POSITIVE_INFINITY) - clock.wallMs());
    const dueMs = clock.monoMs() + Math.min(LOOK_MS, untilEndMs);
    if (dueMs >= this.#dueMs) return;
    this.#dueMs = dueMs;
    this.#timers.start(ALL, 'look', dueMs);
  }

  async #keep(): Promise<void> {
    const { clock, log, usage } = this.#ports;
    this.#counter.look(clock.wallMs());
    try {
      for (const span of [...this.#counter.ended]) {
        const row = cloudRow(this.#ports, {
          lane: 'usage',
          type: USAGE_TYPE,
          body: JSON.stringify(usageOf(span)),
        });
        await this.#ports.journal.commit([{ kind: 'outbox', row: { ...row, id: span.id } }]);
        this.#counter.onStored(span.id);
      }
      if (this.#counter.isDirty) {
        this.#counter.isDirty = false;
        await usage?.save(this.#counter.kept);
      }
    } catch (cause) {
      this.#counter.isDirty = true;
      log('warn', 'usage.write_failed', 'Could not write the usage figures', { cause: String(cause) });
    }
    this.#wake();
  }
}

export interface UsagePorts {
  /** Keeps what was used over a restart; without it nothing is counted. */
  readonly usage?: UsageStore;
}
