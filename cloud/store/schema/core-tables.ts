import { sql } from 'drizzle-orm';
import type { Columns } from './columns.sqlite.ts';

/** One operation of a replicated scope. `site` owner is `<tenant>/<siteId>`, `host` owner the host's uid. */
export type Scope = 'platform' | 'tenant' | 'site' | 'host';

/**
 * Tenants, revisions, changes, audit and idempotency: what every mutating call touches.
 * Times are epoch milliseconds. `tenant` is the tenant's id (ULID), not its domain.
 */
export function coreTables(c: Columns) {
  return {
    tenant: c.table(
      'tenant',
      {
        id: c.text('id').primaryKey(),
        domain: c.text('domain').notNull(),
        name: c.text('name'),
        createdAt: c.int('created_at').notNull(),
        /** JWTs issued earlier are refused; 0 = no cut. */
        notBefore: c.int('not_before').notNull(),
        /** Sessions that begin from then on need a second factor; null = none does. */
        secondFactorSince: c.int('second_factor_since'),
      },
      (t) => [c.uniqueIndex('tenant_domain').on(t.domain)],
    ),
    /** The counter of a scope. The row lock of its UPDATE makes revisions gap-free. */
    scopeRevision: c.table(
      'scope_revision',
      {
        scope: c.text('scope').$type<Scope>().notNull(),
        owner: c.text('owner').notNull(),
        rev: c.int('rev').notNull(),
      },
      (t) => [c.primaryKey({ name: 'scope_revision_pk', columns: [t.scope, t.owner] })],
    ),
    /** One row per entity touched in a revision; the last operation on an entity within a revision stands. */
    configChange: c.table(
      'config_change',
      {
        scope: c.text('scope').$type<Scope>().notNull(),
        owner: c.text('owner').notNull(),
        rev: c.int('rev').notNull(),
        entity: c.text('entity').notNull(),
        id: c.text('id').notNull(),
        op: c.text('op').$type<'put' | 'delete'>().notNull(),
        body: c.json<unknown>('body'),
        /** SHA-256 over the RFC 8785 form of `body`; empty for a tombstone. */
        hash: c.text('hash').notNull(),
        /** The revision may remove much at once (control plane's mass-change brake). */
        massChange: c.bool('mass_change').notNull(),
        at: c.int('at').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'config_change_pk', columns: [t.scope, t.owner, t.rev, t.entity, t.id] }),
        c.index('config_change_entity').on(t.scope, t.owner, t.entity, t.id),
      ],
    ),
    /** Head of each tenant's hash chain; its row lock puts audit rows in order. Owner '' = the platform's own. */
    auditHead: c.table('audit_head', {
      tenant: c.text('tenant').primaryKey(),
      seq: c.int('seq').notNull(),
      hash: c.text('hash').notNull(),
    }),
    /** The entry behind which each tenant's log begins: what came before it was kept for its time. */
    auditAnchor: c.table('audit_anchor', {
      tenant: c.text('tenant').primaryKey(),
      seq: c.int('seq').notNull(),
      hash: c.text('hash').notNull(),
      at: c.int('at').notNull(),
    }),
    audit: c.table(
      'audit',
      {
        tenant: c.text('tenant').notNull(),
        seq: c.int('seq').notNull(),
        at: c.int('at').notNull(),
        actor: c.text('actor').notNull(),
        kid: c.text('kid'),
        address: c.text('address').notNull(),
        requestId: c.text('request_id').notNull(),
        action: c.text('action').notNull(),
        entity: c.text('entity').notNull(),
        entityId: c.text('entity_id').notNull(),
        /** The values before and after, secrets masked. */
        detail: c.json<unknown>('detail'),
        previous: c.text('previous').notNull(),
        hash: c.text('hash').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'audit_pk', columns: [t.tenant, t.seq] }),
        c.index('audit_at').on(t.tenant, t.at),
        c.index('audit_actor').on(t.tenant, t.actor, t.seq),
        c.index('audit_host').on(t.tenant, t.entityId, t.seq).where(sql`entity = 'host'`),
      ],
    ),
    idempotency: c.table(
      'idempotency',
      {
        tenant: c.text('tenant').notNull(),
        key: c.text('key').notNull(),
        /** Method, path and body of the first request, hashed. */
        fingerprint: c.text('fingerprint').notNull(),
        /** Null only inside the transaction that claims the key. */
        answer: c.json<unknown>('answer'),
        at: c.int('at').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'idempotency_pk', columns: [t.tenant, t.key] }),
        c.index('idempotency_at').on(t.at),
      ],
    ),
  };
}
