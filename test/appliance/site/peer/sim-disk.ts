import type {
  EventRow,
  Journal,
  JournalWrite,
  OutboxRow,
  PeerRow,
  SessionRow,
} from '#appliance/delivery/outbox/index.ts';
import type { SimClock } from './sim-clock.ts';

/** The state that survives a crash. */
export class SimDisk {
  readonly sessions = new Map<string, SessionRow>();
  readonly events = new Map<string, EventRow>();
  readonly outbox = new Map<string, OutboxRow>();
  readonly peers = new Map<string, PeerRow & { origin: string; seq: number; atMs: number }>();
  epoch = 0;
  seq = 0;
  /** Nothing can be written. */
  broken = false;
  /** Sessions that went on in an older state than the one that lay here. */
  readonly wentBack = new Set<string>();
  /** Rows of another host, not known to be delivered. */
  owed(of: string) {
    const rows = [...this.peers.values()].filter(
      ({ origin, kind, done }) => origin === of && kind === 'outbox' && !done,
    );
    return rows.sort((a, b) => a.seq - b.seq);
  }

  /** In the order of the calls; a crash cuts it somewhere. */
  #pending: { writes: readonly JournalWrite[]; written: boolean }[] = [];

  /** The power goes: what was being written is there or not, in order. */
  crash(random: () => number): void {
    const kept = Math.floor(random() * (this.#pending.length + 1));
    for (const commit of this.#pending.slice(0, kept)) if (!commit.written) this.#apply(commit.writes);
    this.#pending = [];
  }

  /** The journal of one life; a commit of a former life is never answered. */
  open(clock: SimClock, random: () => number, alive: () => boolean): Journal {
    const commit = async (writes: readonly JournalWrite[]): Promise<void> => {
      const entry = { writes, written: false };
      this.#pending.push(entry);
      await clock.pause(1 + random() * 20);
      if (!alive()) return await new Promise(() => undefined);
      if (this.broken) {
        this.#pending = this.#pending.filter((each) => each !== entry);
        throw new Error('no space left on device');
      }
      // Group commits: whatever was asked for before is there too.
      for (const each of this.#pending.slice(0, this.#pending.indexOf(entry) + 1)) {
        if (each.written) continue;
        each.written = true;
        this.#apply(each.writes);
      }
      this.#pending = this.#pending.filter((each) => !each.written);
    };
    const undone = (row: OutboxRow): boolean => row.state === 'new' || row.state === 'inflight';
    const bySeq = (rows: Iterable<OutboxRow>): OutboxRow[] => [...rows].sort((a, b) => a.seq - b.seq);
    return {
      boot: 1,
      epoch: this.epoch,
      runningMs: 0,
      nextSeq: () => ++this.seq,
      commit,
      openSessions: () => [...this.sessions.values()],
      dedupeAnswers: () => [],
      session: (id: string) => this.sessions.get(id),
      events: (id: string) => [...this.events.values()].filter(({ sessionId }) => sessionId === id),
      outboxRow: (id: string) => this.outbox.get(id),
      undelivered: (after: number, limit: number) =>
        bySeq(this.outbox.values())
          .filter((row) => undone(row) && row.seq > after)
          .slice(0, limit),
      peerRows: (origin: string) =>
        [...this.peers.values()].filter((row) => row.origin === origin).sort((a, b) => a.seq - b.seq),
      peerRow: (origin: string, id: string) => this.peers.get(`${origin} outbox ${id}`),
      owedCopies: (origin: string, after: number, beforeMs: number, limit: number) =>
        this.owed(origin)
          .filter(({ seq, atMs }) => seq > after && atMs < beforeMs)
          .map((copy) => ({ ...copy, row: JSON.parse(copy.body) as OutboxRow }))
          .filter(({ row }) => row.origin === undefined)
          .map(({ id, seq, row }) => ({ id, seq, madeAt: row.createdWall }))
          .slice(0, limit),
      acknowledge: async () => undefined,
    } as unknown as Journal;
  }

  #apply(writes: readonly JournalWrite[]): void {
    for (const write of writes) {
      switch (write.kind) {
        case 'session': {
          const here = this.sessions.get(write.row.id);
          // As the journal does it: what was refused and is written late, from memory, must not end what was taken over since.
          if ((here?.rank ?? 0) <= (write.row.rank ?? 0)) this.sessions.set(write.row.id, write.row);
          break;
        }
        case 'event':
          this.events.set(write.row.id, write.row);
          break;
        case 'outbox':
          if (!this.outbox.has(write.row.id)) this.outbox.set(write.row.id, write.row);
          break;
        case 'outboxChange': {
          const row = this.outbox.get(write.id);
          if (row !== undefined) this.outbox.set(write.id, { ...row, ...write.change });
          break;
        }
        case 'outboxGone':
          this.outbox.delete(write.id);
          break;
        case 'peerPut': {
          const { origin, what, row, atMs } = write;
          const order = what === 'session' ? row.rank : row.seq;
          const seq = typeof order === 'number' ? order : 0;
          const before = this.peers.get(`${origin} ${what} ${row.id}`);
          if (what === 'session' && (before?.seq ?? 0) > seq) break;
          this.peers.set(`${origin} ${what} ${row.id}`, {
            origin,
            seq,
            atMs,
            kind: what,
            id: row.id,
            done: false,
            body: JSON.stringify(row),
          });
          break;
        }
        case 'peerDone': {
          const key = `${write.origin} outbox ${write.id}`;
          const row = this.peers.get(key);
          if (row !== undefined) this.peers.set(key, { ...row, done: true });
          break;
        }
        case 'peerGone':
          this.peers.delete(`${write.origin} outbox ${write.id}`);
          break;
        case 'epoch':
          this.epoch = Math.max(this.epoch, write.epoch);
          break;
        default:
          break;
      }
    }
  }
}
