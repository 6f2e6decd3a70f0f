import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { given, prepared, proposed } from '../sql/prepared.ts';
import type { Reader, Tx } from '../sql/store.ts';

export type DeviceRow = Reader['tables']['device']['$inferSelect'];

export interface DeviceHeartbeat {
  readonly status: 'online' | 'offline';
  /** Epoch milliseconds. */
  readonly expiration: number;
}

/** A device with what its site last reported about its heartbeat; null = never a heartbeat. */
export interface DeviceWithHeartbeat {
  readonly device: DeviceRow;
  readonly heartbeat: DeviceHeartbeat | null;
}

/**
 * The heartbeat of a selected device, null for none. Two subqueries and no join: SQLite takes five
 * times as long for a row with an outer join.
 */
export function heartbeatColumns({ db, tables: { device, deviceHeartbeat: h } }: Reader) {
  const ofDevice = and(eq(h.tenant, device.tenant), eq(h.id, device.id));
  const status = db.select({ status: h.status }).from(h).where(ofDevice);
  const expiration = db.select({ expiration: h.expiration }).from(h).where(ofDevice);
  return {
    status: sql<DeviceHeartbeat['status'] | null>`${status}`,
    expiration: sql<number | null>`${expiration}`.mapWith(Number),
  };
}

function withHeartbeat(from: Reader, where: SQL | undefined) {
  const { device } = from.tables;
  return from.db
    .select({ device, ...heartbeatColumns(from) })
    .from(device)
    .where(where)
    .orderBy(asc(device.id));
}

type Joined = Awaited<ReturnType<typeof withHeartbeat>>[number];

export const devicePlace = ({ tenant, id }: Pick<DeviceRow, 'tenant' | 'id'>) => ({
  tenant,
  table: 'device',
  row: id,
});

const joined = (from: Reader, { device, status, expiration }: Joined): DeviceWithHeartbeat => ({
  device: { ...device, body: from.seal.opened(devicePlace(device), device.body) },
  heartbeat: status === null || expiration === null ? null : { status, expiration },
});

const deviceById = prepared((from) => {
  const t = from.tables.device;
  return withHeartbeat(from, and(eq(t.tenant, given('tenant')), eq(t.id, given('id'))));
});

export async function readDevice(
  from: Reader,
  tenant: string,
  id: string,
): Promise<DeviceWithHeartbeat | undefined> {
  const [row] = await deviceById(from, { tenant, id });
  return row === undefined ? undefined : joined(from, row);
}

/** All of the tenant, in order of id. */
export async function allDevices(from: Reader, tenant: string): Promise<DeviceWithHeartbeat[]> {
  const rows = await withHeartbeat(from, eq(from.tables.device.tenant, tenant));
  return rows.map((row) => joined(from, row));
}

export async function countDevices(from: Reader, tenant: string): Promise<number> {
  const t = from.tables.device;
  const [row] = await from.db.select({ n: count() }).from(t).where(eq(t.tenant, tenant));
  return row?.n ?? 0;
}

const upsertDevice = prepared(({ db, tables: { device: t } }) =>
  db
    .insert(t)
    .values({ tenant: given('tenant'), id: given('id'), body: given('body'), updatedAt: given('updatedAt') })
    .onConflictDoUpdate({
      target: [t.tenant, t.id],
      set: { body: proposed(t.body), updatedAt: proposed(t.updatedAt) },
    }),
);

export async function putDevice(tx: Tx, row: DeviceRow): Promise<void> {
  await upsertDevice(tx, { ...row, body: tx.seal.sealed(devicePlace(row), row.body) });
}

/** Rows of one INSERT; more would run into the limit of parameters. */
const BATCH = 500;

/** Many rows at once, each id once; replaces those that are there. */
export async function putDevices(tx: Tx, rows: readonly DeviceRow[]): Promise<void> {
  const t = tx.tables.device;
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows
      .slice(at, at + BATCH)
      .map((row) => ({ ...row, body: tx.seal.sealed(devicePlace(row), row.body) }));
    await tx.db
      .insert(t)
      .values(batch)
      .onConflictDoUpdate({
        target: [t.tenant, t.id],
        set: { body: proposed(t.body), updatedAt: proposed(t.updatedAt) },
      });
  }
}

/** Stored bodies of those of the ids that exist. */
export async function readDeviceBodies(
  from: Reader,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, DeviceRow['body']>> {
  const t = from.tables.device;
  const bodies = new Map<string, DeviceRow['body']>();
  for (let at = 0; at < ids.length; at += BATCH) {
    const rows = await from.db
      .select()
      .from(t)
      .where(and(eq(t.tenant, tenant), inArray(t.id, ids.slice(at, at + BATCH))));
    for (const row of rows) bodies.set(row.id, from.seal.opened(devicePlace(row), row.body));
  }
  return bodies;
}

/**
 * Stored bodies of the devices whose ids may have one of these accounts: without their zeros, and in capitals, they are the same. The
 * caller compares the accounts themselves.
 */
export async function readAccountDevices(
  from: Reader,
  tenant: string,
  accounts: readonly string[],
): Promise<Map<string, DeviceRow['body']>> {
  const t = from.tables.device;
  // The words of the index: with others it would not be used.
  const bare = sql<string>`replace(upper(${t.id}), '0', '')`;
  const wanted = [...new Set(accounts.map((account) => account.toUpperCase().replaceAll('0', '')))];
  const bodies = new Map<string, DeviceRow['body']>();
  for (let at = 0; at < wanted.length; at += BATCH) {
    const rows = await from.db
      .select()
      .from(t)
      .where(and(eq(t.tenant, tenant), inArray(bare, wanted.slice(at, at + BATCH))));
    for (const row of rows) bodies.set(row.id, from.seal.opened(devicePlace(row), row.body));
  }
  return bodies;
}

/** Removes the device and what is known of its heartbeat. */
export async function deleteDevice(tx: Tx, tenant: string, id: string): Promise<void> {
  const { device, deviceHeartbeat } = tx.tables;
  await tx.db.delete(device).where(and(eq(device.tenant, tenant), eq(device.id, id)));
  await tx.db
    .delete(deviceHeartbeat)
    .where(and(eq(deviceHeartbeat.tenant, tenant), eq(deviceHeartbeat.id, id)));
}

/** Removes all devices of the tenant; returns their ids. */
export async function deleteAllDevices(tx: Tx, tenant: string): Promise<string[]> {
  const { device, deviceHeartbeat } = tx.tables;
  const rows = await tx.db.delete(device).where(eq(device.tenant, tenant)).returning({ id: device.id });
  await tx.db.delete(deviceHeartbeat).where(eq(deviceHeartbeat.tenant, tenant));
  return rows.map((row) => row.id);
}

/**
 * Devices that were well when a site last looked, with their expiration. It says less than a change that is reported by itself, and
 * may come behind it: an offline device stays offline, and no expiration goes back. Unknown devices are passed over.
 */
export async function setDevicesSeen(
  tx: Tx,
  tenant: string,
  seen: ReadonlyMap<string, number>,
): Promise<void> {
  const { device: d, deviceHeartbeat: t } = tx.tables;
  const ids = [...seen.keys()];
  for (let from = 0; from < ids.length; from += BATCH) {
    const slice = ids.slice(from, from + BATCH);
    const known = await tx.db
      .select({ id: d.id })
      .from(d)
      .where(and(eq(d.tenant, tenant), inArray(d.id, slice)));
    if (known.length === 0) continue;
    await tx.db
      .insert(t)
      .values(
        known.map(({ id }) => ({ tenant, id, status: 'online' as const, expiration: seen.get(id) ?? 0 })),
      )
      .onConflictDoUpdate({
        target: [t.tenant, t.id],
        set: { expiration: proposed(t.expiration) },
        setWhere: sql`${t.status} = 'online' AND ${t.expiration} < ${proposed(t.expiration)}`,
      });
  }
}

/**
 * The last report of the edge: heartbeats are facts of the site, no configuration, hence no revision and no audit.
 * `tenant` is the tenant's id; `expiration` epoch milliseconds.
 */
export async function setDeviceHeartbeat(
  tx: Tx,
  tenant: string,
  deviceId: string,
  status: DeviceHeartbeat['status'],
  expiration: number,
): Promise<void> {
  const t = tx.tables.deviceHeartbeat;
  await tx.db
    .insert(t)
    .values({ tenant, id: deviceId, status, expiration })
    .onConflictDoUpdate({ target: [t.tenant, t.id], set: { status, expiration } });
}
