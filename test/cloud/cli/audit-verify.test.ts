import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { type AuditRun, verifyAudit } from '#cloud/cli/index.ts';
import { tenantByDomain } from '#cloud/store/index.ts';
import { ask, DEVICE, makeTenant, OWNER_TOKEN, openApi, type TestApi } from '../http/api.ts';

describe('carillon audit verify', () => {
  let api: TestApi;
  let server: ServerType;
  let tenant: string;
  let run: AuditRun;
  beforeEach(async () => {
    api = await openApi();
    const token = await makeTenant(api, 'a.test');
    tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
    for (let i = 0; i < 120; i++)
      await ask(api, 'PUT', '/provisioning/device/a.test', {
        token,
        body: { ...DEVICE, deviceId: `d-${i}` },
      });
    server = serve({ fetch: api.app.fetch, hostname: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    run = { baseUrl: `http://127.0.0.1:${port}/`, token, domain: 'a.test', kept: undefined };
    return async () => {
      server.close();
      await api.close();
    };
  });

  const audit = () => api.database.store.tables.audit;
  const there = (seq: number) => and(eq(audit().tenant, tenant), eq(audit().seq, seq));
  const tamper = (seq: number, set: object) =>
    api.database.store.withTx(async (tx) => void (await tx.db.update(audit()).set(set).where(there(seq))));

  test('a chain longer than a page is whole, with the head the cloud names', async () => {
    const verdict = await verifyAudit(run);
    expect(verdict).toEqual({
      kind: 'whole',
      head: { seq: 121, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
    const kept = verdict.kind === 'whole' ? verdict.head : undefined;
    await ask(api, 'PUT', '/provisioning/device/a.test', {
      token: run.token,
      body: { ...DEVICE, deviceId: 'more' },
    });
    expect(await verifyAudit({ ...run, kept })).toMatchObject({ kind: 'whole', head: { seq: 122 } });
    const platform = await verifyAudit({ ...run, token: OWNER_TOKEN, domain: undefined });
    expect(platform).toMatchObject({ kind: 'whole', head: { seq: 1 } });
  });

  test('a changed field, a removed entry and a forged hash are named', async () => {
    await tamper(50, { actor: 'person:nobody' });
    expect(await verifyAudit(run)).toMatchObject({ kind: 'broken', seq: 50 });
    await tamper(20, { detail: { after: { srtp: 'never' } } });
    expect(await verifyAudit(run)).toMatchObject({ kind: 'broken', seq: 20 });
    await api.database.store.withTx(async (tx) => void (await tx.db.delete(audit()).where(there(7))));
    expect(await verifyAudit(run)).toMatchObject({ kind: 'broken', seq: 7 });
  });

  test('a cut end is seen by the head, and a chain that was written again by a head kept elsewhere', async () => {
    const whole = await verifyAudit(run);
    await api.database.store.withTx(async (tx) => void (await tx.db.delete(audit()).where(there(121))));
    expect(await verifyAudit(run)).toEqual({
      kind: 'broken',
      seq: 121,
      reason: 'Entry 121 is missing: the end was cut off.',
    });
    const { auditHead } = api.database.store.tables;
    await api.database.store.withTx(async (tx) => {
      const [last] = await tx.db.select().from(audit()).where(there(120));
      await tx.db
        .update(auditHead)
        .set({ seq: 120, hash: last?.hash ?? '' })
        .where(eq(auditHead.tenant, tenant));
    });
    expect(await verifyAudit(run)).toMatchObject({ kind: 'whole', head: { seq: 120 } });
    const kept = whole.kind === 'whole' ? whole.head : undefined;
    expect(await verifyAudit({ ...run, kept })).toMatchObject({ kind: 'broken', seq: 121 });
    const other = { seq: 100, hash: 'f'.repeat(64) };
    expect(await verifyAudit({ ...run, kept: other })).toMatchObject({ kind: 'broken', seq: 100 });
  });

  test('a person who may not read it learns so, and a server without an answer is kept apart', async () => {
    expect(await verifyAudit({ ...run, token: 'nobody' })).toMatchObject({ kind: 'refused', status: 401 });
    expect(await verifyAudit({ ...run, domain: 'b.test' })).toMatchObject({ kind: 'refused', status: 403 });
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    const lost = await verifyAudit(run);
    expect(lost).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('no program listens there') as string,
    });
  });
});
