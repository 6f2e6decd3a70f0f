import { createPublicKey } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import {
  announceKey,
  createSiteKey,
  openSigner,
  openVault,
  publicPart,
  shownKeys,
} from '#cloud/io/key/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-key-'));
afterAll(() => rmSync(folder, { recursive: true }));
const vault = openVault(folder);

describe('vault', () => {
  it('opens what it sealed, after a restart too, and shows nothing of it', () => {
    const sealed = vault.seal('correct horse', 't1|site|key|north');
    expect(sealed).toMatch(/^v1:[0-9a-f]{8}:[\w-]+:[\w-]+:[\w-]+$/);
    expect(sealed).not.toContain('horse');
    expect(vault.seal('correct horse', 't1|site|key|north')).not.toBe(sealed);
    expect(openVault(folder).open(sealed, 't1|site|key|north')).toBe('correct horse');
    expect(statSync(join(folder, 'vault.key')).mode & 0o777).toBe(0o400);
  });

  it('does not open what was moved, altered or sealed elsewhere', () => {
    const sealed = vault.seal('secret', 't1|a|b|1');
    expect(() => vault.open(sealed, 't2|a|b|1')).toThrow();
    expect(() => vault.open(`${sealed.slice(0, -3)}AAA`, 't1|a|b|1')).toThrow();
    expect(() => vault.open('v9:x:y:z:q', 't1|a|b|1')).toThrow('unknown form');
    const other = mkdtempSync(join(tmpdir(), 'carillon-key-'));
    expect(() => openVault(other).open(sealed, 't1|a|b|1')).toThrow('another key');
    rmSync(other, { recursive: true });
  });
});

describe('the key-encryption key', () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64url');
  const empty = () => mkdtempSync(join(folder, 'source-'));

  it('comes from the environment, else from a credential, else from the file', () => {
    const credentials = empty();
    writeFileSync(join(credentials, 'vault-key'), `${key(2)}\n`);
    const place = empty();
    const byEnvironment = openVault(place, { given: key(1), credentials });
    const byCredential = openVault(place, { credentials });
    const byFile = openVault(place, { credentials: empty() });
    expect(new Set([byEnvironment.keyName, byCredential.keyName, byFile.keyName]).size).toBe(3);
    expect(openVault(empty(), { given: Buffer.alloc(32, 1).toString('base64') }).keyName).toBe(
      byEnvironment.keyName,
    );
    expect(existsSync(join(place, 'vault.key'))).toBe(true);
  });

  it('that is no key is refused by the name of the setting', () => {
    expect(() => openVault(empty(), { given: 'short' })).toThrow('CARILLON_VAULT_KEY must hold 32 bytes');
  });

  it('wraps one data key per tenant, and each tenant has its own', () => {
    const wrapped = (tenant: string, row: string) => vault.seal('x', `${tenant}|a|b|${row}`).split(':')[2];
    expect(wrapped('t1', '1')).toBe(wrapped('t1', '2'));
    expect(wrapped('t1', '1')).not.toBe(wrapped('t2', '1'));
  });
});

describe('signer', () => {
  it('signs with a key that survives a restart and lies sealed on the disk', async () => {
    const signer = openSigner(folder, vault);
    const jws = await openSigner(folder, vault).sign('carillon-twin', { v: 1 });
    const [key] = signer.verifyKeys;
    if (key === undefined) throw new Error('no key');
    expect(decodeProtectedHeader(jws)).toEqual({ alg: 'EdDSA', typ: 'carillon-twin', kid: key.kid });
    const { payload } = await compactVerify(jws, createPublicKey({ key: { ...key }, format: 'jwk' }));
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ v: 1 });
    expect(readFileSync(join(folder, 'signing.key'), 'utf8')).toMatch(/^v1:/);
    expect(statSync(join(folder, 'signing.key')).mode & 0o777).toBe(0o600);
  });

  it('shows a key that hosts take no more as retired, over restarts and further changes', () => {
    const kids: string[] = [];
    for (const turnedAt of [1_000, 2_000]) {
      expect(announceKey(folder, vault)).toMatchObject({ ok: true });
      const signer = openSigner(folder, vault);
      kids.push(signer.verifyKeys[0]?.kid ?? '');
      signer.turn(turnedAt);
      expect(
        shownKeys(signer)
          .map(({ retiredAt }) => retiredAt)
          .slice(0, 2),
      ).toEqual([undefined, undefined]);
      signer.forget();
    }
    const shown = shownKeys(openSigner(folder, vault));
    expect(shown.map(({ kid, retiredAt }) => [kid, retiredAt]).slice(1)).toEqual([
      [kids[1], 2_000],
      [kids[0], 1_000],
    ]);
    for (const key of shown)
      expect([key.fingerprint, Object.keys(key).includes('d')]).toEqual([key.kid, false]);
  });

  it('makes site keys whose public part holds no secret', () => {
    const key = createSiteKey();
    expect(key.d).toMatch(/^[\w-]{43}$/);
    expect(publicPart(key)).not.toHaveProperty('d');
  });
});
