import { and, asc, desc, eq, gt, gte, like, lt, or, sql } from 'drizzle-orm';
import type { Reader } from '../sql/store.ts';
import type { SiteEventRow } from './site-event.ts';

/** Place of an event in the log of its tenant: by the time it happened, then by id. */
export interface EventPlace {
  readonly at: number;
  readonly id: string;
}

/** An event and the name of the host that sent it. */
export interface LoggedEvent {
  readonly event: SiteEventRow;
  readonly hostId: string | null;
}

/**
 * Events of a tenant in `[fromMs, toMs)`, behind `after` in their order. `mentions` are texts that the stored body must contain: a
 * coarse filter, for SQLite compares them without case; the caller looks again at what comes.
 */
export async function eventsBetween(
  from: Reader,
  tenant: string,
  range: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly after?: EventPlace;
    readonly newestFirst?: boolean;
  },
  mentions: readonly string[],
  limit: number,
): Promise<LoggedEvent[]> {
  const { siteEvent: t, host } = from.tables;
  const { fromMs, toMs, after, newestFirst = false } = range;
  const [behind, order] = newestFirst ? [lt, desc] : [gt, asc];
  return await from.db
    .select({ event: t, hostId: host.hostId })
    .from(t)
    .leftJoin(host, eq(host.uid, t.uid))
    .where(
      and(
        eq(t.tenant, tenant),
        gte(t.at, fromMs),
        lt(t.at, toMs),
        after === undefined
          ? undefined
          : or(behind(t.at, after.at), and(eq(t.at, after.at), behind(t.id, after.id))),
        ...mentions.map((text) => like(sql`${t.body}`, sql`${`%${escaped(text)}%`} ESCAPE '!'`)),
      ),
    )
    .orderBy(order(t.at), order(t.id))
    .limit(limit);
}

/**
 * The reports of the hosts of a site about their roles, newest first, those before `before`. The kind stands in the text of the
 * query: neither database takes an index of these rows alone for a value that comes later.
 */
export async function roleEventsBefore(
  from: Reader,
  { tenant, siteId }: { readonly tenant: string; readonly siteId: string },
  before: EventPlace | undefined,
  limit: number,
): Promise<LoggedEvent[]> {
  const { siteEvent: t, host } = from.tables;
  return await from.db
    .select({ event: t, hostId: host.hostId })
    .from(t)
    .leftJoin(host, eq(host.uid, t.uid))
    .where(
      and(
        eq(t.tenant, tenant),
        eq(t.siteId, siteId),
        sql`${t.type} = 'siteRole'`,
        before === undefined
          ? undefined
          : or(lt(t.at, before.at), and(eq(t.at, before.at), lt(t.id, before.id))),
      ),
    )
    .orderBy(desc(t.at), desc(t.id))
    .limit(limit);
}

/** LIKE's own signs as themselves. `!` escapes: the backslash means something else in every second database. */
const escaped = (text: string): string => text.replace(/[!%_]/g, '!$&');
