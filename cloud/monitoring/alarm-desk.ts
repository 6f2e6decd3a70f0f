import type { SiteAlarm } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  listAlarms,
  mutate,
  type Page,
  pageOf,
  readAlarm,
  recordAudit,
  type SiteAlarmRow,
  type Store,
  updateAlarm,
} from '../store/index.ts';

const ALL = ['active', 'acknowledged', 'cleared'] as const;

/** Alarms of supervision, as people look at them. */
export interface AlarmDesk {
  readonly list: (
    tenant: string,
    status: SiteAlarm['status'] | undefined,
    after: string,
    limit: number,
  ) => Promise<Page<SiteAlarm>>;
  /** Somebody takes care of it: it is not repeated any more. Fails with `notFound`; of a cleared one with `conflict`. */
  readonly acknowledge: (call: Call, alarmId: string) => Promise<Result<null>>;
}

export function createAlarmDesk(store: Store): AlarmDesk {
  return {
    list: async (tenant, status, after, limit) =>
      pageOf(
        await listAlarms(store, tenant, status === undefined ? ALL : [status], after, limit + 1),
        limit,
        ({ id }) => id,
        shownAlarm,
      ),
    acknowledge: (call, alarmId) =>
      mutate(store, call, async (tx) => {
        const row = await readAlarm(tx, call.tenant, alarmId);
        if (row === undefined) return fail('notFound', `There is no alarm ${alarmId}.`);
        if (row.status === 'cleared')
          return fail('conflict', 'The alarm is over; there is nothing to acknowledge.');
        if (row.status === 'acknowledged') return ok(null);
        await updateAlarm(tx, alarmId, { status: 'acknowledged', acknowledgedAt: call.actor.at });
        await recordAudit(tx, call.actor, {
          tenant: call.tenant,
          action: 'acknowledge',
          entity: 'alarm',
          entityId: alarmId,
        });
        return ok(null);
      }),
  };
}

/** An alarm as lists and the stream show it. */
export const shownAlarm = (row: SiteAlarmRow): SiteAlarm => ({
  alarmId: row.id,
  status: row.status,
  raisedAt: row.raisedAt,
  ...(row.clearedAt === null ? {} : { clearedAt: row.clearedAt }),
  ...(row.acknowledgedAt === null ? {} : { acknowledgedAt: row.acknowledgedAt }),
  error: row.error,
  errorDetails: row.details,
  siteId: row.siteId,
  ...(typeof row.details.hostId === 'string' ? { hostId: row.details.hostId } : {}),
});
