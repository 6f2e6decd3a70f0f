import type { CopyWrite } from '#shared/contract/peer/index.ts';
import { cloudDestination } from '../../delivery/outbox/index.ts';

/**
 * The stream of our rows to the host that holds them. One request is under way; what comes meanwhile is the next one, in
 * order, so that a newer row of a session never stands behind an older one.
 *
 *            offer                          confirmed
 *   idle ─────────────▶ under way ───────────────────────▶ the next, or idle
 *                         │  │ 2 s without an answer, failed
 *                         │  └──▶ sent again, as it was: repeating a copy changes nothing
 *                         └ 150 ms: whoever waits goes on alone; the row still goes to the holder
 *
 * Without a holder nothing is kept here: when there is one again, what it lacks is read from the journal (`catchUp`). That
 * may be a long list, and a device waits for what is made now: so the new goes first, and the old behind it, some at a time.
 */
export class CopyLane {
  #holder: string | undefined;
  #n = 0;
  #inFlight: Batch | undefined;
  #next: CopyWrite[] = [];
  #nextWaits: number[] = [];
  /** The earlier writes that a new holder lacks, by their name; oldest first. */
  readonly #old = new Map<string, CopyWrite>();
  /** When each commit that waits gives up, by its number; ascending, as a Map keeps them. */
  readonly #waits = new Map<number, number>();

  get holder(): string | undefined {
    return this.#holder;
  }

  /** Nothing is owed to the holder. */
  get idle(): boolean {
    return this.#inFlight === undefined && this.#next.length === 0 && this.#old.size === 0;
  }

  /** Monotonic ms at which `tick` is wanted. */
  get nextDueMs(): number | undefined {
    const first = this.#waits.values().next().value;
    const resend = this.#inFlight?.resendMs;
    return first === undefined ? resend : Math.min(first, resend ?? first);
  }

  /** Another holder, or none. Commits that wait go on alone. */
  hold(holder: string | undefined): readonly CopyEffect[] {
    if (holder === this.#holder) return [];
    this.#holder = holder;
    this.#inFlight = undefined;
    this.#next = [];
    this.#nextWaits = [];
    this.#old.clear();
    const alone = [...this.#waits.keys()].map((wait): CopyEffect => ({ kind: 'alone', wait }));
    this.#waits.clear();
    return alone;
  }

  /** `wait`: number of a commit that gets `copied` or `alone`; absent: no commit waits. */
  offer(writes: readonly CopyWrite[], nowMs: number, wait?: number): readonly CopyEffect[] {
    if (this.#holder === undefined) return wait === undefined ? [] : [{ kind: 'alone', wait }];
    this.#next.push(...writes);
    if (this.#old.size > 0) for (const write of writes) this.#outdate(write);
    if (wait !== undefined) {
      this.#nextWaits.push(wait);
      this.#waits.set(wait, nowMs + WAIT_MS);
    }
    return wait === undefined ? [] : this.#send(nowMs);
  }

  /** Rows of the time before, as the journal has them now. */
  catchUp(writes: readonly CopyWrite[], nowMs: number): readonly CopyEffect[] {
    if (this.#holder === undefined) return [];
    for (const write of writes) this.#old.set(nameOf(write), write);
    return this.#send(nowMs);
  }

  /** The holder has request `n` on its disk. */
  confirmed(n: number, nowMs: number): readonly CopyEffect[] {
    const batch = this.#inFlight;
    if (batch?.n !== n) return [];
    this.#inFlight = undefined;
    const effects: CopyEffect[] = [];
    for (const wait of batch.waits) {
      if (this.#waits.delete(wait)) effects.push({ kind: 'copied', wait });
    }
    if (this.#nextWaits.length > 0 || this.#old.size > 0) effects.push(...this.#send(nowMs));
    return effects;
  }

  /** Request `n` did not come through. */
  failed(n: number, nowMs: number): void {
    if (this.#inFlight?.n === n)
      this.#inFlight.resendMs = Math.min(this.#inFlight.resendMs, nowMs + AGAIN_MS);
  }

  /** Also carries writes that no commit waits for: call it at least each second. */
  tick(nowMs: number): readonly CopyEffect[] {
    const effects: CopyEffect[] = [];
    for (const [wait, atMs] of this.#waits) {
      if (atMs > nowMs) break;
      this.#waits.delete(wait);
      effects.push({ kind: 'alone', wait });
    }
    const batch = this.#inFlight;
    if (batch !== undefined && batch.resendMs <= nowMs && this.#holder !== undefined) {
      batch.resendMs = nowMs + RESEND_MS;
      effects.push({ kind: 'send', to: this.#holder, n: batch.n, writes: batch.writes });
    }
    return effects;
  }

  /** Sends what has collected, if nothing is under way. */
  flush(nowMs: number): readonly CopyEffect[] {
    return this.#send(nowMs);
  }

  /** A new write outdates an older one. The holder compares the state of a session. */
  #outdate(write: CopyWrite): void {
    if (write.kind === 'done') this.#old.delete(`outbox ${write.id}`);
    if (write.kind !== 'acked') return;
    for (const [name, old] of this.#old) if (isCovered(old, write)) this.#old.delete(name);
  }

  #send(nowMs: number): readonly CopyEffect[] {
    if (this.#inFlight !== undefined || this.#holder === undefined) return [];
    const fresh = this.#next.slice(0, BATCH);
    const all = fresh.length === this.#next.length;
    const old = all ? [...this.#old].slice(0, OLD_BATCH) : [];
    for (const [name] of old) this.#old.delete(name);
    const writes = [...fresh, ...old.map(([, write]) => write)];
    if (writes.length === 0) return [];
    const batch: Batch = {
      n: ++this.#n,
      writes,
      // A commit that waits gets its answer when the last of the writes offered before has arrived.
      waits: all ? this.#nextWaits : [],
      resendMs: nowMs + RESEND_MS,
    };
    this.#next = this.#next.slice(BATCH);
    if (all) this.#nextWaits = [];
    this.#inFlight = batch;
    return [{ kind: 'send', to: this.#holder, n: batch.n, writes }];
  }
}

interface Batch {
  readonly n: number;
  readonly writes: readonly CopyWrite[];
  readonly waits: readonly number[];
  resendMs: number;
}

export type CopyEffect =
  /** Comes back as `confirmed` or `failed`. */
  | { readonly kind: 'send'; readonly to: string; readonly n: number; readonly writes: readonly CopyWrite[] }
  /** The commit's rows are on the holder's disk. */
  | { readonly kind: 'copied'; readonly wait: number }
  /** 150 ms are over, or there is no holder: the commit stands alone. */
  | { readonly kind: 'alone'; readonly wait: number };

/** A healthy peer confirms within this, or the device is answered without it. */
const WAIT_MS = 150;
const RESEND_MS = 2_000;
const AGAIN_MS = 250;
/** Rows of one request at most; of the time before only as many as do not hold up what comes behind them. */
const BATCH = 500;
const OLD_BATCH = 50;

const nameOf = (write: CopyWrite): string =>
  write.kind === 'acked'
    ? `acked ${write.lane}`
    : `${write.kind} ${write.kind === 'done' ? write.id : write.row.id}`;

/** The cloud has this row. */
const isCovered = (old: CopyWrite, { lane, seq }: Extract<CopyWrite, { kind: 'acked' }>): boolean =>
  old.kind === 'outbox' &&
  old.row.dest === cloudDestination &&
  old.row.lane === lane &&
  Number(old.row.seq) <= seq;
