import type { PlatformTenant, Tenant, TenantChange } from '#shared/contract/provisioning/index.ts';
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
  updateTenant,
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

    list: async (after: string, limit: number): Promise<Page<PlatformTenant>> =>
      pageOf(await listTenants(store, after, limit + 1), limit, (row) => row.domain, platformTenant),

    read: async (domain: string): Promise<Result<PlatformTenant>> => {
      const row = await tenantByDomain(store, domain);
      return row === undefined ? unknown(domain) : ok(platformTenant(row));
    },

    /** Fails with `conflict` when the domain is taken. */
    create: (call: Call, request: PlatformTenant): Promise<Result<{ domain: string }>> =>
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
          secondFactorSince: request.secondFactorRequired === true ? at : null,
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
          detail: { after: platformTenant(row) },
        });
        return ok({ domain });
      }),

    change: (call: Call, domain: string, request: TenantChange): Promise<Result<null>> =>
      mutate(store, call, async (tx) => {
        const before = await tenantByDomain(tx, domain);
        if (before === undefined) return unknown(domain);
        const { name = before.name, secondFactorRequired } = request;
        const since = {
          true: before.secondFactorSince ?? call.actor.at,
          false: null,
          undefined: before.secondFactorSince,
        }[`${secondFactorRequired}`];
        const after: TenantRow = { ...before, name, secondFactorSince: since };
        await updateTenant(tx, before.id, { name, secondFactorSince: since });
        if (name !== before.name)
          await recordChange(tx, {
            scope: 'tenant',
            owner: before.id,
            entity: TENANT,
            id: domain,
            op: 'put',
            body: { ...shownTenant(after), ...(after.notBefore > 0 && { notBefore: after.notBefore }) },
            at: call.actor.at,
          });
        await recordAudit(tx, call.actor, {
          tenant: '',
          action: 'patch',
          entity: TENANT,
          entityId: domain,
          detail: { before: platformTenant(before), after: platformTenant(after) },
        });
        return ok(null);
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
          detail: { before: platformTenant(row) },
        });
        return ok(null);
      }),
  };
}

const unknown = (domain: string) =>
  fail('notFound', `The tenant ${domain} does not exist. Check the domain.`);

/** As its sites know it. */
export const shownTenant = (row: TenantRow): Tenant => ({
  domain: row.domain,
  ...(row.name === null ? {} : { name: row.name }),
});

const platformTenant = (row: TenantRow): PlatformTenant => ({
  ...shownTenant(row),
  ...(row.secondFactorSince !== null && { secondFactorRequired: true }),
});
