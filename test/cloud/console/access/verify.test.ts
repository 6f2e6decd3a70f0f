import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyChain } from '#cloud/console/page/audit/verify.ts';
import { detailChanges } from '#cloud/console/text/field-change.ts';
import { canonicalJson } from '#shared/contract/feed/index.ts';
import type { AuditEntryShown } from '#shared/contract/record/index.ts';

const TENANT = 'tenant-1';

/** A log of so many entries, chained as the control plane chains them. */
function log(count: number): AuditEntryShown[] {
  const entries: AuditEntryShown[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const entry = {
      ...{ seq, at: seq * 1_000, actor: 'person:1', address: '192.0.2.1', requestId: `r${seq}` },
      ...{ action: 'put', entity: 'device', entityId: `d${seq}`, detail: { after: { seq } } },
      previous: entries.at(-1)?.hash ?? '',
    };
    const text = canonicalJson({ ...entry, tenant: TENANT, kid: null });
    entries.push({ ...entry, hash: createHash('sha256').update(text).digest('hex') });
  }
  return entries;
}

const begin = { seq: 0, hash: '' };

/** Hands out `entries` by twos; the head says how many there were. */
const source = (entries: readonly AuditEntryShown[], head = entries.at(-1)) => ({
  head: async () => ({
    ok: true as const,
    value: { seq: head?.seq ?? 0, hash: head?.hash ?? '', begin, tenant: TENANT },
  }),
  page: async (token: string | undefined) => {
    const at = Number(token ?? 0);
    const next = at + 2 < entries.length ? String(at + 2) : undefined;
    return { ok: true as const, value: { items: entries.slice(at, at + 2), nextToken: next } };
  },
});

describe('the chain of the audit log', () => {
  it('is followed over all pages', async () => {
    const entries = log(5);
    expect(await verifyChain(source(entries))).toEqual({
      ok: true,
      value: { checked: 5, hash: entries.at(-1)?.hash },
    });
  });
  it('is whole where there is no entry', async () => {
    expect(await verifyChain(source([]))).toEqual({ ok: true, value: { checked: 0, hash: '' } });
  });
  it('leaves what came after the head was read', async () => {
    const entries = log(5);
    expect(await verifyChain(source(entries, entries[2]))).toMatchObject({ value: { checked: 3 } });
  });
  it('breaks at an entry that was changed', async () => {
    const entries = log(5).map((entry) => (entry.seq === 3 ? { ...entry, actor: 'person:2' } : entry));
    expect(await verifyChain(source(entries))).toMatchObject({ value: { broken: 3 } });
  });
  it('breaks where one was removed, and where the end is missing', async () => {
    const entries = log(5);
    expect(await verifyChain(source(entries.filter(({ seq }) => seq !== 4)))).toMatchObject({
      value: { broken: 4 },
    });
    expect(await verifyChain(source(entries.slice(0, 4), entries[4]))).toMatchObject({
      value: { broken: 5 },
    });
  });
});

describe('the changes of an audit entry', () => {
  it('are the fields that differ before and after', () => {
    expect(detailChanges({ before: { a: 1, b: 2 }, after: { a: 1, b: 3 } })).toEqual([
      { path: '/b', before: 2, after: 3 },
    ]);
  });
  it('are all fields of what was made or removed, and of what has no states', () => {
    expect(detailChanges({ after: { a: 1 } })).toEqual([{ path: '/a', before: undefined, after: 1 }]);
    expect(detailChanges({ before: { a: 1 }, after: null })).toEqual([
      { path: '/a', before: 1, after: undefined },
    ]);
    expect(detailChanges({ hostId: 'gw-1' })).toEqual([
      { path: '/hostId', before: undefined, after: 'gw-1' },
    ]);
    expect(detailChanges(undefined)).toEqual([]);
  });
});
