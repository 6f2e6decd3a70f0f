import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { lackingNames, ownCertificate } from '#appliance/io/edge/index.ts';

const NOW = Date.now();
const DAY_MS = 86_400_000;
const NAMES = {
  needed: ['192.0.2.10', '2001:db8::10'],
  asked: ['box-1', '192.0.2.10', '2001:db8::10', '172.17.0.1'],
};
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

it('names every address of either family, and this machine', async () => {
  const { cert } = await ownCertificate(folder, NAMES, NOW);
  const certificate = new X509Certificate(cert);
  for (const address of ['192.0.2.10', '2001:db8::10', '2001:DB8:0::10', '172.17.0.1', '127.0.0.1', '::1'])
    expect(certificate.checkIP(address), address).toBeDefined();
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.subject).toBe('CN=box-1');
  const names = ['box-1', '2001:db8::10', '2001:db8::11', 'box-2', '192.0.2.10', '192.0.2.11'];
  expect(lackingNames(cert, names)).toEqual(['2001:db8::11', 'box-2', '192.0.2.11']);
});

it('stays the same, until it is about to end or its configuration names another address', async () => {
  const { cert } = await ownCertificate(folder, NAMES, NOW);
  // The machine's other addresses come and go.
  const moved = { ...NAMES, asked: [...NAMES.asked, '172.18.0.1'] };
  expect((await ownCertificate(folder, moved, NOW + 700 * DAY_MS)).cert).toBe(cert);
  const wider = { needed: [...NAMES.needed, '2001:db8::ff'], asked: [...NAMES.asked, '2001:db8::ff'] };
  const second = await ownCertificate(folder, wider, NOW);
  expect(lackingNames(second.cert, wider.asked)).toEqual([]);
  expect((await ownCertificate(folder, wider, NOW)).cert).toBe(second.cert);
  expect((await ownCertificate(folder, wider, NOW + 780 * DAY_MS)).cert).not.toBe(second.cert);
});
