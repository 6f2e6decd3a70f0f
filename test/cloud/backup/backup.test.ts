import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeArchive } from '#cloud/backup/archive.ts';
import { backupCommands } from '#cloud/cli/index.ts';
import {
  formerNames,
  installationName,
  keysOfInstallation,
  openSealedDatabase,
} from '#cloud/installation/index.ts';
import { readMigrations } from '#cloud/io/database/index.ts';
import {
  auditAfter,
  checkIdle,
  createStore,
  migrate,
  readDevice,
  sealStored,
  takeShards,
} from '#cloud/store/index.ts';
import { fillSealed } from '../store/rotation.suite.ts';
import { manifestOf, oldParts } from './old-archive.ts';

// A passphrase costs a second of processor time at each opening: one test uses it.
const IDENTITY = await generateIdentity();
const RECIPIENT = await identityToRecipient(IDENTITY);
const PASSPHRASE = 'correct horse battery staple';
const BLOB = 'a'.repeat(64);

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'carillon-backup-'));
});
afterEach(() => rmSync(place, { recursive: true }));

const folder = (name: string) => join(place, name);
const sources = (name: string, environment: Record<string, string> = {}) => ({
  flags: { data: folder(name) },
  environment,
  file: {},
});
const opened = async (name: string, vault = {}) => {
  const port = await openSealedDatabase({
    data: folder(name),
    database: `sqlite:${join(folder(name), 'cloud.db')}`,
    vault,
  });
  return { port, store: createStore(port), close: () => port.connection.close() };
};

/** An installation with one of everything that is sealed, 1,200 devices, and files. */
async function fill(name: string, vault = {}) {
  mkdirSync(folder(name), { recursive: true });
  const { port, store, close } = await opened(name, vault);
  await migrate(port, readMigrations('sqlite'), 0);
  await sealStored(port, store, 0);
  await fillSealed(store, port.vault);
  await store.withTx((tx) => tx.db.delete(tx.tables.installationKey));
  const keys = await keysOfInstallation(store, port.vault, folder(name), 0);
  const files: Record<string, string> = {
    [`blob/aa/${BLOB}`]: 'bytes of a prompt',
    'object/care.example/bucket/key with space': 'x'.repeat(600_000),
    'key/object/a2V5.key': 'k',
    'blob/coming/half': 'half',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder(name), path)), { recursive: true });
    writeFileSync(join(folder(name), path), text);
  }
  await close();
  return { installation: installationName(keys), ca: keys.of('authority').text(), files };
}

const write = (name: string, more: object = {}, environment = {}) =>
  backupCommands.write(sources(name, environment), {
    file: join(place, 'cloud.age'),
    to: { recipients: [RECIPIENT] },
    owner: 'IT, care.example',
    keepDays: 30,
    onProgress: () => undefined,
    ...more,
  });
const restore = (name: string, more: object = {}, environment = {}) =>
  backupCommands.restore(sources(name, environment), {
    file: join(place, 'cloud.age'),
    by: { identities: [IDENTITY] },
    expired: false,
    onProgress: () => undefined,
    ...more,
  });
const verify = (by: object = { identities: [IDENTITY] }) =>
  backupCommands.verify(join(place, 'cloud.age'), { identities: [], ...by });

describe('a backup', { timeout: 120_000 }, () => {
  it('brings rows, keys and files into an empty folder, as another installation, with every number ahead', async () => {
    const before = await fill('first');
    const seen: number[] = [];
    const written = await write('first', { onProgress: ({ rows }: { rows: number }) => seen.push(rows) });
    expect(written).toMatchObject({
      ok: true,
      value: { files: 3, missing: [], manifest: { owner: 'IT, care.example', holdsVaultKey: true } },
    });
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(statSync(join(place, 'cloud.age')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(place, 'cloud.age'), 'latin1')).not.toContain('planted');

    expect(await verify()).toMatchObject({ ok: true, value: { end: { files: 3 } } });
    const restored = await restore('second');
    if (!restored.ok) throw new Error(restored.error.reason);
    expect(restored.value).toMatchObject({ files: 3, missing: [], marked: { hosts: 0 } });
    for (const [path, text] of Object.entries(before.files)) {
      const there = join(folder('second'), path);
      if (path.includes('coming')) expect(existsSync(there)).toBe(false);
      else expect(readFileSync(there, 'utf8')).toBe(text);
    }
    const { port, store, close } = await opened('second');
    const keys = await keysOfInstallation(store, port.vault, folder('second'), 0);
    expect([keys.of('authority').text(), keys.made]).toEqual([before.ca, []]);
    expect(formerNames(keys)).toEqual([before.installation]);
    expect(installationName(keys)).not.toBe(before.installation);
    expect((await readDevice(store, 't1', 'd1199'))?.device.body).toEqual({
      digest: { md5: 'planted-9a41' },
    });
    expect((await checkIdle(store, Date.now())).ok).toBe(true);
    expect((await auditAfter(store, '', 0, 10)).map(({ action }) => action)).toEqual(['restore']);
    await close();
  });

  it('is of one moment, while another process writes, and frees the shards that a process held', async () => {
    await fill('first');
    const { store, close } = await opened('first');
    await store.withTx((tx) => takeShards(tx, ['00'], 'another process', 600_000));
    let wrote = 0;
    const written = await write('first', {
      onProgress: () => {
        wrote += 1;
        void store.withTx((tx) => tx.db.update(tx.tables.device).set({ updatedAt: 1_000 + wrote }));
      },
    });
    expect(written.ok).toBe(true);
    expect(wrote).toBeGreaterThan(3);
    await close();
    const restored = await restore('second');
    expect(restored.ok).toBe(true);
    const after = await opened('second');
    const devices = await after.store.db.select().from(after.store.tables.device);
    expect(new Set(devices.map(({ updatedAt }) => updatedAt))).toEqual(new Set([1]));
    expect((await checkIdle(after.store, Date.now())).ok).toBe(true);
    await after.close();
  });

  it('for public keys is opened by each of them, and by no other', async () => {
    await fill('first');
    const [one, two, other] = [await generateIdentity(), await generateIdentity(), await generateIdentity()];
    const recipients = await Promise.all([one, two].map((each) => identityToRecipient(each)));
    expect((await write('first', { to: { recipients } })).ok).toBe(true);
    for (const identity of [one, two]) expect((await verify({ identities: [identity] })).ok).toBe(true);
    for (const by of [{ identities: [other] }, { passphrase: 'of another archive' }])
      expect(await verify(by)).toMatchObject({
        ok: false,
        error: { code: 'backupRefused', reason: expect.stringContaining('opens the backup') },
      });
  });

  it('with a passphrase is opened by it', async () => {
    await fill('first');
    expect((await write('first', { to: { recipients: [], passphrase: PASSPHRASE } })).ok).toBe(true);
    expect((await verify({ passphrase: PASSPHRASE })).ok).toBe(true);
    expect((await verify({ passphrase: `${PASSPHRASE}.` })).ok).toBe(false);
  });

  it('needs the vault key that was given from outside, and says which', async () => {
    const given = Buffer.alloc(32, 5).toString('base64url');
    await fill('first', { given });
    const written = await write('first', {}, { CARILLON_VAULT_KEY: given });
    if (!written.ok) throw new Error(written.error.reason);
    const { vaultKey, holdsVaultKey } = written.value.manifest;
    expect(holdsVaultKey).toBe(false);
    const refused = await restore('second');
    expect(refused).toMatchObject({ ok: false, error: { reason: expect.stringContaining(vaultKey) } });
    const { store, close } = await opened('second', { given });
    expect(await store.db.select().from(store.tables.device)).toEqual([]);
    await close();
    expect((await restore('third', {}, { CARILLON_VAULT_KEY: given })).ok).toBe(true);
  });
});

describe('a backup that cannot be used', { timeout: 120_000 }, () => {
  const damaged = (change: (bytes: Buffer) => Buffer) => {
    const path = join(place, 'cloud.age');
    writeFileSync(path, change(readFileSync(path)));
  };
  const flipped = (at: (length: number) => number) => (bytes: Buffer) => {
    const index = at(bytes.length);
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    return bytes;
  };

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['one bit of its head', flipped(() => 40)],
    ['one bit in the middle', flipped((length) => Math.floor(length / 2))],
    ['one bit of its last byte', flipped((length) => length - 1)],
    ['its last byte missing', (bytes) => bytes.subarray(0, -1)],
    ['its second half missing', (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2))],
    ['a byte more', (bytes) => Buffer.concat([bytes, Buffer.from([0])])],
    ['no byte', () => Buffer.alloc(0)],
  ])('with %s is refused, and leaves nothing behind', async (_, change) => {
    await fill('first');
    expect((await write('first')).ok).toBe(true);
    damaged(change);
    for (const refused of [await verify(), await restore('second')])
      expect(refused).toMatchObject({
        ok: false,
        error: { code: 'backupRefused', reason: expect.stringMatching(/take another copy|opens the backup/) },
      });
    expect(existsSync(join(folder('second'), 'key', 'vault.key'))).toBe(false);
    expect(
      readdirSync(folder('second'), { recursive: true }).filter((name) => String(name).includes(BLOB)),
    ).toEqual([]);
    // The same empty folder takes a whole one.
    rmSync(join(place, 'cloud.age'));
    expect((await write('first')).ok).toBe(true);
    expect((await restore('second')).ok).toBe(true);
  });

  it('is not written over a file, without a reader, or with a short passphrase', async () => {
    await fill('first');
    for (const to of [{ recipients: [] }, { recipients: [], passphrase: 'short' }, { recipients: ['age1x'] }])
      expect(await write('first', { to })).toMatchObject({ ok: false, error: { code: 'backupRefused' } });
    expect(readdirSync(place)).toEqual(['first']);
    writeFileSync(join(place, 'cloud.age'), 'mine');
    expect(await write('first')).toMatchObject({
      ok: false,
      error: { reason: expect.stringMatching(/already/) },
    });
    expect(readFileSync(join(place, 'cloud.age'), 'utf8')).toBe('mine');
  });

  it('does not go into a database with rows', async () => {
    await fill('first');
    expect((await write('first')).ok).toBe(true);
    await fill('second', {});
    expect(await restore('second')).toMatchObject({
      ok: false,
      error: { reason: expect.stringMatching(/has rows in \w+: restore into an empty one/) },
    });
  });

  it('after its day needs a word more', async () => {
    const key = Buffer.alloc(32, 5).toString('base64url');
    const manifest = manifestOf({ key, expiresAt: 1 });
    await writeArchive(join(place, 'cloud.age'), oldParts(manifest), { recipients: [RECIPIENT] });
    const environment = { CARILLON_VAULT_KEY: key };
    expect(await restore('second', {}, environment)).toMatchObject({
      ok: false,
      error: { reason: expect.stringMatching(/deleted on 1970-01-01; ask the office.*--expired/) },
    });
    expect((await restore('second', { expired: true }, environment)).ok).toBe(true);
  });
});

describe('a backup of an earlier version', { timeout: 120_000 }, () => {
  const key = Buffer.alloc(32, 5).toString('base64url');
  const environment = { CARILLON_VAULT_KEY: key };
  const put = (manifest: ReturnType<typeof manifestOf>) =>
    writeArchive(join(place, 'cloud.age'), oldParts(manifest), { recipients: [RECIPIENT] });

  it('goes into its own schema, and is brought to that of now', async () => {
    const all = readMigrations('sqlite');
    const before = all.filter(({ name }) => name < '0940');
    await put(manifestOf({ key, migrations: before }));
    const restored = await restore('second', {}, environment);
    if (!restored.ok) throw new Error(restored.error.reason);
    const { store, close } = await opened('second', { given: key });
    const [tenant] = await store.db.select().from(store.tables.tenant);
    expect(tenant).toMatchObject({ domain: 'old.example', secondFactorSince: null });
    await close();
  });

  it('is refused by the name of its unknown part when it has a later version', async () => {
    await put(
      manifestOf({ key, migrations: [...readMigrations('sqlite'), { name: '9999-later', sql: 'x' }] }),
    );
    expect(await restore('second', {}, environment)).toMatchObject({
      ok: false,
      error: { reason: expect.stringContaining('migration 9999-later, which this version does not know') },
    });
  });
});
