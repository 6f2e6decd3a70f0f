import { z } from 'zod';
import type { HostPlace } from '#shared/contract/feed/index.ts';
import { invalid } from '#shared/contract/invalid.ts';
import {
  RECORD_BATCH_LIMIT,
  RECORD_LIMIT_BYTES,
  type SessionRecord,
  sessionRecordSchema,
} from '#shared/contract/session-record/index.ts';
import {
  addRecordHours,
  monthOf,
  noteRecord,
  putRecords,
  recordAudit,
  recordSeq,
  recordsForWrite,
  type SessionRecordRow,
  type Store,
  setRecordSeq,
  type Tx,
} from '../store/index.ts';
import { beginOf } from './begin-time.ts';
import { furtherEndsOf, withFurtherEnd } from './further-end.ts';
import { HourSum } from './hour-sum.ts';
import { fateOf, type Version } from './replacement.ts';

export interface IntakePort {
  /** For reading, and for writing where `storeOf` is absent. */
  readonly store: Store;
  /** The store of the owner of a shard. */
  readonly storeOf?: (sh: string) => Store;
  /** After the commit: rows that are new, or have new content. */
  readonly onTaken: (tenant: string, rows: readonly SessionRecordRow[]) => void;
}

/** The envelope of `recordBatchSchema`; its records are judged one by one. */
const batchSchema = z.object({
  v: z.literal(1),
  sid: z.string(),
  items: z.array(z.unknown()).min(1).max(RECORD_BATCH_LIMIT),
});
const count = z.number().int().nonnegative();
const itemSchema = z.object({ seq: count, prev: count, record: z.unknown() });
type Item = z.output<typeof itemSchema>;

/** A record that was refused, and why. */
interface Refused {
  readonly seq: number;
  readonly reason: string;
}

/** A record as it was sent, with members that this version does not know. */
interface Sent {
  readonly seq: number;
  readonly record: SessionRecord;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Takes batches of records of hosts. */
export class RecordIntake {
  readonly #port: IntakePort;
  /** By host: the `prev` of the item that was sent back last. */
  readonly #sentBack = new Map<string, number>();

  constructor(port: IntakePort) {
    this.#port = port;
  }

  /** The number up to which the records of a host are committed. */
  seqOf(uid: string): Promise<number> {
    return recordSeq(this.#port.store, uid);
  }

  /** Commits a batch. Gives the number up to which everything is committed; undefined when the batch is none. */
  async take(
    place: HostPlace,
    hostId: string,
    batch: unknown,
    receivedAt: number,
  ): Promise<number | undefined> {
    const { data } = batchSchema.safeParse(batch);
    if (data === undefined) return undefined;
    const items = data.items.flatMap((item) => itemSchema.safeParse(item).data ?? []);
    const unreadable = data.items.length - items.length;
    const { seq, rows } = await this.#storeOf(place.sh).withTx(async (tx) => {
      const before = await recordSeq(tx, place.uid);
      const taken = this.#inOrder(place.uid, items, before);
      const { sent, refused } = judged(taken);
      if (unreadable > 0) refused.push({ seq: 0, reason: `${unreadable} items have no number` });
      const written = await write(tx, { place, hostId, receivedAt }, sent, refused);
      if (refused.length > 0) await audit(tx, place, hostId, refused, receivedAt);
      const last = Math.max(before, ...taken.map((item) => item.seq));
      if (last > before) await setRecordSeq(tx, place.uid, last);
      return { seq: last, rows: written };
    });
    if (rows.length > 0) this.#port.onTaken(place.tenant, rows);
    return seq;
  }

  #storeOf(sh: string): Store {
    return this.#port.storeOf?.(sh) ?? this.#port.store;
  }

  /** The items up to the first gap. A host that was sent back and comes again with the same item has nothing before it. */
  #inOrder(uid: string, items: readonly Item[], before: number): Item[] {
    let seq = before;
    const taken: Item[] = [];
    for (const item of items) {
      if (item.prev > seq && this.#sentBack.get(uid) !== item.prev) {
        this.#sentBack.set(uid, item.prev);
        return taken;
      }
      taken.push(item);
      seq = Math.max(seq, item.seq);
    }
    this.#sentBack.delete(uid);
    return taken;
  }
}

function judged(items: readonly Item[]): { sent: Sent[]; refused: Refused[] } {
  const sent: Sent[] = [];
  const refused: Refused[] = [];
  for (const { seq, record } of items) {
    const read = sessionRecordSchema.safeParse(record);
    if (!read.success) refused.push({ seq, reason: invalid(read.error).reason });
    else if (Buffer.byteLength(JSON.stringify(record)) > RECORD_LIMIT_BYTES)
      refused.push({ seq, reason: `it is longer than ${RECORD_LIMIT_BYTES} bytes` });
    else sent.push({ seq, record: read.data, body: { ...(record as object), ...read.data } });
  }
  return { sent, refused };
}

/** Where a batch came from, and when. */
interface Origin {
  readonly place: HostPlace;
  readonly hostId: string;
  readonly receivedAt: number;
}

/** Writes what is new, and gives it; a record of another site goes to `refused`. */
async function write(
  tx: Tx,
  origin: Origin,
  sent: readonly Sent[],
  refused: Refused[],
): Promise<SessionRecordRow[]> {
  const { tenant, siteId } = origin.place;
  const ids = [...new Set(sent.map(({ record }) => record.recordId))];
  const stored = ids.length === 0 ? new Map() : await recordsForWrite(tx, tenant, ids);
  const fresh = new Map<string, SessionRecordRow>();
  const hours = new HourSum(tenant);
  for (const each of sent) {
    const id = each.record.recordId;
    const before: SessionRecordRow | undefined = fresh.get(id) ?? stored.get(id);
    if (before !== undefined && before.siteId !== siteId) {
      refused.push({ seq: each.seq, reason: `the record ${id} is of another site` });
      continue;
    }
    const row = rowOf(origin, each, before);
    const fate = before === undefined ? 'replaces' : fateOf(versionOf(row), versionOf(before));
    if (fate === 'dropped') continue;
    if (before !== undefined && fate === 'furtherEnd') {
      const more = withFurtherEnd(before, row);
      if (more !== undefined) fresh.set(id, more);
      continue;
    }
    if (before !== undefined) hours.add(before, -1);
    hours.add(row, 1);
    fresh.set(id, before === undefined ? row : withEndsOf(before, row));
  }
  const rows = [...fresh.values()];
  await putRecords(tx, rows);
  await addRecordHours(tx, hours.rows());
  for (const row of rows) noteRecord(tx, row);
  return rows;
}

const versionOf = ({ uid, seq, result, body }: SessionRecordRow): Version => {
  const { restarts = 0, times } = (body.record ?? {}) as { restarts?: number; times?: { ended?: number } };
  return { uid, seq, result, restarts, ended: times?.ended ?? Number.MAX_SAFE_INTEGER };
};

/** The row that takes the place of another one, with the end of that one and those beside it. */
function withEndsOf(before: SessionRecordRow, row: SessionRecordRow): SessionRecordRow {
  const furtherEnds = furtherEndsOf(before).filter(({ uid }) => uid !== row.uid);
  const next = furtherEnds.length === 0 ? row : { ...row, body: { ...row.body, furtherEnds } };
  const isOtherEnd = before.uid !== row.uid && before.result !== 'running';
  return (isOtherEnd ? withFurtherEnd(next, before) : undefined) ?? next;
}

/** A record as a row. The month and the time of its first arrival stay. */
function rowOf(
  { place, hostId, receivedAt }: Origin,
  { seq, record, body }: Sent,
  before: SessionRecordRow | undefined,
): SessionRecordRow {
  const { tenant, siteId, uid } = place;
  const { at, estimated } = beginOf(record.at, receivedAt);
  const { traceId, deviceId, from, to, receiver, protocol, warnings } = record;
  return {
    ...{
      tenant,
      id: record.recordId,
      siteId,
      uid,
      hostId,
      seq,
      kind: record.kind,
      result: record.result,
      at,
    },
    month: before?.month ?? monthOf(receivedAt),
    receivedAt: before?.receivedAt ?? receivedAt,
    ...{ traceId: traceId ?? null, deviceId: deviceId ?? null, fromParty: from ?? null, toParty: to ?? null },
    ...{ receiver: receiver ?? null, protocol: protocol ?? null },
    warnings: warnings === undefined || warnings.length === 0 ? null : warnings.join('\n'),
    body: { record: body, ...(estimated && { estimated }) },
  };
}

/** One entry for a batch, so that a host that sends nothing but damage fills no log. */
async function audit(
  tx: Tx,
  { tenant, siteId, uid }: HostPlace,
  hostId: string,
  refused: readonly Refused[],
  at: number,
): Promise<void> {
  await recordAudit(
    tx,
    { name: `host:${uid}`, address: '', requestId: '', at },
    { tenant, action: 'refuse', entity: 'record', entityId: uid, detail: { siteId, hostId, refused } },
  );
}
