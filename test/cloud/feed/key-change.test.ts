import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { followKeys, hostReader, keysFrom, kidOf } from '#appliance/io/edge/index.ts';
import { bringUpPlatform, createKeyChange } from '#cloud/feed/index.ts';
import { FORMER_MS, SETTLED_MS, WAITED_MS } from '#cloud/feed/key-change.ts';
import { keyStatements } from '#cloud/feed/platform.ts';
import { announceKey, type KeptKey, openSigner } from '#cloud/io/key/index.ts';
import { currentRevision, insertHost, rowsOfScope, updateHostStatus } from '#cloud/store/index.ts';
import { TWIN_TYP } from '#shared/contract/feed/index.ts';
import type { VerifyKey } from '#shared/contract/site/index.ts';
import { keptKey } from '#test/support/installation/kept-key.ts';
import { openTestDatabase, type TestDatabase } from '../store/database.ts';
import { FeedHost } from './feed-host.ts';

const START = 1_770_000_000_000;
const TENANT = '01jtenant0000000000000000t';

/** A host that pins what it was enrolled with, and has the rows of the platform as of its last acknowledgement. */
class Reader extends FeedHost {
  rows: VerifyKey[] = [];
  readonly pinned: readonly VerifyKey[];
  constructor(pinned: readonly VerifyKey[]) {
    super(TENANT, 'care.example');
    this.pinned = pinned;
  }
  readonly reads = async (jws: string): Promise<boolean> =>
    (await hostReader({ verifyKeys: this.pinned }, () => this.rows)(jws, TWIN_TYP)) !== undefined;
}

let database: TestDatabase;
/** The row of the signing keys. */
let kept: KeptKey;
let now: number;
let logged: string[];
let signer: ReturnType<typeof openSigner>;
let hosts: Reader[];
let round: () => Promise<void>;
beforeEach(async () => {
  database = await openTestDatabase('sqlite');
  kept = keptKey();
  now = START;
  logged = [];
  signer = start();
  await tell();
  hosts = [];
  for (const _ of [1, 2]) {
    const host = new Reader(signer.verifyKeys);
    await host.join(database.store, START);
    hosts.push(host);
    await acknowledges(host);
  }
});
afterEach(async () => {
  for (const host of hosts) host.end();
  await database.close();
});

const tell = () =>
  bringUpPlatform(
    database.store,
    { ca: 'PEM', verifyKeys: signer.announcedKeys, publicUrl: 'http://127.0.0.1' },
    now,
  );

/** The control plane begins, for the first time or again. */
function start() {
  const opened = openSigner(kept);
  round = createKeyChange({
    store: database.store,
    keys: opened,
    nowMs: () => now,
    tell,
    log: (level, event) => logged.push(`${level} ${event}`),
  });
  return opened;
}

async function platformRows(): Promise<{ rev: number; keys: VerifyKey[] }> {
  const rev = await currentRevision(database.store, 'platform', '');
  const rows = await rowsOfScope(database.store, 'platform', '', rev);
  return {
    rev,
    keys: rows.filter(({ entity }) => entity === 'verifykey').map(({ body }) => body as VerifyKey),
  };
}

async function acknowledges(host: Reader): Promise<void> {
  const { rev, keys } = await platformRows();
  host.rows = keys;
  await database.store.withTx((tx) => updateHostStatus(tx, host.uid, { revPlatform: rev }));
}

const read = async () => {
  const jws = await signer.sign(TWIN_TYP, { v: 1 });
  return await Promise.all(hosts.map((host) => host.reads(jws)));
};

async function announced(): Promise<{ before: string; after: string }> {
  const made = await announceKey(kept);
  if (!made.ok) throw new Error(made.error.reason);
  signer = start();
  await tell();
  return made.value;
}

const signs = () => signer.verifyKeys[0]?.kid;

describe('another key that signs', () => {
  it('takes over once every host has its row and kept it for ten minutes; the old one counts for a day', async () => {
    const { before, after } = await announced();
    expect(signs()).toBe(before);
    const [first, second] = hosts as [Reader, Reader];
    await acknowledges(first);
    now += SETTLED_MS + 1;
    await round();
    expect(signs()).toBe(before);
    expect(await read()).toEqual([true, true]);

    await acknowledges(second);
    await round();
    expect(signs()).toBe(after);
    expect(signer.former?.key.kid).toBe(before);
    expect(await read()).toEqual([true, true]);
    // An earlier signature still counts, for the hosts of before and for those enrolled now.
    expect((await platformRows()).keys.map(({ kid }) => kid).toSorted()).toEqual([before, after].toSorted());
    // A restart in between changes nothing.
    signer = start();
    await round();
    expect(signs()).toBe(after);
    expect(signer.former?.key.kid).toBe(before);

    now += FORMER_MS + 1;
    await round();
    expect(signer.verifyKeys.map(({ kid }) => kid)).toEqual([after]);
    expect((await platformRows()).keys.map(({ kid }) => kid)).toEqual([after]);
    expect(await read()).toEqual([true, true]);
    expect(logged).toEqual(['info signing_key.changed', 'info signing_key.withdrawn']);
  });

  it('does not wait less than a health gate takes, however fast the hosts are', async () => {
    const { before, after } = await announced();
    for (const host of hosts) await acknowledges(host);
    now += SETTLED_MS - 1;
    await round();
    expect(signs()).toBe(before);
    now += 1;
    await round();
    expect(signs()).toBe(after);
  });

  it('waits thirty days for a host that is silent, then says how many are cut off', async () => {
    const { before, after } = await announced();
    await acknowledges(hosts[0] as Reader);
    now += WAITED_MS - 1;
    await round();
    expect(signs()).toBe(before);
    now += 1;
    await round();
    expect(signs()).toBe(after);
    expect(logged).toEqual(['warn signing_key.changed_early']);
    expect(await read()).toEqual([true, false]);
  });

  it('does not wait for hosts that are given nothing any more', async () => {
    const { after } = await announced();
    const lost = new Reader(signer.verifyKeys);
    hosts.push(lost);
    await database.store.withTx((tx) => insertHost(tx, lost.row(now, { lifecycle: 'decommissioned' })));
    for (const host of hosts.slice(0, 2)) await acknowledges(host);
    now += SETTLED_MS;
    await round();
    expect(signs()).toBe(after);
  });

  it('is followed by who knows an older one only, from statement to statement', async () => {
    const [first] = signer.verifyKeys;
    if (first === undefined) throw new Error('no key');
    expect(signer.announcedKeys).toEqual([first]);
    const rows: string[] = [];
    for (let change = 0; change < 3; change++) {
      await announced();
      rows.push(JSON.stringify((await platformRows()).keys.find(({ kid }) => kid === signer.next?.kid)));
      for (const host of hosts) await acknowledges(host);
      now += SETTLED_MS;
      await round();
      // The row of a key stays as it is when it begins to sign.
      expect((await platformRows()).keys.map((key) => JSON.stringify(key))).toContain(rows.at(-1));
      now += FORMER_MS;
      await round();
    }
    const [last] = signer.announcedKeys;
    const chain = last?.chain ?? [];
    expect(chain).toHaveLength(3);
    const twin = await signer.sign(TWIN_TYP, { v: 1 });
    const followed = await followKeys([first], chain);
    expect(followed.keys).toHaveLength(4);
    expect(keysFrom(followed, kidOf(twin)).map(({ kid }) => kid)).toEqual([signs()]);
    // One statement less, or none that begins where we stand: nothing is believed.
    expect((await followKeys([first], chain.slice(1))).keys).toEqual([first]);
    expect((await followKeys([first], chain.slice(0, 2))).keys.map(({ kid }) => kid)).not.toContain(signs());
    // A start of the control plane finds the same.
    expect(start().announcedKeys).toEqual([last]);
  });

  it.each([1, 2])(
    'is read by a host that was away for %i whole changes, by the statements that it asks for',
    async (changes) => {
      const [present, away] = hosts as [Reader, Reader];
      for (let change = 0; change < changes; change++) {
        await announced();
        await acknowledges(present);
        now += WAITED_MS;
        await round();
        now += FORMER_MS;
        await round();
      }
      expect((await platformRows()).keys).toHaveLength(1);
      const twin = await signer.sign(TWIN_TYP, { v: 1 });
      expect(await away.reads(twin)).toBe(false);
      const asking = hostReader(
        { verifyKeys: away.pinned },
        () => away.rows,
        () => keyStatements(database.store),
      );
      expect(await asking(twin, TWIN_TYP)).toEqual({ v: 1 });
    },
  );

  it('is not announced while the change before is in progress', async () => {
    const { after } = await announced();
    const again = await announceKey(kept);
    expect(again).toMatchObject({ ok: false, error: { code: 'underWay' } });
    for (const host of hosts) await acknowledges(host);
    now += SETTLED_MS;
    await round();
    expect((await announceKey(kept)).ok).toBe(false);
    now += FORMER_MS;
    await round();
    expect(await announceKey(kept)).toMatchObject({ ok: true, value: { before: after } });
  });
});
