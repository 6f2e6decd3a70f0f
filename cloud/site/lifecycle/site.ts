import type { Site, SiteRequest } from '#shared/contract/site/index.ts';
import { ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type Call,
  deleteSite,
  hostsOf,
  insertSite,
  mutate,
  readSite,
  recordAudit,
  recordChange,
  type SiteRow,
  siteKeyPlace,
  type Tx,
} from '../../store/index.ts';
import type { SitePort } from './port.ts';
import { ownerOfSite, recordSite } from './record.ts';

export const unknownSite = (siteId: string) =>
  fail('notFound', `The site ${siteId} does not exist. Check the siteId.`);

export const shownSite = ({ siteId, name, profile, reachable }: SiteRow): Site => ({
  siteId,
  ...(name === null ? {} : { name }),
  profile,
  reachable,
});

/** Sites of a tenant. */
export function sites(port: SitePort) {
  const { store, random, vault, createSiteKey } = port;
  return {
    read: async (tenant: string, siteId: string): Promise<Result<Site>> => {
      const row = await readSite(store, tenant, siteId);
      return row === undefined ? unknownSite(siteId) : ok(shownSite(row));
    },

    /** Fails with `conflict` when the tenant has a site of that name. */
    create: (call: Call, request: SiteRequest): Promise<Result<{ siteId: string }>> =>
      mutate(store, call, async (tx) => {
        const at = call.actor.at;
        const siteId = request.siteId ?? ulid(at, random(10));
        if ((await readSite(tx, call.tenant, siteId)) !== undefined)
          return fail(
            'conflict',
            `The site is not created: a site ${siteId} exists already. Choose another siteId.`,
            '/siteId',
          );
        const key = createSiteKey();
        const { kty, crv, x, kid } = key;
        const row: SiteRow = {
          tenant: call.tenant,
          siteId,
          name: request.name ?? null,
          profile: request.profile,
          reachable: request.reachable,
          keyPublic: { kty, crv, x, kid },
          keySealed: vault.seal(JSON.stringify(key), siteKeyPlace(call.tenant, siteId)),
          createdAt: at,
        };
        await insertSite(tx, row);
        await recordSite(tx, row, at);
        await recordAudit(tx, call.actor, {
          tenant: call.tenant,
          action: 'create',
          entity: 'site',
          entityId: siteId,
          detail: { after: shownSite(row) },
        });
        return ok({ siteId });
      }),

    /** Fails with `conflict` while it has hosts. */
    remove: (call: Call, siteId: string): Promise<Result<null>> =>
      mutate(store, call, async (tx) => {
        const row = await readSite(tx, call.tenant, siteId);
        if (row === undefined) return unknownSite(siteId);
        const hosts = await hostsOf(tx, call.tenant, siteId);
        if (hosts.length > 0)
          return fail(
            'conflict',
            `The site cannot be deleted: it has ${hosts.length} hosts. Decommission them first.`,
          );
        await deleteSite(tx, call.tenant, siteId);
        const at = call.actor.at;
        const owner = ownerOfSite(call.tenant, siteId);
        await recordChange(tx, { scope: 'site', owner, entity: 'site', id: siteId, op: 'delete', at });
        await recordAudit(tx, call.actor, {
          tenant: call.tenant,
          action: 'delete',
          entity: 'site',
          entityId: siteId,
          detail: { before: shownSite(row) },
        });
        return ok(null);
      }),
  };
}

/** Why a tenant cannot be deleted now; null = no host holds it. */
export async function tenantHeldByHosts(tx: Tx, tenant: string): Promise<string | null> {
  const hosts = await hostsOf(tx, tenant);
  return hosts.length === 0
    ? null
    : `The tenant cannot be deleted: it has ${hosts.length} hosts. Decommission them first.`;
}
