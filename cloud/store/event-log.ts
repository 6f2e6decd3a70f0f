import { and, asc, eq, gt, gte, like, lt, or, sql } from 'drizzle-orm';
import type { SiteEventRow } from './site-event.ts';
import type { Reader } from './store.ts';

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
 * Events of a tenant in `[fromMs, toMs)`, after `after`. `mentions` are texts that the stored body must contain: a
 * coarse filter, for SQLite compares them without case; the caller looks again at what comes.
 */
export async function eventsBetween(
  from: Reader,
  tenant: string,
  range: { readonly fromMs: number; readonly toMs: number; readonly after?: EventPlace },
  mentions: readonly string[],
  limit: number,
): Promise<LoggedEvent[]> {
  const { siteEvent: t, host } = from.tables;
  const { fromMs, toMs, after } = range;
  return await from.db
    .select({ event: t, hostId: host.hostId })
    .from(t)
    .leftJoin(host, eq(host.uid, t.uid))
    .where(
      and(
        eq(t.tenant, tenant),
        gte(t.at, fromMs),
        lt(t.at, toMs),
        after === undefined ? undefined : or(gt(t.at, after.at), and(eq(t.at, after.at), gt(t.id, after.id))),
        ...mentions.map((text) => like(sql`${t.body}`, sql`${`%${escaped(text)}%`} ESCAPE '!'`)),
      ),
    )
    .orderBy(asc(t.at), asc(t.id))
    .limit(limit);
}

/** LIKE's own signs as themselves. `!` escapes: the backslash means something else in every second database. */
const escaped = (text: string): string => text.replace(/[!%_]/g, '!$&');
