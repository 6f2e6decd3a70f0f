import {
  type Actor,
  type HostRow,
  recordAudit,
  recordChange,
  type SiteRow,
  type Tx,
  updateHost,
} from '../../store/index.ts';
import { freshCourse, type LifecycleState } from './lifecycle.ts';

/** Where a host stands, as its row says. */
export const stateOf = ({ lifecycle, course }: Pick<HostRow, 'lifecycle' | 'course'>): LifecycleState => ({
  life: lifecycle,
  course: course ?? freshCourse,
});

export const ownerOfSite = (tenant: string, siteId: string): string => `${tenant}/${siteId}`;

/** Replicates a site to its hosts (scope `site`). */
export async function recordSite(tx: Tx, site: SiteRow, at: number): Promise<void> {
  const { siteId, name, profile, reachable, keyPublic } = site;
  await recordChange(tx, {
    scope: 'site',
    owner: ownerOfSite(site.tenant, siteId),
    entity: 'site',
    id: siteId,
    op: 'put',
    body: { siteId, ...(name === null ? {} : { name }), profile, reachable, siteKey: keyPublic },
    at,
  });
}

/** A member of the site, as its peers must know it, and the host's own configuration. */
export async function recordHost(tx: Tx, host: HostRow, at: number): Promise<void> {
  const { uid, hostId, publicKey, sealKey, siteBaseUrl, labels, network } = host;
  await recordChange(tx, {
    scope: 'site',
    owner: ownerOfSite(host.tenant, host.siteId),
    entity: 'host',
    id: uid,
    op: 'put',
    body: {
      uid,
      hostId,
      publicKey,
      sealKey,
      ...(siteBaseUrl === null ? {} : { siteBaseUrl }),
      // Chosen: who joined first comes first when a leader or a holder of rows is picked.
      order: host.createdAt,
    },
    at,
  });
  await recordChange(tx, {
    scope: 'host',
    owner: uid,
    entity: 'host',
    id: uid,
    op: 'put',
    body: { hostId, labels, network },
    at,
  });
}

/** A host that is no member any more: its peers let go of it, and its own configuration ends. */
export async function recordDeparture(tx: Tx, host: HostRow, at: number): Promise<void> {
  const removal = { entity: 'host', id: host.uid, op: 'delete', at } as const;
  await recordChange(tx, { scope: 'site', owner: ownerOfSite(host.tenant, host.siteId), ...removal });
  await recordChange(tx, { scope: 'host', owner: host.uid, ...removal });
}

/** Moves a host to another state of its life, with the audit entry that says who did it. */
export async function moveHost(
  tx: Tx,
  actor: Actor,
  host: HostRow,
  { life, course }: LifecycleState,
  reason?: string,
): Promise<HostRow> {
  const set = { lifecycle: life, lifecycleSince: actor.at, course };
  await updateHost(tx, host.uid, set);
  await recordAudit(tx, actor, {
    tenant: host.tenant,
    action: life,
    entity: 'host',
    entityId: host.uid,
    detail: {
      hostId: host.hostId,
      siteId: host.siteId,
      before: host.lifecycle,
      after: life,
      ...(reason === undefined || reason === '' ? {} : { reason }),
    },
  });
  return { ...host, ...set };
}
