import type { MaintenanceRequest, MaintenanceWindow } from '#shared/contract/site/index.ts';
import { type RandomBytes, ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  closeMaintenance,
  hostByName,
  insertMaintenance,
  listMaintenance,
  type MaintenanceRow,
  mutate,
  type Page,
  pageOf,
  readMaintenance,
  readSite,
  recordAudit,
  type Store,
} from '../../store/index.ts';
import { unknownSite } from '../lifecycle/site.ts';

/** Chosen: further ahead is a calendar's business. */
const FARTHEST_MS = 90 * 86_400_000;
/** Clocks of people's machines differ a little. */
const PAST_MS = 60_000;

export interface MaintenancePort {
  readonly store: Store;
  readonly random: RandomBytes;
}

/**
 *     planned ──startsAt──▶ open ──endsAt, by itself──▶ ended          a person may end either before its time
 *
 * Maintenance windows: alarms that the work causes are noted, and not sent (control plane, section 7). Alarms that are active
 * when a window ends are sent then: `cloud/monitoring`, the alarm table.
 */
export const maintenance = ({ store, random }: MaintenancePort) => ({
  /** Fails with `notFound` and `invalid`. */
  open: (call: Call, request: MaintenanceRequest): Promise<Result<MaintenanceWindow>> =>
    mutate(store, call, async (tx) => {
      const { at, name } = call.actor;
      const { siteId, hostId, duration, reason, startsAt = at } = request;
      if ((await readSite(tx, call.tenant, siteId)) === undefined) return unknownSite(siteId);
      if (hostId !== undefined && (await hostByName(tx, call.tenant, siteId, hostId)) === undefined)
        return fail('notFound', `The host ${hostId} does not exist in site ${siteId}. Check both ids.`);
      if (startsAt < at - PAST_MS)
        return fail(
          'invalid',
          'The maintenance window is refused: startsAt is in the past. Send a later moment.',
          '/startsAt',
        );
      if (startsAt > at + FARTHEST_MS)
        return fail(
          'invalid',
          'The maintenance window is refused: startsAt is more than 90 days away. Send an earlier moment.',
          '/startsAt',
        );
      const row: MaintenanceRow = {
        id: ulid(at, random(10)),
        tenant: call.tenant,
        siteId,
        hostId: hostId ?? '',
        startsAt,
        endsAt: startsAt + duration * 1_000,
        reason,
        madeBy: name,
        madeAt: at,
        closedAt: null,
        closedBy: null,
      };
      await insertMaintenance(tx, row);
      const window = shownMaintenance(row, at);
      await recordAudit(tx, call.actor, {
        tenant: call.tenant,
        action: 'open',
        entity: 'maintenance',
        entityId: row.id,
        detail: { after: window },
      });
      return ok(window);
    }),

  /** Ends it now. A window that has ended stays as it is. Fails with `notFound`. */
  end: (call: Call, id: string): Promise<Result<MaintenanceWindow>> =>
    mutate(store, call, async (tx) => {
      const { at, name } = call.actor;
      const row = await readMaintenance(tx, call.tenant, id);
      if (row === undefined)
        return fail(
          'notFound',
          `The maintenance window ${id} does not exist. List the windows for their ids.`,
        );
      if (row.closedAt !== null) return ok(shownMaintenance(row, at));
      await closeMaintenance(tx, id, at, name);
      const window = shownMaintenance({ ...row, closedAt: at, closedBy: name }, at);
      await recordAudit(tx, call.actor, {
        tenant: call.tenant,
        action: 'end',
        entity: 'maintenance',
        entityId: id,
        detail: { before: shownMaintenance(row, at), after: window },
      });
      return ok(window);
    }),

  /** Newest first; `open`: those that are not ended, or only the others. */
  list: async (
    tenant: string,
    open: boolean | undefined,
    before: string,
    limit: number,
    nowMs: number,
  ): Promise<Page<MaintenanceWindow>> =>
    pageOf(
      await listMaintenance(store, tenant, open, before, limit + 1),
      limit,
      ({ id }) => id,
      (row) => shownMaintenance(row, nowMs),
    ),
});

export type Maintenance = ReturnType<typeof maintenance>;

/** A window as people see it. */
function shownMaintenance(row: MaintenanceRow, nowMs: number): MaintenanceWindow {
  const { id, siteId, hostId, startsAt, endsAt, reason, madeBy, closedAt, closedBy } = row;
  const isOver = closedAt !== null || endsAt <= nowMs;
  return {
    windowId: id,
    siteId,
    ...(hostId === '' ? {} : { hostId }),
    state: isOver ? 'ended' : startsAt > nowMs ? 'planned' : 'open',
    startsAt,
    endsAt,
    reason,
    madeBy,
    ...(isOver ? { endedAt: closedAt ?? endsAt, endedBy: closedBy ?? 'system' } : {}),
  };
}
