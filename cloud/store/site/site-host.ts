import { and, asc, count, eq, gt, inArray, notInArray, type SQL, sql } from 'drizzle-orm';
import type { Connectivity, HostFacts, HostFlap, Lifecycle } from '../schema/site-tables.ts';
import { given, prepared } from '../sql/prepared.ts';
import { note, type Reader, type Tx } from '../sql/store.ts';

export type HostRow = Reader['tables']['host']['$inferSelect'];
export type HostStatusRow = Reader['tables']['hostStatus']['$inferSelect'];

/** A host and what was last seen of it. */
export interface HostWithStatus {
  readonly host: HostRow;
  readonly status: HostStatusRow;
}

/** As much of a host as lists show: no key, no certificate, nothing of its connection but its state. */
export interface HostSummary {
  readonly host: Pick<
    HostRow,
    | 'siteId'
    | 'hostId'
    | 'lifecycle'
    | 'labels'
    | 'version'
    | 'siteBaseUrl'
    | 'certExpires'
    | 'course'
    | 'twinBody'
  >;
  readonly status: Omit<HostStatusRow, 'uid' | 'since' | 'lastSeen' | 'sid' | 'flap'>;
}

/** Rows that are kept for the record only. */
const REMOVED: readonly Lifecycle[] = ['rejected', 'decommissioned'];

const hostByUid = prepared(({ db, tables: { host: t } }) =>
  db
    .select()
    .from(t)
    .where(eq(t.uid, given('uid'))),
);

export async function readHost(from: Reader, uid: string): Promise<HostRow | undefined> {
  const [row] = await hostByUid(from, { uid });
  return row;
}

/** The host of that name that has not left. */
export async function hostByName(
  from: Reader,
  tenant: string,
  siteId: string,
  hostId: string,
): Promise<HostRow | undefined> {
  const t = from.tables.host;
  const [row] = await from.db
    .select()
    .from(t)
    .where(
      and(
        eq(t.tenant, tenant),
        eq(t.siteId, siteId),
        eq(t.hostId, hostId),
        notInArray(t.lifecycle, [...REMOVED]),
      ),
    );
  return row;
}

/** Hosts of that name, one in each of several sites at most, that have not left. */
export async function hostsNamed(from: Reader, tenant: string, hostId: string): Promise<HostRow[]> {
  const t = from.tables.host;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.hostId, hostId), notInArray(t.lifecycle, [...REMOVED])))
    .orderBy(asc(t.siteId));
}

/** Hosts of these uids, also those that have left. At most 500. */
export async function hostsOfUids(from: Reader, uids: readonly string[]): Promise<HostWithStatus[]> {
  const { host, hostStatus } = from.tables;
  if (uids.length === 0) return [];
  return await from.db
    .select({ host, status: hostStatus })
    .from(host)
    .innerJoin(hostStatus, eq(hostStatus.uid, host.uid))
    .where(inArray(host.uid, [...uids]));
}

/**
 * The host with this key that came with a claim, by its hash, and those that wait for a new one: a claim may have
 * let in a thousand.
 */
export async function hostsOfClaim(from: Reader, claim: string, publicKey: string): Promise<HostRow[]> {
  const t = from.tables.host;
  return await from.db
    .select()
    .from(t)
    .where(and(eq(t.claim, claim), inArray(t.publicKey, [publicKey, ''])))
    .orderBy(asc(t.uid));
}

/** Hosts of a tenant, or of one site, that have not left. */
export async function hostsOf(from: Reader, tenant: string, siteId?: string): Promise<HostWithStatus[]> {
  const { host, hostStatus } = from.tables;
  return await from.db
    .select({ host, status: hostStatus })
    .from(host)
    .innerJoin(hostStatus, eq(hostStatus.uid, host.uid))
    .where(
      and(
        eq(host.tenant, tenant),
        siteId === undefined ? undefined : eq(host.siteId, siteId),
        notInArray(host.lifecycle, [...REMOVED]),
      ),
    )
    .orderBy(asc(host.siteId), asc(host.hostId));
}

/** The hosts of `hostsOf` without what no list shows: of ten thousand, keys and certificates are half of what is read. */
export async function hostSummaries(from: Reader, tenant: string): Promise<HostSummary[]> {
  const { host: h, hostStatus: s } = from.tables;
  const { siteId, hostId, lifecycle, labels, version, siteBaseUrl, certExpires, course, twinBody } = h;
  const { connectivity, facts, nacked, refusals, conditions, overrides } = s;
  const { revTenant, revSite, revHost, revPlatform } = s;
  return await from.db
    .select({
      host: { siteId, hostId, lifecycle, labels, version, siteBaseUrl, certExpires, course, twinBody },
      status: {
        ...{ connectivity, facts, nacked, refusals, conditions, overrides },
        ...{ revTenant, revSite, revHost, revPlatform },
      },
    })
    .from(h)
    .innerJoin(s, eq(s.uid, h.uid))
    .where(and(eq(h.tenant, tenant), notInArray(h.lifecycle, [...REMOVED])))
    .orderBy(asc(h.siteId), asc(h.hostId));
}

/** Where the hosts of a tenant are that have not left. */
export async function hostPlaces(
  from: Reader,
  tenant: string,
): Promise<Pick<HostRow, 'uid' | 'siteId' | 'hostId'>[]> {
  const { uid, siteId, hostId, tenant: of, lifecycle } = from.tables.host;
  return await from.db
    .select({ uid, siteId, hostId })
    .from(from.tables.host)
    .where(and(eq(of, tenant), notInArray(lifecycle, [...REMOVED])))
    .orderBy(asc(siteId), asc(hostId));
}

/** Hosts in these states, over all tenants or in these shards, in order of uid, those after `afterUid`. */
export async function hostsInLifecycle(
  from: Reader,
  lifecycles: readonly Lifecycle[],
  afterUid: string,
  limit: number,
  shards?: readonly string[],
): Promise<HostWithStatus[]> {
  const { host, hostStatus } = from.tables;
  return await from.db
    .select({ host, status: hostStatus })
    .from(host)
    .innerJoin(hostStatus, eq(hostStatus.uid, host.uid))
    .where(
      and(
        inArray(host.lifecycle, [...lifecycles]),
        gt(host.uid, afterUid),
        shards === undefined ? undefined : inArray(host.sh, [...shards]),
      ),
    )
    .orderBy(asc(host.uid))
    .limit(limit);
}

/** The hosts in these states: those of this tenant, or all. */
export async function countHostsInLifecycle(
  from: Reader,
  lifecycles: readonly Lifecycle[],
  tenant?: string,
): Promise<number> {
  const t = from.tables.host;
  const [row] = await from.db
    .select({ n: count() })
    .from(t)
    .where(
      and(inArray(t.lifecycle, [...lifecycles]), tenant === undefined ? undefined : eq(t.tenant, tenant)),
    );
  return row?.n ?? 0;
}

/** A new host, never seen. */
export async function insertHost(tx: Tx, row: HostRow): Promise<void> {
  const { host, hostStatus } = tx.tables;
  note(tx, 'host', row.uid);
  await tx.db.insert(host).values(row);
  await tx.db.insert(hostStatus).values({
    uid: row.uid,
    connectivity: 'never',
    since: row.createdAt,
    lastSeen: null,
    sid: null,
    flap: null,
    revTenant: 0,
    revSite: 0,
    revHost: 0,
    revPlatform: 0,
    nacked: {},
    facts: {},
    conditions: {},
    refusals: {},
    overrides: [],
  });
}

export async function updateHost(tx: Tx, uid: string, set: Partial<HostRow>): Promise<void> {
  const t = tx.tables.host;
  note(tx, 'host', uid);
  await tx.db.update(t).set(set).where(eq(t.uid, uid));
}

/** Gives the twin of a host its next number. False: another one has that number by now, and nothing is written. */
export async function takeTwinNumber(
  tx: Tx,
  { uid, twinRev }: Pick<HostRow, 'uid' | 'twinRev'>,
  twinBody: Record<string, unknown>,
): Promise<boolean> {
  const t = tx.tables.host;
  const taken = await tx.db
    .update(t)
    .set({ twinRev: twinRev + 1, twinBody })
    .where(and(eq(t.uid, uid), eq(t.twinRev, twinRev)))
    .returning({ uid: t.uid });
  if (taken.length > 0) note(tx, 'host', uid);
  return taken.length > 0;
}

const statusByUid = prepared(({ db, tables: { hostStatus: t } }) =>
  db
    .select()
    .from(t)
    .where(eq(t.uid, given('uid'))),
);

export async function readHostStatus(from: Reader, uid: string): Promise<HostStatusRow | undefined> {
  const [row] = await statusByUid(from, { uid });
  return row;
}

export async function updateHostStatus(tx: Tx, uid: string, set: Partial<HostStatusRow>): Promise<void> {
  const t = tx.tables.hostStatus;
  note(tx, 'host', uid);
  await tx.db.update(t).set(set).where(eq(t.uid, uid));
}

/** The observations of a host from its heartbeats. */
export type ReportedStatus = Pick<
  HostStatusRow,
  'revTenant' | 'revSite' | 'revHost' | 'revPlatform' | 'facts' | 'conditions' | 'sid' | 'lastSeen' | 'flap'
>;

const writeReported = prepared(({ db, tables: { hostStatus: t } }) =>
  db
    .update(t)
    .set({
      revTenant: sql`${given('revTenant')}`,
      revSite: sql`${given('revSite')}`,
      revHost: sql`${given('revHost')}`,
      revPlatform: sql`${given('revPlatform')}`,
      facts: sql`${given('facts')}`,
      conditions: sql`${given('conditions')}`,
      sid: sql`${given('sid')}`,
      lastSeen: sql`${given('lastSeen')}`,
      flap: sql`${given('flap')}`,
    })
    .where(eq(t.uid, given('uid'))),
);

/** As `updateHostStatus`, for what comes from every host all the time. */
export async function updateObservedStatus(tx: Tx, uid: string, reported: ReportedStatus): Promise<void> {
  note(tx, 'host', uid);
  const { facts, conditions, flap } = reported;
  await writeReported(tx, {
    ...reported,
    uid,
    facts: JSON.stringify(facts),
    conditions: JSON.stringify(conditions),
    flap: flap === null ? null : JSON.stringify(flap),
  });
}

/** As `updateObservedStatus`, for many hosts in one statement: so many round trips to the database would take seconds. At most 100. */
export async function updateObservedStatuses(
  tx: Tx,
  observed: readonly (ReportedStatus & { readonly uid: string })[],
): Promise<void> {
  if (observed.length === 0) return;
  const t = tx.tables.hostStatus;
  const rows = observed.map(({ uid, revTenant, revSite, revHost, revPlatform, lastSeen, sid, ...texts }) => {
    note(tx, 'host', uid);
    const { facts, conditions, flap } = texts;
    const flapText = flap === null ? null : JSON.stringify(flap);
    return sql`(${uid}, ${revTenant}, ${revSite}, ${revHost}, ${revPlatform}, ${lastSeen}, ${sid}, ${JSON.stringify(facts)}, ${JSON.stringify(conditions)}, ${flapText})`;
  });
  // Both databases call the columns of VALUES so; PostgreSQL takes each value for a text.
  const int = (column: number): SQL => sql`cast(seen.${sql.raw(`column${column}`)} as bigint)`;
  const text = (column: number): SQL => sql`cast(seen.${sql.raw(`column${column}`)} as text)`;
  await tx.db
    .update(t)
    .set({
      revTenant: int(2),
      revSite: int(3),
      revHost: int(4),
      revPlatform: int(5),
      lastSeen: int(6),
      sid: text(7),
      facts: text(8),
      conditions: text(9),
      flap: text(10),
    })
    .from(sql`(values ${sql.join(rows, sql`, `)}) as seen`)
    .where(eq(t.uid, text(1)));
}

export type { Connectivity, HostFacts, HostFlap, Lifecycle };
