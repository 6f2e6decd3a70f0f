import type { CopyWrite, StateAnswer } from '#shared/contract/peer/index.ts';
import type { PersistedSessions } from '../../../alarm/receiving/stored-alarm.ts';
import type {
  EventRow,
  Journal,
  JournalWrite,
  OutboxRow,
  PeerRow,
  SessionRow,
} from '../../../delivery/outbox/index.ts';
import type { KernelPorts } from '../../../kernel/port.ts';

/** The rows and sessions that are taken over from a dead host. */
export interface Adoption {
  readonly writes: readonly JournalWrite[];
  /** To be delivered, with the ids they were born with. */
  readonly rows: readonly OutboxRow[];
  /** Alarms that go on here, and whose repeats are answered here. */
  readonly sessions: ReadonlySet<string>;
  /** Those sessions with their events. */
  readonly left: PersistedSessions;
}

type AdoptionPorts = Pick<KernelPorts, 'clock'> & {
  readonly journal: Pick<
    Journal,
    'nextSeq' | 'outboxRow' | 'peerRows' | 'boot' | 'openSessions' | 'dedupeAnswers' | 'session' | 'events'
  >;
  /** Sessions in this host's hands now. */
  readonly running: () => ReadonlySet<string>;
  /** Rows that this host is sending now. */
  readonly isInFlight: (id: string) => boolean;
  readonly deadline: () => number;
  /** Our id of the callback that another host calls `id` and made at `atMs` (epoch ms). */
  readonly twinOf: (id: string, atMs: number) => string | undefined;
};

/** Rows as a holder keeps them. */
export function heldWrites(
  origin: string,
  writes: readonly CopyWrite[],
  atMs: number,
): readonly JournalWrite[] {
  return writes.map((write): JournalWrite => {
    if (write.kind === 'done') return { kind: 'peerDone', origin, id: write.id };
    if (write.kind === 'acked') return { kind: 'peerAcked', origin, lane: write.lane, seq: write.seq };
    return { kind: 'peerPut', origin, what: write.kind, row: write.row, atMs };
  });
}

/**
 * Rows of `origin` become ours: same ids, our own numbers, and where they come from. `sessions`: only its alarms, so that
 * devices that repeat get the answer they would have got there; ids: these rows and their alarms. `known` are left out.
 * Undefined: there is nothing.
 *
 * A host that was only slow is doubted too, and both may have continued one session. A session that runs here goes on as it
 * is, and the newer state of a stored one stays.
 */
export function adoptionOf(
  ports: AdoptionPorts,
  origin: string,
  what: 'sessions' | 'all' | ReadonlySet<string>,
  known: ReadonlySet<string>,
): Adoption | undefined {
  const held = ports.journal.peerRows(origin).filter(({ done }) => !done);
  const outbox = held.filter(
    ({ kind, id }) => kind === 'outbox' && what !== 'sessions' && (what === 'all' || what.has(id)),
  );
  const whose = typeof what === 'string' ? undefined : new Set(outbox.map(orderKeyOf));
  const rows = outbox.flatMap((row) => adopted(ports, origin, row));
  const running = ports.running();
  const left = held
    .filter(({ kind, id }) => kind === 'session' && !known.has(id) && !running.has(id))
    .filter(({ id }) => whose?.has(id) !== false)
    .map(({ body }) => JSON.parse(body) as SessionRow)
    .filter((row) => isReported(ports, row));
  const own = receivedHere(ports, left);
  const sessions = left.filter(({ id }) => !own.has(id));
  const taken = new Set(sessions.map(({ id }) => id));
  const events = held
    .filter(({ kind }) => kind === 'event')
    .map(({ body }) => JSON.parse(body) as EventRow)
    .filter(({ sessionId }) => taken.has(sessionId));
  if (rows.length === 0 && sessions.length === 0) return undefined;
  const writes: JournalWrite[] = [
    ...sessions.map((row): JournalWrite => ({ kind: 'session', row })),
    ...events.map((row): JournalWrite => ({ kind: 'event', row })),
    ...rows.map((row): JournalWrite => ({ kind: 'outbox', row })),
    // Ours from now on: what we have delivered must not be taken over once more.
    ...outbox.map(({ id }): JournalWrite => ({ kind: 'peerDone', origin, id })),
  ];
  const eventsOf = (id: string): readonly EventRow[] => {
    const theirs = events.filter(({ sessionId }) => sessionId === id);
    return theirs.length > 0 ? theirs : ports.journal.events(id);
  };
  return { writes, rows, sessions: taken, left: { sessions, events: eventsOf } };
}

/** Sessions that go on, or whose devices may still repeat what began them. */
export function answerable({
  journal,
  clock,
}: Pick<KernelPorts, 'clock'> & {
  readonly journal: Pick<Journal, 'dedupeAnswers' | 'openSessions'>;
}): readonly SessionRow[] {
  const all = [...journal.dedupeAnswers(clock.wallMs()), ...journal.openSessions()];
  return [...new Map(all.map((row) => [row.id, row])).values()];
}

/** Rows that another host lacks and that no receiver has yet, as they are now, each behind its session. */
export function withSessions(
  journal: Pick<Journal, 'outboxRow' | 'session' | 'events'>,
  lacking: readonly string[],
): readonly JournalWrite[] {
  return lacking.flatMap((id): JournalWrite[] => {
    const row = journal.outboxRow(id);
    // Delivered while the other one looked.
    if (row === undefined || row.state === 'done' || row.state === 'dead') return [];
    const session = journal.session(row.orderKey);
    return [
      ...(session === undefined ? [] : [{ kind: 'session', row: session } as const]),
      ...journal.events(row.orderKey).map((event): JournalWrite => ({ kind: 'event', row: event })),
      { kind: 'outbox', row },
    ];
  });
}

/** Nothing of it lies here, or an older state. */
function isReported({ journal }: AdoptionPorts, { id, rank = 0 }: SessionRow): boolean {
  const here = journal.session(id);
  return here === undefined || (here.rank ?? 0) < rank;
}

/** Alarms that their devices have also sent to us: our exchange with them is the one that goes on. */
function receivedHere({ journal, clock }: AdoptionPorts, left: readonly SessionRow[]): ReadonlySet<string> {
  const theirs = new Map(left.map(({ id, dedupeKey }) => [id, dedupeKey]));
  const ours = answerable({ journal, clock });
  const others = ours.filter(({ id, dedupeKey }) => theirs.has(id) && theirs.get(id) !== dedupeKey);
  return new Set(others.map(({ id }) => id));
}

function adopted(ports: AdoptionPorts, origin: string, { id, body }: PeerRow): OutboxRow[] {
  const { journal, deadline, isInFlight, twinOf } = ports;
  const own = journal.outboxRow(id);
  // The device sent it to us too. A live request that no host makes any more goes out as a record.
  if (own !== undefined) return own.state === 'inflight' && !isInFlight(id) ? [own] : [];
  const row = JSON.parse(body) as OutboxRow;
  const twin = twinOf(id, row.createdWall);
  // The device sent it to us under another id, across the border of a period: ours is the one that is delivered.
  if (twin !== undefined && journal.outboxRow(twin) !== undefined) return [];
  const born = row.origin ?? JSON.stringify({ uid: origin, boot: row.boot, seq: row.seq });
  return [{ ...row, seq: journal.nextSeq(), boot: journal.boot, deadline: deadline(), origin: born }];
}

const orderKeyOf = ({ body }: PeerRow): string => (JSON.parse(body) as OutboxRow).orderKey;

interface StatePorts {
  readonly journal: Pick<Journal, 'outboxRow' | 'peerRow'>;
  readonly isInFlight: (id: string) => boolean;
  readonly twinOf: (id: string, madeAtMs: number) => string | undefined;
}

/**
 * The state here of rows that a host has not delivered. Those that were born there, that we have taken over and that are not
 * under way are given back (`giveBack`), and named `lacking`, so that they are copied to us again. Only to where they were
 * born: two hosts that took over the same row would each leave it to the other. An alarm that the device has sent to us too,
 * under another id, is ours to deliver.
 */
export function stateOfRows(
  { journal, isInFlight, twinOf }: StatePorts,
  origin: string,
  asked: readonly { readonly id: string; readonly madeAt: number | undefined }[],
): StateAnswer & { readonly giveBack: readonly string[] } {
  const [done, lacking, giveBack]: [string[], string[], string[]] = [[], [], []];
  for (const { id, madeAt } of asked) {
    const own = journal.outboxRow(id);
    if (own !== undefined) {
      if (own.state === 'done' || own.state === 'dead') done.push(id);
      else if (bornAt(own) === origin && !isInFlight(id)) {
        giveBack.push(id);
        lacking.push(id);
      }
      continue;
    }
    const twin = madeAt === undefined ? undefined : twinOf(id, madeAt);
    if (twin !== undefined && journal.outboxRow(twin) !== undefined) {
      done.push(id);
      continue;
    }
    const held = journal.peerRow(origin, id);
    if (held === undefined) lacking.push(id);
    // The host reported it itself, before it forgot.
    else if (held.done) done.push(id);
  }
  return { done, lacking, giveBack };
}

/** A delivered row stays on the disk for a day at least: younger rows that are not there never were. */
const SURELY_KEPT_MS = 20 * 3_600_000;

/**
 * Splits rows of ours that another host keeps: those that it may let go, and those that we never wrote, because we died at that
 * moment. They are its to deliver: we know nothing of them, and perhaps it has acknowledged them to the device.
 */
export function heldOfOurs(
  {
    journal,
    twinOf,
    clock,
  }: Pick<StatePorts, 'twinOf'> &
    Pick<KernelPorts, 'clock'> & { readonly journal: Pick<Journal, 'outboxRow' | 'peerRow' | 'salvagedMs'> },
  held: readonly { readonly id: string; readonly madeAt: number | undefined }[],
): Required<Pick<StateAnswer, 'over' | 'unknown'>> {
  const [over, unknown]: [string[], string[]] = [[], []];
  // A journal that was never damaged answers 0.
  const salvagedMs = journal.salvagedMs?.() || Number.NEGATIVE_INFINITY;
  for (const { id, madeAt } of held) {
    const own = journal.outboxRow(id);
    if (own?.state === 'done' || own?.state === 'dead') over.push(id);
    // Damage takes rows of any age: a row without a known receiver is delivered again rather than never.
    else if (
      own === undefined &&
      madeAt !== undefined &&
      (clock.wallMs() - madeAt < SURELY_KEPT_MS || madeAt < salvagedMs)
    )
      // Heard again, across the border of a period: ours is the one that is delivered.
      (twinOf(id, madeAt) === undefined ? unknown : over).push(id);
  }
  return { over, unknown };
}

/** uid of the host that made the row; undefined: we did. */
function bornAt({ origin }: OutboxRow): string | undefined {
  return origin ? (JSON.parse(origin) as { readonly uid: string }).uid : undefined;
}
