import { type UsageData, usageDataSchema } from '#shared/contract/feed/index.ts';

/** Something that was used: `n` of it, once when absent. Words as in the contract (`shared/contract/feed/usage.ts`). */
export interface Use {
  readonly of: UsageData['counts'][number]['of'];
  readonly n?: number;
  readonly protocol?: string;
  readonly result?: string;
}

/** The counts from `from` on, epoch ms. `id`: of the event that will report them, so that no event reports them twice. */
export interface UsageSpan {
  readonly id: string;
  readonly from: number;
  /** Undefined: it runs. */
  readonly to?: number | undefined;
  readonly counts: UsageData['counts'];
}

const HOUR_MS = 3_600_000;
/** Telemetry is kept for 24 h (control plane 5): of what cannot be stored no more is held, the oldest goes first. */
const MOST_ENDED = 24;

/**
 * The usage of this host, hour by hour.
 *
 *     nothing ── first use ──▶ a span runs ── full hour, end of service, clock set back ──▶ ended ── sent ──▶ over
 *                                ▲ use │
 *                                └─────┘
 *
 * A span without use does not exist. Ended spans wait until they are on the disk as events.
 */
export class UsageCounter {
  #ended: UsageSpan[] = [];
  #running: UsageSpan | undefined;
  /** Changed since whoever keeps it has looked. */
  isDirty = false;

  /** `newId`: for the event of a span that begins. */
  add({ of, n = 1, protocol = '', result = '' }: Use, wallMs: number, newId: () => string): void {
    this.look(wallMs);
    const { id, from, counts } = this.#running ?? { id: newId(), from: wallMs, counts: [] };
    const is = (each: UsageData['counts'][number]): boolean =>
      each.of === of && each.protocol === protocol && each.result === result;
    const sum = (counts.find(is)?.n ?? 0) + n;
    this.#running = {
      id,
      from,
      counts: [...counts.filter((each) => !is(each)), { of, protocol, result, n: sum }],
    };
    this.isDirty = true;
  }

  /** Ends the span whose hour is over. One that seems to lie ahead ends too: its clock was wrong, or is now. */
  look(wallMs: number): void {
    const running = this.#running;
    if (running === undefined) return;
    const endMs = hourEnd(running.from);
    if (wallMs >= running.from && wallMs < endMs) return;
    this.#end({ ...running, to: wallMs < running.from ? running.from : endMs });
  }

  /** Ends the running span, as of now: the program may not run at the full hour. */
  end(wallMs: number): void {
    this.look(wallMs);
    if (this.#running !== undefined) this.#end({ ...this.#running, to: wallMs });
  }

  #end(span: UsageSpan): void {
    this.#ended = [...this.#ended, span].slice(-MOST_ENDED);
    this.#running = undefined;
    this.isDirty = true;
  }

  /** The spans to report, the oldest first. */
  get ended(): readonly UsageSpan[] {
    return this.#ended;
  }

  /** Epoch ms at which the running span ends; undefined: none runs. */
  get endsMs(): number | undefined {
    return this.#running && hourEnd(this.#running.from);
  }

  /** It is on the disk as an event. */
  onStored(id: string): void {
    this.#ended = this.#ended.filter((span) => span.id !== id);
    this.isDirty = true;
  }

  /** For the next life. */
  get kept(): string {
    return JSON.stringify([...this.#ended, ...(this.#running === undefined ? [] : [this.#running])]);
  }

  /** Takes over the spans that an earlier run kept, except those that it did report (`isTold`). Damaged text gives none. */
  restore(kept: string, isReported: (id: string) => boolean): void {
    const spans = spansIn(kept);
    const unreported = spans.filter(({ id }) => !isReported(id));
    this.#ended = unreported.filter(({ to }) => to !== undefined);
    this.#running = unreported.find(({ to }) => to === undefined);
    this.isDirty = unreported.length < spans.length;
  }
}

/** The words of the feed for a span that has ended. */
export const usageOf = ({ from, to = from, counts }: UsageSpan): UsageData => ({
  from,
  to,
  counts: [...counts],
});

const hourEnd = (fromMs: number): number => fromMs - (fromMs % HOUR_MS) + HOUR_MS;

function spansIn(kept: string): readonly UsageSpan[] {
  try {
    const all: unknown = JSON.parse(kept);
    return Array.isArray(all) ? all.flatMap(spanOf) : [];
  } catch {
    return [];
  }
}

function spanOf(each: Partial<UsageSpan> | null): UsageSpan[] {
  const read = usageDataSchema.safeParse({ ...each, to: each?.to ?? each?.from }).data;
  if (read === undefined || typeof each?.id !== 'string') return [];
  const { from, counts } = read;
  return [{ id: each.id, from, to: each.to, counts }];
}
