import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SipNetwork } from '#appliance/io/sip-transport/index.ts';
import { SecureListeners } from '#appliance/io/site-listener/index.ts';
import type { HostIdentity } from '#appliance/site/index.ts';
import { certificate } from '#test/appliance/io/sip-transport/loopback.ts';
import { freePorts } from '#test/support/site-port.ts';

const HOST = '127.0.0.1';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

type Made = Awaited<ReturnType<typeof certificate>>;
const ends: (() => Promise<unknown> | unknown)[] = [];
let folder: string;
let carrier: Made;
let host: Made;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-client-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  carrier = await certificate([`IP:${HOST}`], 'carrier');
  host = await certificate([`IP:${HOST}`], 'host', [SERVER_AUTH, CLIENT_AUTH]);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The host of a trunk that asks for a certificate; each who came, or what is wrong with the certificate. */
async function trunkHost(ca: readonly string[]): Promise<{ port: number; met: string[] }> {
  const { cert, key } = carrier;
  const server = createServer({ cert, key, ca: [...ca], requestCert: true, rejectUnauthorized: false });
  const met: string[] = [];
  server.on('secureConnection', (socket: TLSSocket) => {
    const { subject } = socket.getPeerCertificate();
    met.push(socket.authorized ? String(subject.CN) : String(socket.authorizationError));
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  ends.push(() => new Promise((done) => server.close(done)));
  return { port: (server.address() as AddressInfo).port, met };
}

/** SecureListeners with the customer's certificate, and a connection to that trunk; what was warned of. */
async function connect(own: Made, enrolled: boolean, port: number): Promise<string[]> {
  const files = { cert: join(folder, 'own.pem'), key: join(folder, 'own.key') };
  writeFileSync(files.cert, own.cert);
  writeFileSync(files.key, own.key);
  const [https = 0] = await freePorts(HOST, 1);
  const network = new SipNetwork(
    { message: () => undefined, closed: () => undefined, failed: () => undefined },
    { monoMs: () => performance.now() },
  );
  const warned: string[] = [];
  const secureListeners = new SecureListeners(
    {
      http: [{ host: HOST, port: https }],
      sipTls: [{ host: HOST, port: 0 }],
      tlsFiles: files,
      trustPem: carrier.ca as string,
      warn: (text) => warned.push(text),
    },
    network,
    () => new Response(),
  );
  ends.push(async () => {
    await network.close();
    await secureListeners.close();
  });
  await network.open([], []);
  const identity = { certificatePem: host.cert, keyPem: host.key, caPem: host.ca } as HostIdentity;
  await secureListeners.open(enrolled ? identity : undefined);
  // A renewal opens them again.
  await secureListeners.open(enrolled ? identity : undefined);
  const hop = { transport: 'TLS', address: HOST, port, domain: HOST } as const;
  expect(await network.connect(hop)).toMatchObject({ ok: true });
  return warned;
}

it.each([
  ['that names no uses', undefined],
  ['for servers and clients', [SERVER_AUTH, CLIENT_AUTH]],
] as const)('a certificate of the customer %s is shown to a trunk, without a word', async (_, uses) => {
  const own = await certificate([`IP:${HOST}`], 'customer', uses);
  const trunk = await trunkHost([own.ca as string]);
  const warned = await connect(own, true, trunk.port);
  await expect.poll(() => trunk.met).toEqual(['customer']);
  expect(warned).toEqual([]);
});

it('the certificate of the enrolment stands in for one for servers alone, and it is said once', async () => {
  const own = await certificate([`IP:${HOST}`], 'customer', [SERVER_AUTH]);
  const trunk = await trunkHost([own.ca as string, host.ca as string]);
  const warned = await connect(own, true, trunk.port);
  await expect.poll(() => trunk.met).toEqual(['host']);
  expect(warned).toEqual([
    expect.stringMatching(/CARILLON_TLS_CERT is for servers alone.*enrolment is shown/),
  ]);
});

it('a certificate is shown even before an enrolment: the trunk says what it thinks of it, and so do we', async () => {
  const own = await certificate([`IP:${HOST}`], 'customer', [SERVER_AUTH]);
  const trunk = await trunkHost([own.ca as string]);
  const warned = await connect(own, false, trunk.port);
  await expect.poll(() => trunk.met).toEqual(['INVALID_PURPOSE']);
  expect(warned).toEqual([expect.stringMatching(/may be refused.*get one with clientAuth/)]);
});
