import 'reflect-metadata';
import { X509Certificate, X509Crl } from '@peculiar/x509';
import { expect, it, vi } from 'vitest';
import { exportMosquitto } from '#cloud/cli/index.ts';
import { createMachine } from '../io/machine.ts';
import { openWholeCloud } from '../whole-cloud.ts';

it('writes for Mosquitto who may what, and whose certificate opens nothing', {
  timeout: 60_000,
}, async () => {
  const cloud = await openWholeCloud();
  const ask = async (method: string, path: string, body: object = {}): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${cloud.api}${path}`, {
      method,
      headers: { authorization: `Bearer ${cloud.owner}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  await ask('POST', '/platform/tenant', { domain: 'care.test' });
  await ask('POST', '/site/care.test', { siteId: 'north' });
  const places: Record<string, string> = {};
  for (const hostId of ['good', 'stolen', 'back']) {
    const { claimCode } = await ask('POST', '/site/care.test/north/claim');
    const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
    const enrolled = await ask('POST', '/edge/v1/claim', { claimCode, hostId, csr, sealKey, version: '1' });
    const { uid, tenant, shard } = enrolled as Record<string, string>;
    places[hostId] = `carillon/1/${shard}/${tenant}/north/${uid}`;
  }
  await ask('POST', '/site/care.test/north/host/stolen/quarantine', { reason: 'stolen' });
  // Released: it may come again with another key, and the old one stays shut out.
  await ask('POST', '/site/care.test/north/host/back/quarantine', { reason: 'copied' });
  const { claimCode } = await ask('POST', '/site/care.test/north/host/back/release');
  const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
  await ask('POST', '/edge/v1/claim', { claimCode, hostId: 'back', csr, sealKey, version: '1' });
  const sources = { flags: {}, environment: { CARILLON_DATA: cloud.folder }, file: {} };
  // The control plane runs in this thread: while the export waits for its lock, it cannot finish a transaction that is open.
  const exported = (eachHost: boolean) =>
    vi.waitFor(async () => {
      const made = await exportMosquitto(sources, '/etc/carillon', 'plane', eachHost);
      if (!made.ok) throw new Error(made.error.reason);
      return made.value;
    }, 30_000);
  const { files, revoked } = await exported(false);
  const each = await exported(true);
  await cloud.close();
  expect(revoked).toBe(2);
  expect(new X509Crl(files['carillon-revoked.pem'] ?? '').entries).toHaveLength(2);
  // No other label is read by OpenSSL.
  expect(files['carillon-revoked.pem']).toContain('-----BEGIN X509 CRL-----');
  expect(new X509Certificate(files['carillon-owner.pem'] ?? '').subject).toBe('CN=plane');
  expect(files['carillon.acl']).toContain('user plane\ntopic readwrite carillon/1/#');
  expect(files['carillon.acl']).toContain('pattern write carillon/1/+/+/+/%u/up/#');
  expect(files['carillon.conf']).toContain('crlfile /etc/carillon/carillon-revoked.pem');
  expect(files['carillon-ca.pem']?.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  const list = each.files['carillon.acl'] ?? '';
  expect(list).toContain('user plane\ntopic readwrite carillon/1/#');
  expect(list).toContain(`topic write ${places.good}/up/#\ntopic read ${places.good}/up/state\n`);
  expect(list).toContain(`topic read ${places.good}/dn/+\n`);
  expect(list).toContain(`topic write ${places.back}/up/#`);
  expect(list).not.toContain(places.stolen);
  expect(list).not.toContain('carillon/1/+/+');
});
