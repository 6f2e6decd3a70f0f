import { fail, ok, type Result } from '#shared/result.ts';
import { auditOfHost, type HostRow, type HostWithStatus, hostsOf, type Tx } from '../../store/index.ts';

/** Asked for, and what became of it, in the audit log of a host. */
export const UPGRADE_ASKED = 'sw.upgrade';
export const UPGRADE_REFUSED = 'sw.upgrade.refused';
const UPGRADE_OVER = 'host.upgrade';
/** Longer than the file may take to come and the host waits for a moment without calls; who says nothing for so long is done. */
const LONGEST_MS = 2 * 3_600_000;
/** Newest entries of a host that are looked through. */
const ENTRIES = 100;

/**
 * Whether this host may take another release now (control plane 6): one host of a site at a time, and only while another one
 * is healthy. A host that takes no alarms may at once; on a site with one host the host itself waits for its moment.
 */
export async function upgradeTurn(
  tx: Tx,
  { uid, tenant, siteId, lifecycle }: HostRow,
  nowMs: number,
): Promise<Result<null>> {
  if (lifecycle === 'drained' || lifecycle === 'commissioning') return ok(null);
  const others = (await hostsOf(tx, tenant, siteId)).filter(
    ({ host }) => host.uid !== uid && host.lifecycle === 'active',
  );
  if (others.length === 0) return ok(null);
  for (const { host } of others)
    if (await isUpgrading(tx, host, nowMs))
      return fail(
        'conflict',
        `The upgrade is refused: ${host.hostId} is installing another release, and a site upgrades one host at a time. Wait until it has ended.`,
      );
  if (others.some(isHealthy)) return ok(null);
  const names = others.map(({ host }) => host.hostId).join(', ');
  return fail(
    'conflict',
    `The upgrade is refused: no other host of the site is healthy now (${names}), so the site would take no alarms during the restart. Send force to upgrade anyway.`,
  );
}

const isHealthy = ({ status: { connectivity, facts } }: HostWithStatus): boolean =>
  connectivity === 'online' && Object.values(facts.svc ?? {}).every((word) => word === 'ok');

/** It was asked, has not refused, and nothing has come of it yet. */
async function isUpgrading(tx: Tx, { tenant, uid }: HostRow, nowMs: number): Promise<boolean> {
  const entries = await auditOfHost(tx, tenant, uid, undefined, ENTRIES);
  const last = entries.find(({ action }) => [UPGRADE_ASKED, UPGRADE_REFUSED, UPGRADE_OVER].includes(action));
  return last?.action === UPGRADE_ASKED && nowMs - last.at < LONGEST_MS;
}
