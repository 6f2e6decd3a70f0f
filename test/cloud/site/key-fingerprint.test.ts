import { createHash, createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signingRequest } from '#appliance/io/edge/certificate/signing-request.ts';
import { hostKeys } from '#appliance/io/edge/identity/host-key.ts';
import { keyFingerprint } from '#appliance/io/edge/index.ts';
import { actorAt, NOW, openSiteStage, type SiteStage, TENANT } from './stage.ts';

let stage: SiteStage;
let folder: string;
beforeEach(async () => {
  stage = await openSiteStage();
  folder = mkdtempSync(join(tmpdir(), 'carillon-fingerprint-'));
});
afterEach(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a host that waits shows the same fingerprint on its own screen and in the console', async () => {
  expect(keyFingerprint(folder)).toBeUndefined();
  const { keyPem, sealKey } = hostKeys(folder);
  const csr = await signingRequest(keyPem, 'box-1', ['127.0.0.1']);
  const claimCode = await stage.claimCode({ autoCommission: false });
  const request = { claimCode, hostId: 'box-1', csr, sealKey, version: '0.1.0' };
  const answer = await stage.sites.enrolment.claim(request, actorAt(NOW));
  expect(answer).toMatchObject({ ok: true, value: { state: 'waiting' } });
  const shown = keyFingerprint(folder);
  expect(shown).toMatch(/^([0-9a-f]{4}-){7}[0-9a-f]{4}$/);
  const host = { siteId: 'north', hostId: 'box-1' };
  const detail = await stage.sites.detail(TENANT.id, host, NOW);
  expect(detail).toMatchObject({ ok: true, value: { lifecycle: 'claimed', keyFingerprint: shown } });
  // As anybody can count it with openssl.
  const der = createPublicKey(keyPem).export({ type: 'spki', format: 'der' });
  expect(createHash('sha256').update(der).digest('hex')).toMatch(
    new RegExp(`^${shown?.replaceAll('-', '')}`),
  );
});

test('another machine has another one', async () => {
  const other = join(folder, 'other');
  hostKeys(folder);
  hostKeys(other);
  expect(keyFingerprint(other)).not.toBe(keyFingerprint(folder));
});
