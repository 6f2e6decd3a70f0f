import type { AlarmDetail, SiteAlarm } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type AlarmFilter,
  type AlarmNote,
  type Call,
  hostsNamed,
  listAlarms,
  mutate,
  type Page,
  pageOf,
  type RelayRow,
  readAlarm,
  recordAudit,
  relaysOfAlarm,
  type SiteAlarmRow,
  type Store,
  updateAlarm,
  updateRelay,
} from '../../store/index.ts';

/** Remarks on one alarm, and tellings of it that are shown: a year of repetitions. */
const MOST_NOTES = 100;
const MOST_DELIVERIES = 1_500;
/** As long as a new one. */
const AGAIN_MS = 7 * 86_400_000;

const ALL = ['active', 'acknowledged', 'cleared'] as const;

/** Which alarms of a tenant; what is absent does not matter. */
export interface AlarmsWanted {
  readonly status?: SiteAlarm['status'] | undefined;
  readonly siteId?: string | undefined;
  readonly hostId?: string | undefined;
  readonly error?: string | undefined;
}

/** Alarms of supervision, as people look at them. */
export interface AlarmQueries {
  readonly list: (
    tenant: string,
    wanted: AlarmsWanted,
    after: string,
    limit: number,
  ) => Promise<Page<SiteAlarm>>;
  /** With proof of the delivery to its tenant. Fails with `notFound`. */
  readonly read: (tenant: string, alarmId: string) => Promise<Result<AlarmDetail>>;
  /**
   * Tries deliveries about it that were given up once more, under their own keys; how many. Fails with `notFound`, and with
   * `conflict` where none was given up.
   */
  readonly resend: (call: Call, alarmId: string) => Promise<Result<{ readonly taken: number }>>;
  /** A remark for whoever looks, also of an alarm that is over. Fails with `notFound`; of one with too many with `conflict`. */
  readonly note: (call: Call, alarmId: string, text: string) => Promise<Result<null>>;
  /** A person takes care of it: it is not repeated any more. Fails with `notFound`; for a cleared one with `conflict`. */
  readonly acknowledge: (call: Call, alarmId: string) => Promise<Result<null>>;
}

export function createAlarmQueries(store: Store): AlarmQueries {
  return {
    list: async (tenant, { status, siteId, hostId, error }, after, limit) => {
      const hosts = hostId === undefined ? undefined : await hostsNamed(store, tenant, hostId);
      const filter: AlarmFilter = { siteId, error, uids: hosts?.map(({ uid }) => uid) };
      const statuses = status === undefined ? ALL : [status];
      return pageOf(
        await listAlarms(store, tenant, statuses, after, limit + 1, filter),
        limit,
        ({ id }) => id,
        shownAlarm,
      );
    },
    read: async (tenant, alarmId) => {
      const row = await readAlarm(store, tenant, alarmId);
      if (row === undefined)
        return fail('notFound', `The alarm ${alarmId} does not exist. List the alarms for their ids.`);
      const deliveries = await relaysOfAlarm(store, tenant, alarmId, MOST_DELIVERIES);
      return ok({ ...shownAlarm(row), deliveries: deliveries.map(shownDelivery) });
    },
    resend: (call, alarmId) =>
      mutate(store, call, async (tx) => {
        if ((await readAlarm(tx, call.tenant, alarmId)) === undefined)
          return fail('notFound', `The alarm ${alarmId} does not exist. List the alarms for their ids.`);
        const all = await relaysOfAlarm(tx, call.tenant, alarmId, MOST_DELIVERIES);
        const dead = all.filter(({ state }) => state === 'dead');
        if (dead.length === 0)
          return fail(
            'conflict',
            'Nothing is redelivered: no delivery of this alarm has failed for good. Read the alarm for its deliveries.',
          );
        const { at } = call.actor;
        const restarted = {
          state: 'waiting',
          refusals: 0,
          notBefore: at,
          deadline: at + AGAIN_MS,
          settledAt: null,
        } as const;
        for (const { id } of dead) await updateRelay(tx, id, restarted);
        await recordAudit(tx, call.actor, {
          tenant: call.tenant,
          action: 'resend',
          entity: 'alarm',
          entityId: alarmId,
          detail: { deliveries: dead.map(({ id }) => id) },
        });
        return ok({ taken: dead.length });
      }),
    note: (call, alarmId, text) =>
      mutate(store, call, async (tx) => {
        const row = await readAlarm(tx, call.tenant, alarmId);
        if (row === undefined)
          return fail('notFound', `The alarm ${alarmId} does not exist. List the alarms for their ids.`);
        if (row.notes.length >= MOST_NOTES)
          return fail(
            'conflict',
            `The comment is not stored: the alarm has ${MOST_NOTES} comments, the most that it can hold. Write it elsewhere.`,
          );
        const note: AlarmNote = { at: call.actor.at, by: call.actor.name, text };
        await updateAlarm(tx, alarmId, { notes: [...row.notes, note] });
        // The words stay with the alarm, where they can be erased; the log keeps who spoke, and when.
        await recordAudit(tx, call.actor, {
          tenant: call.tenant,
          action: 'note',
          entity: 'alarm',
          entityId: alarmId,
        });
        return ok(null);
      }),
    acknowledge: (call, alarmId) =>
      mutate(store, call, async (tx) => {
        const row = await readAlarm(tx, call.tenant, alarmId);
        if (row === undefined)
          return fail('notFound', `The alarm ${alarmId} does not exist. List the alarms for their ids.`);
        if (row.status === 'cleared')
          return fail('conflict', 'The alarm cannot be acknowledged: it has ended. Refresh the list.');
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
  ...(row.late ? { late: true as const } : {}),
  ...(row.toldAt === 0 ? { untold: true as const } : {}),
  ...(row.notes.length === 0 ? {} : { notes: row.notes.map((note) => ({ ...note })) }),
});

function shownDelivery(row: RelayRow): AlarmDetail['deliveries'][number] {
  const { id, state, attempts, code, tookMs, createdAt, settledAt, lastError, body } = row;
  const { status } = (body.errorDetails ?? {}) as { readonly status?: unknown };
  return {
    deliveryId: id,
    says: status === 'cleared' ? 'cleared' : 'raised',
    state,
    attempts,
    ...(code === null ? {} : { code }),
    ...(tookMs === null ? {} : { tookMs }),
    createdAt,
    ...(settledAt === null ? {} : { settledAt }),
    ...(lastError === null ? {} : { lastError }),
  };
}
