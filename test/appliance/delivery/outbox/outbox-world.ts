import {
  type DeliveryResult,
  type JournalWrite,
  type Now,
  type OutboxEffect,
  type OutboxInput,
  OutboxPolicy,
  type OutboxRow,
} from '#appliance/delivery/outbox/index.ts';

export const dayMs = 24 * 3_600_000;
const startWallMs = 1_770_000_000_000;

/** A row as the runtime would commit it; seq orders, dest and orderKey place. */
export function row(seq: number, change: Partial<OutboxRow> = {}): OutboxRow {
  return {
    id: `id-${String(seq).padStart(6, '0')}`,
    seq,
    lane: 'alarm',
    tenant: 'tenant',
    dest: 'bridge:1',
    orderKey: 'session-1',
    type: 'newAlarmbridgeEvent',
    body: '{}',
    createdWall: startWallMs,
    createdMono: 0,
    boot: 1,
    epoch: 1,
    notBefore: 0,
    attempts: 0,
    deadline: 7 * dayMs,
    expirePolicy: 'record',
    state: 'new',
    late: false,
    lastErr: null,
    authIdx: 0,
    ...change,
  };
}

interface Attempt {
  readonly row: OutboxRow;
  readonly number: number;
  readonly atMs: number;
}

/** The machine on a fake clock, its rows as a map that the write effects change, and a log of what it did. */
export class OutboxWorld {
  readonly rows = new Map<string, OutboxRow>();
  readonly attempts: Attempt[] = [];
  readonly raised: { id: string; reason: string }[] = [];
  readonly inProgress = new Set<string>();
  monoMs = 0;
  wakeAtMs: number | undefined;
  private wallOffMs = startWallMs;
  private runningMs = 0;
  private readonly random: () => number;
  private policy: OutboxPolicy;

  /** 0.5 stands in the middle of the jitter: the waits are those of the table. */
  constructor(random: () => number = () => 0.5) {
    this.random = random;
    this.policy = this.policyNow();
  }

  get now(): Now {
    return { wallMs: this.wallOffMs + this.monoMs, monoMs: this.monoMs };
  }

  queue(...rows: readonly OutboxRow[]): void {
    for (const one of rows) {
      this.rows.set(one.id, one);
      this.step({ kind: 'queued', now: this.now, row: one });
    }
  }

  result(id: string, result: DeliveryResult): void {
    this.inProgress.delete(id);
    this.step({ kind: 'result', now: this.now, id, result });
  }

  deliver(id: string): void {
    this.result(id, { kind: 'delivered' });
  }

  refuse(id: string, status: number, retryAfterS?: number): void {
    const hint = retryAfterS === undefined ? {} : { retryAfterS };
    this.result(id, { kind: 'refused', status, reason: `answered ${status}`, ...hint });
  }

  unreached(id: string): void {
    this.result(id, { kind: 'unreached', reason: 'timeout' });
  }

  /** Lets time pass to the wake-up that was asked for. */
  wake(): void {
    if (this.wakeAtMs === undefined) throw new Error('no wake-up was asked for');
    this.monoMs = Math.max(this.monoMs, this.wakeAtMs);
    this.wakeAtMs = undefined;
    this.step({ kind: 'wake', now: this.now });
  }

  /** The program ends and starts again, with everything that was not delivered; `offMs` without power. */
  restart(offMs = 0): void {
    this.wallOffMs += this.monoMs + offMs;
    this.monoMs = 0;
    this.wakeAtMs = undefined;
    this.inProgress.clear();
    this.policy = this.policyNow();
    const rows = [...this.rows.values()].filter(({ state }) => state === 'new' || state === 'inflight');
    rows.sort((a, b) => a.seq - b.seq);
    this.step({ kind: 'recovered', now: this.now, rows });
  }

  step(input: OutboxInput): void {
    for (const effect of this.policy.step(input)) this.perform(effect);
  }

  depth(): Record<string, number> {
    return Object.fromEntries(this.policy.depth());
  }

  state(id: string): OutboxRow {
    const found = this.rows.get(id);
    if (found === undefined) throw new Error(`no row ${id}`);
    return found;
  }

  private policyNow(): OutboxPolicy {
    return new OutboxPolicy({ now: this.now, runningMs: this.runningMs, random: this.random });
  }

  private perform(effect: OutboxEffect): void {
    if (effect.kind === 'attempt') {
      this.attempts.push({ row: effect.row, number: effect.number, atMs: this.monoMs });
      this.inProgress.add(effect.row.id);
    } else if (effect.kind === 'wakeAt') {
      this.wakeAtMs = effect.monoMs;
    } else if (effect.kind === 'raise') {
      this.raised.push({ id: effect.row.id, reason: effect.reason });
    } else {
      this.write(effect.write);
    }
  }

  private write(write: JournalWrite): void {
    if (write.kind === 'runningMs') this.runningMs = write.ms;
    if (write.kind === 'outboxChange') this.rows.set(write.id, { ...this.state(write.id), ...write.change });
  }
}
