import { createPublicKey } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createSiteKey, openSigner, openVault, publicPart } from '#cloud/io/key/index.ts';

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

  it('makes site keys whose public part holds no secret', () => {
    const key = createSiteKey();
    expect(key.d).toMatch(/^[\w-]{43}$/);
    expect(publicPart(key)).not.toHaveProperty('d');
  });
});
