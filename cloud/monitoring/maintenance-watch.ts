import {
  closeMaintenance,
  type MaintenanceRow,
  maintenanceAt,
  maintenanceOver,
  type Reader,
  recordAudit,
  type Tx,
} from '../store/index.ts';

/**
 * Alarms that work at a machine causes. All others are told whatever happens: two machines with one identity, a
 * certificate that ends, a configuration that was refused have other causes, and somebody must hear of them.
 */
const CAUSED_BY_WORK: readonly string[] = [
  'noHeartbeatReply',
  'serviceStartFailed',
  'serviceFailure',
  'lowMemory',
  'drainBlocked',
  'clockUnsynchronised',
  'diskPressure',
];

/** Windows that end at once: many at most, the rest at the next look. */
const BATCH = 100;

/** What an alarm is about, as far as a window may cover it. */
export interface Covered {
  readonly tenant: string;
  readonly siteId: string;
  readonly error: string;
  /** `hostId` of one host, or `hosts` of all that a site has lost at once. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Whether the tenant is not told of it now. A whole site that is lost is covered by windows of all its hosts, too. */
export async function isCovered(from: Reader, alarm: Covered, at: number): Promise<boolean> {
  const { tenant, siteId, error, details } = alarm;
  if (siteId === '' || !CAUSED_BY_WORK.includes(error)) return false;
  return covers(await maintenanceAt(from, tenant, siteId, at), details);
}

function covers(windows: readonly MaintenanceRow[], { hostId, hosts }: Covered['details']): boolean {
  if (windows.some((window) => window.hostId === '')) return true;
  const names = new Set(windows.map((window) => window.hostId));
  if (typeof hostId === 'string') return names.has(hostId);
  return Array.isArray(hosts) && hosts.length > 0 && hosts.every((name) => names.has(String(name)));
}

/** Ends the windows whose time is over, with an entry in the audit log of their tenant. */
export async function endMaintenance(tx: Tx, at: number): Promise<void> {
  for (const { id, tenant, siteId, hostId, endsAt } of await maintenanceOver(tx, at, BATCH)) {
    await closeMaintenance(tx, id, endsAt, 'system');
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
  }
}
