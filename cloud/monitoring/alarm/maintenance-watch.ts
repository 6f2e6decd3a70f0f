import { type CoveredDetails, isCausedByWork, isCoveredBy } from '#shared/matching/index.ts';
import {
  closeMaintenance,
  maintenanceAt,
  maintenanceOver,
  type Reader,
  recordAudit,
  type Tx,
} from '../../store/index.ts';

/** Windows that end at once: many at most, the rest at the next look. */
const BATCH = 100;

/** The subject of an alarm, as far as a window may cover it. */
export interface Covered {
  readonly tenant: string;
  readonly siteId: string;
  readonly error: string;
  readonly details: CoveredDetails;
}

/** Whether the alarm is not sent to the tenant, at this time or at one before. */
export async function isCovered(from: Reader, alarm: Covered, at: number): Promise<boolean> {
  const { tenant, siteId, error, details } = alarm;
  if (siteId === '' || !isCausedByWork(error)) return false;
  const windows = await maintenanceAt(from, tenant, siteId, at);
  return isCoveredBy(
    windows.map(({ hostId }) => (hostId === '' ? {} : { hostId })),
    error,
    details,
  );
}

/** Ends the windows whose time is over, with an entry in the audit log of their tenant. */
export async function endMaintenance(tx: Tx, at: number): Promise<void> {
  for (const { id, tenant, siteId, hostId, endsAt } of await maintenanceOver(tx, at, BATCH)) {
    // The log first, as in every request: two writers that take their turns in another order wait for each other.
    await recordAudit(
      tx,
      { name: 'system', address: '', requestId: '', at },
      {
        tenant,
        action: 'end',
        entity: 'maintenance',
        entityId: id,
        detail: { siteId, ...(hostId === '' ? {} : { hostId }), endsAt },
      },
    );
    await closeMaintenance(tx, id, endsAt, 'system');
  }
}
