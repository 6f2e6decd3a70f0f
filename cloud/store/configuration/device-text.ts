import { and, asc, eq, gte, lt, ne } from 'drizzle-orm';
import { mayHoldSecret } from '../sql/body-seal.ts';
import { given, preparedRows } from '../sql/prepared.ts';
import type { Reader, Store } from '../sql/store.ts';
import { type DeviceHeartbeat, type DeviceRow, devicePlace, heartbeatColumns } from './device.ts';

/** A device as it stands in its row: an answer can be made of `text` without taking it apart. */
export interface DeviceText {
  readonly id: string;
  /** The stored body, a JSON object; secrets in it are sealed. */
  readonly text: string;
  /** The body with its secrets opened, where it may hold any. */
  readonly opened: DeviceRow['body'] | undefined;
  readonly heartbeat: DeviceHeartbeat | null;
}

function selected(from: Reader) {
  const { device } = from.tables;
  return from.db.select({ id: device.id, body: device.body, ...heartbeatColumns(from) }).from(device);
}

const byId = preparedRows((from) => {
  const t = from.tables.device;
  return selected(from).where(and(eq(t.tenant, given('tenant')), eq(t.id, given('id'))));
});

/** One range of the primary key, wherever the page begins: a second lower bound might be the one that the planner takes. */
const page = preparedRows((from) => {
  const t = from.tables.device;
  return selected(from)
    .where(
      and(
        eq(t.tenant, given('tenant')),
        gte(t.id, given('low')),
        lt(t.id, given('high')),
        ne(t.id, given('after')),
      ),
    )
    .orderBy(asc(t.id))
    .limit(given('limit'));
});

/** Greater than every id: the signs of ids end before it. */
const BEHIND_ALL = '\u007f';

/** Least text greater than every id that begins with `prefix`: its last sign plus one. */
const behind = (prefix: string): string =>
  prefix === ''
    ? BEHIND_ALL
    : prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);

export async function readDeviceText(
  from: Store,
  tenant: string,
  id: string,
): Promise<DeviceText | undefined> {
  const [row] = await byId(from, { tenant, id });
  return row === undefined ? undefined : textOf(from, tenant, row);
}

/** In order of id, those after `after` whose id begins with `prefix` (empty = all). */
export async function listDeviceTexts(
  from: Store,
  tenant: string,
  prefix: string,
  after: string,
  limit: number,
): Promise<DeviceText[]> {
  const low = after > prefix ? after : prefix;
  const rows = await page(from, { tenant, low, high: behind(prefix), after, limit });
  return rows.map((row) => textOf(from, tenant, row));
}

function textOf(from: Store, tenant: string, row: readonly unknown[]): DeviceText {
  const [id, text, status, expiration] = row as [string, string, DeviceHeartbeat['status'] | null, unknown];
  return {
    id,
    text,
    opened: mayHoldSecret(text)
      ? from.seal.opened(devicePlace({ tenant, id }), JSON.parse(text) as DeviceRow['body'])
      : undefined,
    heartbeat: status === null ? null : { status, expiration: Number(expiration) },
  };
}
