import type { Lifecycle } from '../store/index.ts';
import {
  type Actor,
  type HostRow,
  recordAudit,
  recordChange,
  type SiteRow,
  type Tx,
  updateHost,
} from '../store/index.ts';

export const ownerOfSite = (tenant: string, siteId: string): string => `${tenant}/${siteId}`;

/** What the hosts of a site are told about it (scope `site`). */
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

/** Moves a host to another state of its life, with the audit entry that says who did it. */
export async function moveHost(
  tx: Tx,
  actor: Actor,
  host: HostRow,
  to: Lifecycle,
  reason?: string,
): Promise<HostRow> {
  const set = { lifecycle: to, lifecycleSince: actor.at };
  await updateHost(tx, host.uid, set);
  await recordAudit(tx, actor, {
    tenant: host.tenant,
    action: to,
    entity: 'host',
    entityId: host.uid,
    detail: {
      hostId: host.hostId,
      siteId: host.siteId,
      before: host.lifecycle,
      after: to,
      ...(reason === undefined ? {} : { reason }),
    },
  });
  return { ...host, ...set };
}
