import 'reflect-metadata';
import { webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { expect, it } from 'vitest';
import { createPeerClient, openPeerServer } from '#appliance/io/peer/index.ts';
import type { Member } from '#appliance/site/peer/index.ts';

const DAY_MS = 86_400_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A host's certificate that ended forty days ago: the host had no network in the time of its renewal. */
async function ended(name: string): Promise<{ cert: string; key: string }> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    notBefore: new Date(Date.now() - 130 * DAY_MS),
    notAfter: new Date(Date.now() - 40 * DAY_MS),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    serialNumber: '0a',
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    cert: cert.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
  };
}

it('hosts of a site whose certificates have ended while it was offline still reach each other, and unknown hosts do not', async () => {
  const [a, b, stranger] = await Promise.all([ended('a'), ended('b'), ended('a')]);
  const member = (hostId: string, { cert }: { cert: string }, port: number): Member => ({
    uid: `01jc7z5t3k9q8w6m4n2p0r1s5${hostId}`,
    hostId,
    publicKey: new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    order: 0,
    address: `127.0.0.1:${port}`,
  });
  const server = await openPeerServer({
    host: '127.0.0.1',
    port: 0,
    ...a,
    members: () => [member('b', b, 0)],
    answer: async (_path, from) => ({ from }),
  });
  const [known, foreign] = [createPeerClient(b), createPeerClient(stranger)];
  try {
    const there = member('a', a, server.port);
    expect(await known.call(there, 'hello', {}, 5_000)).toEqual({ from: member('b', b, 0).uid });
    expect(await foreign.call(there, 'hello', {}, 5_000)).toBeUndefined();
  } finally {
    known.close();
    foreign.close();
    await server.close();
  }
});
