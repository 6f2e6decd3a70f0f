import { createPrivateKey, createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { createAuthorityChain, openAuthority } from '#cloud/io/authority/index.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { createMachine } from '../machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-ca-'));
afterAll(() => rmSync(folder, { recursive: true }));

const NOW = Date.now();
const DAY_MS = 86_400_000;
const authority = await openFolderAuthority(folder, NOW);
const host = { tenant: '01jtenant', siteId: 'north', uid: '01juid' };

describe('authority', () => {
  it('is the same wherever its chain is opened, also without the key of its root', async () => {
    const { rootKey, ...chain } = await createAuthorityChain(NOW);
    const [one, other] = [await openAuthority(chain), await openAuthority({ ...chain, rootKey })];
    expect([other.ca, other.chain]).toEqual([one.ca, one.chain]);
    const machine = await createMachine({ names: [], addresses: [] });
    const issued = await one.issueHost(machine.csr, host, NOW);
    if (!issued.ok) throw new Error(issued.error.reason);
    expect(await other.readHost(issued.value.certificate)).toMatchObject({
      ok: true,
      value: { uid: '01juid' },
    });
  });

  it('issues what the name of the host and its request say', async () => {
    const machine = await createMachine({ names: ['host.example'], addresses: ['127.0.0.1', 'fd00::5'] });
    const issued = await authority.issueHost(machine.csr, host, NOW);
    if (!issued.ok) throw new Error(issued.error.reason);
    const leaf = new X509Certificate(issued.value.certificate);
    expect(leaf.subject).toBe('CN=01juid');
    expect(leaf.subjectAltName).toContain('URI:urn:carillon:01jtenant:north:01juid');
    expect(leaf.checkHost('host.example')).toBe('host.example');
    expect(leaf.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(leaf.checkIP('fd00::5')).toBe('fd00::5');
    expect(new Date(leaf.validFrom).getTime()).toBe(Math.floor((NOW - DAY_MS) / 1000) * 1000);
    expect(new Date(leaf.validTo).getTime()).toBe(Math.floor((NOW + 90 * DAY_MS) / 1000) * 1000);
    expect(leaf.serialNumber.toLowerCase()).toBe(issued.value.serial);
    expect(leaf.checkPrivateKey(createPrivateKey(machine.key))).toBe(true);
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  });

  it('issues chains that both sides of a TLS connection accept', async () => {
    const machine = await createMachine({ addresses: ['127.0.0.1'] });
    const issued = await authority.issueHost(machine.csr, host, NOW);
    if (!issued.ok) throw new Error(issued.error.reason);
    const server = createServer({
      ...(await authority.issueServer(['127.0.0.1'], NOW)),
      requestCert: true,
      rejectUnauthorized: true,
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const accepted = new Promise<TLSSocket>((resolve) => server.once('secureConnection', resolve));
    const client = connect({
      port,
      host: '127.0.0.1',
      ca: authority.ca,
      cert: issued.value.certificate,
      key: machine.key,
    });
    const seen = await accepted;
    expect(seen.authorized).toBe(true);
    expect(seen.getPeerCertificate().subject.CN).toBe('01juid');
    await new Promise<void>((resolve) =>
      client.authorized ? resolve() : client.once('secureConnect', () => resolve()),
    );
    expect(client.authorized).toBe(true);
    client.destroy();
    seen.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('knows its own certificates again, also after their end, and no others', async () => {
    const machine = await createMachine({});
    const issued = await authority.issueHost(machine.csr, host, NOW - 400 * DAY_MS);
    if (!issued.ok) throw new Error(issued.error.reason);
    const publicKey = createPublicKey(machine.key).export({ type: 'spki', format: 'pem' });
    const read = await authority.readHost(issued.value.certificate);
    expect(read).toMatchObject({ ok: true, value: { uid: '01juid', serial: issued.value.serial } });
    expect(read.ok && createPublicKey(read.value.publicKey).export({ type: 'spki', format: 'pem' })).toBe(
      publicKey,
    );
    const elsewhere = mkdtempSync(join(tmpdir(), 'carillon-ca-'));
    const foreign = await (await openFolderAuthority(elsewhere, NOW)).issueHost(machine.csr, host, NOW);
    rmSync(elsewhere, { recursive: true });
    expect(foreign.ok && (await authority.readHost(foreign.value.certificate)).ok).toBe(false);
  });

  it.each([
    ['garbage', async () => '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----'],
    ['no PEM at all', async () => 'hello'],
    ['a false signature', async () => (await createMachine({ tamper: true })).csr],
    ['a wildcard', async () => (await createMachine({ names: ['*.example'] })).csr],
    ['another curve', async () => (await createMachine({ curve: 'P-384' })).csr],
    ['a URI of somebody else', async () => (await createMachine({ uri: 'urn:carillon:cloud' })).csr],
  ])('refuses a request with %s', async (_, csr) => {
    expect(await authority.issueHost(await csr(), host, NOW)).toMatchObject({
      ok: false,
      error: { code: 'invalid', path: '/csr' },
    });
  });

  it('does not sign an RSA key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const machine = await createMachine({ rsa: privateKey });
    expect((await authority.issueHost(machine.csr, host, NOW)).ok).toBe(false);
  });
});
