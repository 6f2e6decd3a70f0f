import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type KeyOrigin, openInstallationKeys, PURPOSES, type Purpose } from '#cloud/installation/index.ts';
import { openVault } from '#cloud/io/key/index.ts';
import { createStore, type DialectName, type Store } from '#cloud/store/index.ts';
import { openTestDatabase, type TestDatabase, vault } from './database.ts';

const NOW = 1_770_000_000_000;

/** Keys that a process makes, each with its name in it. */
const made = (process: string): KeyOrigin => ({
  kept: () => undefined,
  make: (purpose: Purpose) => `${purpose} of ${process}`,
});

/** The keys that all processes of an installation share. */
export function installationKeySuite(dialect: DialectName): void {
  describe(`keys of the installation on ${dialect}`, () => {
    let database: TestDatabase;
    let store: Store;
    beforeEach(async () => {
      database = await openTestDatabase(dialect);
      store = database.store;
    });
    afterEach(() => database.close());

    const open = (process: string, by = vault, origin = made(process)) =>
      openInstallationKeys({ store, vault: by, nowMs: NOW }, origin);
    const alter = (purpose: Purpose, sealed: string) => {
      const t = store.tables.installationKey;
      return store.withTx((tx) => tx.db.update(t).set({ sealed }).where(eq(t.purpose, purpose)));
    };
    const rows = () => store.db.select().from(store.tables.installationKey);

    test('are made once, and the next process takes them', async () => {
      const first = await open('first');
      expect(first.made).toEqual(PURPOSES);
      const second = await open('second');
      expect([second.made, second.adopted]).toEqual([[], []]);
      expect(PURPOSES.map((purpose) => second.of(purpose).text())).toEqual(
        PURPOSES.map((purpose) => `${purpose} of first`),
      );
      for (const { sealed } of await rows()) expect(sealed).toMatch(/^v1:[0-9a-f]{8}:/);
    });

    test('are those of one process when several start at once', async () => {
      const opened = await Promise.all(['one', 'two', 'three'].map((process) => open(process)));
      const texts = opened.map((keys) => PURPOSES.map((purpose) => keys.of(purpose).text()));
      expect(new Set(texts.map((each) => each.join())).size).toBe(1);
      expect(new Set(texts[0]?.map((text) => text.split(' of ')[1])).size).toBe(1);
      expect(opened.map((keys) => keys.made.length).toSorted((a, b) => a - b)).toEqual([
        0,
        0,
        PURPOSES.length,
      ]);
    });

    test('are adopted from what an earlier version kept, and the rest is made', async () => {
      const kept = (purpose: Purpose) => (purpose === 'authority' ? 'the old one' : undefined);
      const keys = await open('first', vault, { ...made('first'), kept });
      expect(keys.adopted).toEqual(['authority']);
      expect(keys.made).toEqual(PURPOSES.filter((purpose) => purpose !== 'authority'));
      expect(keys.of('authority').text()).toBe('the old one');
    });

    test('do not open with another vault key, altered or moved, and the sentence names the key', async () => {
      await open('first');
      const other = openVault('/tmp', { given: Buffer.alloc(32, 9).toString('base64url') });
      await expect(open('second', other)).rejects.toThrow(
        new RegExp(`The key authority in the database does not open with the vault key ${other.keyName}`),
      );
      const before = new Map((await rows()).map(({ purpose, sealed }) => [purpose, sealed]));
      const signing = before.get('signing') ?? '';
      await alter('signing', `${signing.slice(0, -3)}${signing.endsWith('AAA') ? 'BBB' : 'AAA'}`);
      await expect(open('second')).rejects.toThrow(/key signing in the database.*altered or moved/);
      await alter('signing', before.get('installation') ?? '');
      await expect(open('second')).rejects.toThrow(/key signing in the database.*altered or moved/);
      await alter('signing', signing);
      expect((await open('second')).of('signing').text()).toBe('signing of first');
    });

    test('are replaced by one process, and another that did not see it takes that one', async () => {
      const [first, second] = [await open('first'), await open('second')];
      expect(await first.of('signing').replace('changed by the first')).toBe(true);
      expect(await second.of('signing').replace('changed by the second')).toBe(false);
      expect(second.of('signing').text()).toBe('changed by the first');
      expect(await second.of('signing').replace('changed again')).toBe(true);
      await first.of('signing').reload();
      expect(first.of('signing').text()).toBe('changed again');
    });

    test('that were lost are made again only where no start has had them', async () => {
      await open('first');
      const t = store.tables.installationKey;
      await store.withTx((tx) => tx.db.delete(t).where(eq(t.purpose, 'challenge')));
      const again = await openInstallationKeys(
        { store: createStore(database.port), vault, nowMs: NOW },
        made('x'),
      );
      expect(again.made).toEqual(['challenge']);
    });
  });
}
