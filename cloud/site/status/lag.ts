import { type FeedScope, SCOPES } from '#shared/contract/feed/index.ts';
import type { PendingChange } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  changesSince,
  type HostRow,
  type HostStatusRow,
  hostByName,
  readHostStatus,
} from '../../store/index.ts';
import type { HostName } from '../lifecycle/lifecycle-operations.ts';
import type { LifecyclePort } from '../lifecycle/port.ts';
import { ownerOfSite } from '../lifecycle/record.ts';

const MOST = 1_000;

/** The changes of the platform's configuration that the host has not applied: those since its revisions, oldest first. */
export function configurationLag({ store }: Pick<LifecyclePort, 'store'>) {
  return async (tenant: string, { siteId, hostId }: HostName): Promise<Result<PendingChange[]>> => {
    const host = await hostByName(store, tenant, siteId, hostId);
    const status = host === undefined ? undefined : await readHostStatus(store, host.uid);
    if (host === undefined || status === undefined)
      return fail('notFound', `The host ${hostId} does not exist in site ${siteId}. Check both ids.`);
    const owners = ownersOf(host);
    const pending: PendingChange[] = [];
    for (const scope of SCOPES) {
      const changes = await changesSince(store, scope, owners[scope], appliedOf(status)[scope], MOST);
      for (const { rev, entity, id, op, at } of changes)
        pending.push({ scope, revision: rev, entity, id, op, at });
    }
    return ok(pending.slice(0, MOST));
  };
}

/** Whose revisions of each scope a host follows. */
export const ownersOf = ({
  tenant,
  siteId,
  uid,
}: Pick<HostRow, 'tenant' | 'siteId' | 'uid'>): { readonly [S in FeedScope]: string } => ({
  platform: '',
  tenant,
  site: ownerOfSite(tenant, siteId),
  host: uid,
});

export const appliedOf = (row: HostStatusRow): { readonly [S in FeedScope]: number } => ({
  platform: row.revPlatform,
  tenant: row.revTenant,
  site: row.revSite,
  host: row.revHost,
});
