import type { Tenant } from '#shared/contract/provisioning/index.ts';
import { ulid } from '#shared/id.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Call, Page, TenantRow } from '../store/index.ts';
import {
  deleteTenant,
  insertTenant,
  listTenants,
  mutate,
  pageOf,
  recordAudit,
  recordChange,
  tenantByDomain,
} from '../store/index.ts';
import type { TenancyPort } from './credential/port.ts';
import type { TenantName } from './credential/principal.ts';

/** Entity of changes and audit. */
export const TENANT = 'tenant';

/** Tenants of the platform, made and removed by its owner. */
export function tenants({ store, random, tenantHeldBy }: TenancyPort) {
  return {
    /** The tenant of a `domain` in a path. @returns undefined when there is none. */
    find: async (domain: string): Promise<TenantName | undefined> => {
      const row = await tenantByDomain(store, domain);
      return row === undefined ? undefined : { id: row.id, domain: row.domain };
    },

    list: async (after: string, limit: number): Promise<Page<Tenant>> =>
      pageOf(await listTenants(store, after, limit + 1), limit, (row) => row.domain, shownTenant),

    read: async (domain: string): Promise<Result<Tenant>> => {
      const row = await tenantByDomain(store, domain);
      return row === undefined ? unknown(domain) : ok(shownTenant(row));
    },

    /** Fails with `conflict` when the domain is taken. */
    create: (call: Call, request: Tenant): Promise<Result<{ domain: string }>> =>
      mutate(store, call, async (tx) => {
        const { domain } = request;
        const at = call.actor.at;
        if ((await tenantByDomain(tx, domain)) !== undefined)
          return fail(
            'conflict',
            `The tenant is not created: a tenant ${domain} exists already. Choose another domain.`,
            '/domain',
          );
        const row: TenantRow = {
          id: ulid(at, random(10)),
          domain,
          name: request.name ?? null,
          createdAt: at,
          notBefore: 0,
        };
        await insertTenant(tx, row);
        await recordChange(tx, {
          scope: 'tenant',
          owner: row.id,
          entity: TENANT,
          id: domain,
          op: 'put',
          body: shownTenant(row),
          at,
        });
        await recordAudit(tx, call.actor, {
          tenant: '',
          action: 'create',
          entity: TENANT,
          entityId: domain,
          detail: { after: shownTenant(row) },
        });
        return ok({ domain });
      }),

    /** Fails with `conflict` while it has hosts. */
    remove: (call: Call, domain: string): Promise<Result<null>> =>
      mutate(store, call, async (tx) => {
        const row = await tenantByDomain(tx, domain);
        if (row === undefined) return unknown(domain);
        const held = (await tenantHeldBy?.(tx, row.id)) ?? null;
        if (held !== null) return fail('conflict', held);
        await deleteTenant(tx, row.id);
        await recordAudit(tx, call.actor, {
          tenant: '',
          action: 'delete',
          entity: TENANT,
          entityId: domain,
          detail: { before: shownTenant(row) },
        });
        return ok(null);
      }),
  };
}

const unknown = (domain: string) =>
  fail('notFound', `The tenant ${domain} does not exist. Check the domain.`);

export const shownTenant = (row: TenantRow): Tenant => ({
  domain: row.domain,
  ...(row.name === null ? {} : { name: row.name }),
});
