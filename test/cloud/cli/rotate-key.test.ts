import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseCommands } from '#cloud/cli/index.ts';
import { openDatabase, readMigrations } from '#cloud/io/database/index.ts';
import { openVault } from '#cloud/io/key/index.ts';
import { auditAfter, createStore, migrate, sealStored, takeShards, verifyAudit } from '#cloud/store/index.ts';
import type { Sources } from '#shared/setting/index.ts';
import { expectSealedOpen, fillSealed, SEALED_ROWS } from '../store/rotation.suite.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-rotate-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keys = () => join(folder, 'key');
const sources = (environment: Record<string, string> = {}): Sources => ({
  flags: { data: folder },
  environment,
  file: {},
});

describe('carillon db rotate-key', () => {
  const database = () => `sqlite:${join(folder, 'cloud.db')}`;

  /** A database of the control plane, sealed by the key of the folder; the store must be closed. */
  async function opened(vault = openVault(keys())) {
    const port = openDatabase(database(), vault, () => undefined);
    await migrate(port, readMigrations('sqlite'), 0);
    const store = createStore(port);
    await sealStored(port, store, 0);
    return { port, store };
  }

  it('seals everything again, is in the audit, and leaves nothing under the old key', async () => {
    const { store } = await opened();
    await fillSealed(store, openVault(keys()));
    await store.close();
    const old = readFileSync(join(keys(), 'vault.key'), 'utf8');
    const { keyName } = openVault(keys());

    const rotated = await databaseCommands.rotateKey(sources());
    if (!rotated.ok) throw new Error(rotated.error.reason);
    expect(rotated.value).toMatchObject({ before: keyName, handOver: undefined });
    expect(rotated.value.rows).toBe(SEALED_ROWS);
    expect(readFileSync(join(keys(), 'vault.key'), 'utf8')).not.toBe(old);
    expect(readdirSync(keys()).toSorted()).toEqual(['vault.key']);
    const after = await opened();
    expect(after.store.seal.keyName).toBe(rotated.value.after);
    await expectSealedOpen(after.store, openVault(keys()));
    const audit = await auditAfter(after.store, '', 0, 10);
    expect(audit.map(({ action, entity, entityId }) => [action, entity, entityId])).toEqual([
      ['rotate', 'vaultkey', rotated.value.after],
    ]);
    expect(verifyAudit(audit, after.port.sha256)).toBeNull();
    // The old key is named by no row any more.
    const files = readdirSync(folder).filter((file) => file.startsWith('cloud.db'));
    await after.store.close();
    for (const file of files.filter((name) => existsSync(join(folder, name))))
      expect(readFileSync(join(folder, file), 'latin1')).not.toContain(`v1:${keyName}:`);
  });

  it('refuses while a control plane holds a lease, and changes nothing', async () => {
    const { store } = await opened();
    await fillSealed(store, openVault(keys()));
    await store.withTx((tx) => takeShards(tx, ['00'], 'a', 20_000));
    await store.close();
    const refused = await databaseCommands.rotateKey(sources());
    expect(refused).toMatchObject({ ok: false, error: { code: 'running' } });
    expect(readdirSync(keys())).toEqual(['vault.key']);
    const after = await opened();
    await expectSealedOpen(after.store, openVault(keys()));
    await after.store.close();
  });

  it('hands the new key over where the environment keeps it', async () => {
    const given = Buffer.alloc(32, 5).toString('base64url');
    const { store } = await opened(openVault(keys(), { given }));
    await fillSealed(store, openVault(keys(), { given }));
    await store.close();
    const rotated = await databaseCommands.rotateKey(sources({ CARILLON_VAULT_KEY: given }));
    if (!rotated.ok) throw new Error(rotated.error.reason);
    expect(rotated.value.handOver).toBe(join(keys(), 'vault.key.new'));
    const next = readFileSync(join(keys(), 'vault.key.new'), 'utf8').trim();
    const vault = openVault(keys(), { given: next });
    expect(vault.keyName).toBe(rotated.value.after);
    const after = await opened(vault);
    await expectSealedOpen(after.store, vault);
    await after.store.close();
  });

  it('says which key is missing when the one given is another', async () => {
    const { store } = await opened();
    await fillSealed(store, openVault(keys()));
    await store.close();
    const other = Buffer.alloc(32, 6).toString('base64url');
    const refused = await databaseCommands.rotateKey(sources({ CARILLON_VAULT_KEY: other }));
    expect(refused).toMatchObject({ ok: false, error: { code: 'foreignKey' } });
    if (!refused.ok) expect(refused.error.reason).toMatch(/sealed with the vault key [0-9a-f]{8}/);
    expect(readdirSync(keys())).toEqual(['vault.key']);
  });
});
