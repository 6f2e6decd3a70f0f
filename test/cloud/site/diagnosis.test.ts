import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DIAGNOSIS_LIMIT_BYTES, DiagnosisBundles } from '#cloud/site/index.ts';
import { createUploads, insertTenant, type Uploads } from '#cloud/store/index.ts';
import type { Result } from '#shared/result.ts';
import { dialects, openTestDatabase } from '../store/database.ts';

const sha256Bytes = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const BYTES = new Uint8Array([31, 139, 8]);

const stores: (readonly [string, () => Promise<{ uploads?: Uploads; close: () => Promise<void> }>])[] = [
  ['in memory', async () => ({ close: async () => undefined })],
  ...dialects.map(
    (dialect) =>
      [
        `in rows, on ${dialect}`,
        async () => {
          const { store, close } = await openTestDatabase(dialect);
          for (const id of ['tenant', 'other'])
            await store.withTx((tx) =>
              insertTenant(tx, { id, domain: `${id}.test`, name: null, createdAt: 0, notBefore: 0 }),
            );
          return {
            uploads: createUploads(
              store,
              () => clock.now,
              async () => undefined,
            ),
            close,
          };
        },
      ] as const,
  ),
];
const clock = { now: 1_000 };

describe.each(stores)('support bundles %s', (_, make) => {
  let made: Awaited<ReturnType<typeof make>>;
  let bundles: DiagnosisBundles;
  beforeEach(async () => {
    clock.now = 1_000;
    made = await make();
    const { uploads } = made;
    const port = { random: (length: number) => randomBytes(length), sha256Bytes, nowMs: () => clock.now };
    bundles = new DiagnosisBundles({ ...port, ...(uploads && { uploads }) });
  });
  afterEach(() => made.close());
  const code = async (result: Promise<Result<unknown>>) => {
    const done = await result;
    return done.ok ? 'ok' : done.error.code;
  };

  it('are taken once, from the host that was asked, and given to its tenant', async () => {
    const id = await bundles.ticket('tenant', 'uid-1');
    expect(await code(bundles.put(id, 'uid-2', BYTES))).toBe('notFound');
    expect(await code(bundles.put(id, 'uid-1', BYTES))).toBe('ok');
    expect(await code(bundles.put(id, 'uid-1', new Uint8Array(1)))).toBe('notFound');
    expect(await bundles.holds(id, sha256Bytes(BYTES))).toBe(true);
    expect(await bundles.holds(id, sha256Bytes(new Uint8Array(1)))).toBe(false);
    expect(await bundles.take('tenant', 'uid-1', id)).toEqual({ ok: true, value: BYTES });
    expect(await code(bundles.take('other', 'uid-1', id))).toBe('notFound');
    expect(await code(bundles.take('tenant', 'uid-2', id))).toBe('notFound');
  });

  it('are refused when they are too large, come too late, or to an address that was not made', async () => {
    const id = await bundles.ticket('tenant', 'uid-1');
    expect(await code(bundles.put(id, 'uid-1', new Uint8Array(DIAGNOSIS_LIMIT_BYTES + 1)))).toBe('tooLarge');
    expect(await code(bundles.put('nonsense', 'uid-1', BYTES))).toBe('notFound');
    clock.now += 121_000;
    expect(await code(bundles.put(id, 'uid-1', BYTES))).toBe('notFound');
  });

  it('are forgotten after an hour', async () => {
    const first = await bundles.ticket('tenant', 'uid-1');
    await bundles.put(first, 'uid-1', BYTES);
    clock.now += 3_600_001;
    expect(await code(bundles.take('tenant', 'uid-1', first))).toBe('notFound');
  });

  it('come whole, also the largest', { timeout: 60_000 }, async () => {
    const large = new Uint8Array(randomBytes(DIAGNOSIS_LIMIT_BYTES));
    const id = await bundles.ticket('tenant', 'uid-1');
    await bundles.put(id, 'uid-1', large);
    const taken = await bundles.take('tenant', 'uid-1', id);
    expect(taken.ok && sha256Bytes(taken.value)).toBe(sha256Bytes(large));
  });
});

it('support bundles in memory: the oldest is forgotten where there are many', async () => {
  const bundles = new DiagnosisBundles({
    random: (length) => randomBytes(length),
    sha256Bytes,
    nowMs: () => 1_000,
  });
  const ids: string[] = [];
  for (let n = 0; n < 17; n++) {
    const id = await bundles.ticket('tenant', 'uid-1');
    await bundles.put(id, 'uid-1', BYTES);
    ids.push(id);
  }
  const taken = await Promise.all(ids.map(async (id) => (await bundles.take('tenant', 'uid-1', id)).ok));
  expect(taken).toEqual([false, ...ids.slice(1).map(() => true)]);
});
