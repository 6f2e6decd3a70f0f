import { BATCH_LIMIT, type EventItem, PAYLOAD_LIMIT_BYTES } from '#shared/contract/feed/index.ts';

/** The fields of an outbox row that the uplink reads. */
export interface UplinkRow {
  readonly id: string;
  readonly seq: number;
  readonly type: string;
  readonly body: string;
  readonly createdWall: number;
  readonly createdMono: number;
  readonly boot: number;
  readonly epoch: number;
  readonly late: boolean;
  /** JSON text `{uid, boot, seq}` of a row taken over. */
  readonly origin?: string | null;
}

export interface Batch {
  readonly items: readonly EventItem[];
  readonly upTo: number;
}

interface BatchPlace {
  readonly afterSeq: number;
  readonly gap: boolean;
  /** Epoch ms. */
  readonly nowMs: number;
  /** Now, as records count within this boot. */
  readonly boot: number;
  readonly mono: number;
}

/** Room for the frame around the items: its words, and the clock with a pair for each of sixteen boots. */
const ITEMS_LIMIT_BYTES = PAYLOAD_LIMIT_BYTES - 2_048;
/** An event this old when it is sent has waited for the network. */
const LATE_MS = 60_000;
/** Longest name of a service in an item. */
const SERVICE_LENGTH = 32;

/**
 * As many rows, from the first on, as fit one payload; undefined for no rows. `prev` of the first is `afterSeq`, which
 * the cloud has; `gap` says that rows between are lost for good.
 */
export function batchOf(rows: readonly UplinkRow[], place: BatchPlace): Batch | undefined {
  const items: EventItem[] = [];
  let prev = place.afterSeq;
  let bytes = 0;
  for (const row of rows.slice(0, BATCH_LIMIT)) {
    const gap = place.gap && items.length === 0;
    let item = itemOf(row, prev, ageOf(row, place), gap);
    let size = sizeOf(item);
    if (size > ITEMS_LIMIT_BYTES) {
      // The whole event stays in the trace of this host; the console learns that it happened.
      item = { ...item, data: { truncated: true } };
      size = sizeOf(item);
    }
    if (bytes + size > ITEMS_LIMIT_BYTES) break;
    bytes += size;
    items.push(item);
    prev = row.seq;
  }
  return items.length === 0 ? undefined : { items, upTo: prev };
}

const sizeOf = (item: EventItem): number => Buffer.byteLength(JSON.stringify(item)) + 1;

/** The data of an event that is a platform alarm is that alarm as the callbacks carry it. */
function itemOf(row: UplinkRow, prev: number, ageMs: number, gap: boolean): EventItem {
  const data = parsed(row.body);
  const details = data.errorDetails;
  const svc = isRecord(details) && typeof details.service === 'string' ? details.service : undefined;
  const tp = traceparentOf(data.traceId, row.id);
  return {
    seq: row.seq,
    prev,
    id: row.id,
    type: row.type,
    ts: row.createdWall,
    mono: row.createdMono,
    boot: row.boot,
    epoch: row.epoch,
    ...(svc !== undefined && { svc: svc.slice(0, SERVICE_LENGTH) }),
    ...(tp !== undefined && { tp }),
    data,
    late: row.late || ageMs > LATE_MS,
    ...(gap && { gap }),
    ...(row.origin && { origin: JSON.parse(row.origin) as NonNullable<EventItem['origin']> }),
  };
}

/**
 * W3C Trace Context of a trace that is a UUID: it finds also an event that is too large for a payload. The event is the span, the
 * same one each time it is sent: the end of its id, in hex.
 */
function traceparentOf(traceId: unknown, id: string): string | undefined {
  const digits = typeof traceId === 'string' ? traceId.replaceAll('-', '').toLowerCase() : '';
  if (!/^[0-9a-f]{32}$/.test(digits) || /^0+$/.test(digits)) return undefined;
  return `00-${digits}-${Buffer.from(id.slice(-8)).toString('hex')}-01`;
}

/** By the monotonic clock, where it is the same one: the wall clock may have stood in 1970 when the row was made. */
const ageOf = (row: UplinkRow, { nowMs, boot, mono }: BatchPlace): number =>
  row.boot === boot && !row.origin ? mono - row.createdMono : nowMs - row.createdWall;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : { value };
  } catch {
    return { text };
  }
}
