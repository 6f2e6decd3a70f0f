import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { HostFetch } from '#cloud/record/host-fetch.ts';
import {
  createUploads,
  hostsOf,
  insertTenant,
  type Store,
  type Uploads,
  updateHostStatus,
} from '#cloud/store/index.ts';
import { ok } from '#shared/result.ts';
import { dialects, openTestDatabase } from '../store/database.ts';
import { intakeStage } from './stage.ts';

const LIMIT_BYTES = 1_048_576;

/** The fetch of traces at two replicas; `reached`: the one that the host meets. */
function replicas(store: Store, document: Uint8Array, reached: () => HostFetch) {
  const puts: unknown[] = [];
  const uploads = createUploads(
    store,
    () => 1_000,
    async () => undefined,
  );
  const replica = () =>
    new HostFetch(
      {
        ask: async (uid, { args }) => {
          const id = String(args.url).split('/').at(-1) ?? '';
          // Another host, the host itself, and the host once more.
          puts.push(await reached().put(id, 'u2', document));
          puts.push(await reached().put(id, uid, document));
          puts.push(await reached().put(id, uid, document));
          return ok({ v: 1, id: '', ok: true, data: { bytes: document.length }, part: 1, last: true });
        },
        edgeUrl: () => 'https://edge.example',
        random: (length) => randomBytes(length),
        nowMs: () => 1_000,
        uploads,
      },
      { name: 'trace', op: 'trace.get', limitBytes: LIMIT_BYTES },
    );
  return { a: replica(), b: replica(), puts };
}

const CODES = [{ error: { code: 'notFound' } }, { ok: true }, { error: { code: 'notFound' } }];

it.each(dialects)(
  'a document arrives at whichever replica the host brings it to, on %s',
  async (dialect) => {
    const { store, close } = await openTestDatabase(dialect);
    const stage = await intakeStage(store);
    await stage.host('u1');
    await store.withTx((tx) => updateHostStatus(tx, 'u1', { connectivity: 'online' }));
    const [host] = await hostsOf(store, 't');
    if (host === undefined) throw new Error('no host');
    // More than one row carries.
    const document = randomBytes(600_000);
    for (const reached of ['a', 'b'] as const) {
      const made: ReturnType<typeof replicas> = replicas(store, document, () => made[reached]);
      const part = await made.a.fetch(host, {}, 'ada');
      expect(part.host).toEqual({ hostId: 'gw-u1', state: 'sent' });
      expect(Buffer.from(part.bytes ?? []).equals(document)).toBe(true);
      expect(made.puts).toMatchObject(CODES);
      // Nothing of it stays.
      expect(await store.db.select().from(store.tables.upload)).toEqual([]);
      expect(await store.db.select().from(store.tables.uploadPiece)).toEqual([]);
    }
    await close();
  },
  60_000,
);

it('a document that is too large, or that no replica asked for, is refused', async () => {
  const { store, close } = await openTestDatabase('sqlite');
  await store.withTx((tx) =>
    insertTenant(tx, { id: 't', domain: 'a.test', name: null, createdAt: 0, notBefore: 0 }),
  );
  const { b } = replicas(store, new Uint8Array(1), () => b);
  expect(await b.put('unknown', 'u1', new Uint8Array(1))).toMatchObject({ error: { code: 'notFound' } });
  expect(await b.put('unknown', 'u1', new Uint8Array(LIMIT_BYTES + 1))).toMatchObject({
    error: { code: 'tooLarge' },
  });
  await close();
});

it.each(dialects)(
  'bytes that are read while they come pass through a few rows, on %s',
  async (dialect) => {
    const { store, close } = await openTestDatabase(dialect);
    await store.withTx((tx) =>
      insertTenant(tx, { id: 't', domain: 'a.test', name: null, createdAt: 0, notBefore: 0 }),
    );
    const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
    const [a, b] = [0, 1].map(() => createUploads(store, () => 1_000, pause)) as [Uploads, Uploads];
    const document = randomBytes(1_000_000);
    const source = new Blob([document]).stream() as ReadableStream<Uint8Array>;
    await a.open({ id: 'ticket', tenant: 't', uid: 'u1' }, 10, 10);
    expect(await a.flow('ticket')).toBeUndefined();
    expect(await b.pour('ticket', 'u2', source)).toBe(false);
    expect(await b.pour('ticket', 'u1', source)).toBe(true);
    const flow = await a.flow('ticket');
    let most = 0;
    const parts: Uint8Array[] = [];
    for await (const part of flow ?? []) {
      parts.push(part);
      most = Math.max(most, (await store.db.select().from(store.tables.uploadPiece)).length);
    }
    expect(Buffer.concat(parts).equals(document)).toBe(true);
    expect(most).toBeLessThanOrEqual(8);
    expect(await store.db.select().from(store.tables.upload)).toEqual([]);
    // A reader that leaves takes the rows with it, and the sender ends.
    await a.open({ id: 'left', tenant: 't', uid: 'u1' }, 10, 10);
    await b.pour('left', 'u1', new Blob([document]).stream() as ReadableStream<Uint8Array>);
    await (await a.flow('left'))?.cancel();
    await expect.poll(() => store.db.select().from(store.tables.uploadPiece)).toEqual([]);
    await close();
  },
  60_000,
);
