import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
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
import { keptKey } from '#test/support/installation/kept-key.ts';

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
  it('wraps one data key per tenant, and each tenant has its own', () => {
    const wrapped = (tenant: string, row: string) => vault.seal('x', `${tenant}|a|b|${row}`).split(':')[2];
    expect(wrapped('t1', '1')).toBe(wrapped('t1', '2'));
    expect(wrapped('t1', '1')).not.toBe(wrapped('t2', '1'));
  });
});

describe('signer', () => {
  it('signs with the key that is kept, after a restart too', async () => {
    const kept = keptKey();
    const signer = openSigner(kept);
    const jws = await openSigner(kept).sign('carillon-twin', { v: 1 });
    const [key] = signer.verifyKeys;
    if (key === undefined) throw new Error('no key');
    expect(decodeProtectedHeader(jws)).toEqual({ alg: 'EdDSA', typ: 'carillon-twin', kid: key.kid });
    const { payload } = await compactVerify(jws, createPublicKey({ key: { ...key }, format: 'jwk' }));
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({ v: 1 });
  });

  it('takes over what another process has changed', async () => {
    const kept = keptKey();
    const [one, other] = [openSigner(kept), openSigner(kept)];
    const announced = await announceKey(kept);
    if (!announced.ok) throw new Error(announced.error.reason);
    await one.refresh();
    await one.turn(1_000);
    expect(other.verifyKeys[0]?.kid).toBe(announced.value.before);
    await other.refresh();
    expect(other.verifyKeys[0]?.kid).toBe(announced.value.after);
    expect(await other.sign('t', {})).toBe(await one.sign('t', {}));
  });

  it('shows a key that hosts take no more as retired, over restarts and further changes', async () => {
    const kids: string[] = [];
    const kept = keptKey();
    for (const turnedAt of [1_000, 2_000]) {
      expect(await announceKey(kept)).toMatchObject({ ok: true });
      const signer = openSigner(kept);
      kids.push(signer.verifyKeys[0]?.kid ?? '');
      await signer.turn(turnedAt);
      expect(
        shownKeys(signer)
          .map(({ retiredAt }) => retiredAt)
          .slice(0, 2),
      ).toEqual([undefined, undefined]);
      await signer.forget();
    }
    const shown = shownKeys(openSigner(kept));
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
