import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  X509Certificate,
} from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { CompactSign, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  brokerPassword,
  createEdgeClient,
  enrol,
  loadIdentity,
  saveIdentity,
  signedReader,
} from '#appliance/io/edge/index.ts';
import type { Authority } from '#cloud/io/authority/index.ts';
import {
  type ClaimHostRequest,
  claimHostRequestSchema,
  type EnrolledAnswer,
} from '#shared/contract/site/index.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';

const UID = '01jc7z5t3k9q8w6m4n2p0r1s5v';
const TENANT = '01jc7z5t3k9q8w6m4n2p0r1s5t';

let root: string;
let folder: string;
let authority: Authority;
const closers: (() => unknown)[] = [];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'edge-'));
  folder = join(root, 'host');
  authority = await openFolderAuthority(join(root, 'ca'), Date.now());
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  rmSync(root, { recursive: true, force: true });
});

async function port(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The claim door of a control plane that answers as the test says; keeps the requests. */
async function claimListener(answer: (request: ClaimHostRequest) => Promise<[number, unknown]>) {
  const requests: ClaimHostRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const claim = claimHostRequestSchema.parse(JSON.parse(Buffer.concat(parts).toString()));
      requests.push(claim);
      void answer(claim).then(([status, body]) => {
        response.writeHead(request.url === '/edge/v1/claim' ? status : 404).end(JSON.stringify(body));
      });
    });
  });
  return { requests, url: `http://127.0.0.1:${await port(server)}` };
}

async function enrolled(claim: { csr: string }, edgeUrl = 'https://127.0.0.1:9'): Promise<EnrolledAnswer> {
  const issued = await authority.issueHost(
    claim.csr,
    { tenant: TENANT, siteId: 'north', uid: UID },
    Date.now(),
  );
  if (!issued.ok) throw new Error(issued.error.reason);
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' });
  const key = { kty: 'OKP', crv: 'Ed25519', x, kid: 'k1' } as const;
  return {
    success: true,
    state: 'enrolled',
    uid: UID,
    tenant: TENANT,
    domain: 'care.example',
    siteId: 'north',
    hostId: 'h1',
    certificate: issued.value.certificate,
    ca: authority.ca,
    edgeUrl,
    brokerUrl: 'mqtt://127.0.0.1:1883',
    mqtt: { plainJwt: true },
    verifyKeys: [key],
    siteKey: { ...key, d },
    shard: '2a',
  };
}

const setting = (cloud: string) => ({
  folder,
  cloud,
  claimCode: 'ABCDE-12345',
  hostId: 'h1',
  names: ['127.0.0.1', 'h1.care.example'],
  version: '1.2.3',
  siteBaseUrl: 'https://h1.care.example:8443',
});

describe('enrolment', () => {
  it('claims with keys made here, keeps what came, and is the same host after a restart', async () => {
    const claimServer = await claimListener(async (claim) => [200, await enrolled(claim)]);
    const outcome = await enrol(setting(claimServer.url));
    if (outcome.kind !== 'enrolled') throw new Error(JSON.stringify(outcome));
    expect(outcome.identity).toMatchObject({ uid: UID, domain: 'care.example', shard: '2a', plainJwt: true });
    expect(loadIdentity(folder)).toEqual(outcome.identity);
    const [sent] = claimServer.requests;
    expect(sent).toMatchObject({ claimCode: 'ABCDE-12345', hostId: 'h1', version: '1.2.3' });
    expect(JSON.stringify(sent)).not.toContain('PRIVATE');
    expect(Object.keys(sent?.sealKey ?? {})).toEqual(['kty', 'crv', 'x']);
    expect(outcome.identity.expiresAtMs).toBeGreaterThan(Date.now() + 80 * 86_400_000);
  });

  it.each([
    [
      'another signs there than the one that has signed its claim file',
      { kid: 'k2', siteId: 'north' },
      /not the one/,
    ],
    ['it would be one of another site', { kid: 'k1', siteId: 'south' }, /site north/],
  ])('becomes no host when %s', async (_, expected, reason) => {
    const claimServer = await claimListener(async (claim) => [200, await enrolled(claim)]);
    const outcome = await enrol({ ...setting(claimServer.url), expected });
    expect(outcome).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
    expect(loadIdentity(folder)).toBeUndefined();
    const right = await enrol({ ...setting(claimServer.url), expected: { kid: 'k1', siteId: 'north' } });
    expect(right.kind).toBe('enrolled');
  });

  it('asks for the names of its listeners in the certificate', async () => {
    const claimServer = await claimListener(async (claim) => [200, await enrolled(claim)]);
    const outcome = await enrol(setting(claimServer.url));
    if (outcome.kind !== 'enrolled') throw new Error('not enrolled');
    const leaf = new X509Certificate(outcome.identity.certificatePem);
    expect(leaf.subjectAltName).toContain('IP Address:127.0.0.1');
    expect(leaf.checkHost('h1.care.example')).toBe('h1.care.example');
    expect(leaf.checkPrivateKey(createPrivateKey(outcome.identity.keyPem))).toBe(true);
  });

  it('keeps private parts from everybody else', async () => {
    const claimServer = await claimListener(async (claim) => [200, await enrolled(claim)]);
    await enrol(setting(claimServer.url));
    const mode = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);
    expect(['host.key', 'seal.key', 'site.key'].map(mode)).toEqual(['400', '400', '400']);
    expect(['identity.json', 'host.crt', 'ca.crt'].map(mode)).toEqual(['600', '600', '600']);
    expect(readFileSync(join(folder, 'identity.json'), 'utf8')).not.toContain('"d"');
  });

  it('goes on with the same key when the first answer got lost', async () => {
    let first = true;
    const claimServer = await claimListener(async (claim) => {
      const status = first ? 503 : 200;
      first = false;
      return [status, status === 200 ? await enrolled(claim) : {}];
    });
    expect(await enrol(setting(claimServer.url))).toMatchObject({ kind: 'unreachable' });
    expect(loadIdentity(folder)).toBeUndefined();
    expect(await enrol(setting(claimServer.url))).toMatchObject({ kind: 'enrolled' });
    const [one, two] = claimServer.requests;
    expect(one?.sealKey).toEqual(two?.sealKey);
    expect((await authority.requestKey(one?.csr ?? '')).ok).toBe(true);
    expect(await authority.requestKey(one?.csr ?? '')).toEqual(await authority.requestKey(two?.csr ?? ''));
  });

  it.each([
    [
      403,
      { reason: 'The claim code is used up.' },
      { kind: 'refused', reason: 'The claim code is used up.' },
    ],
    [409, {}, { kind: 'refused', reason: 'the control plane answered 409' }],
    [429, {}, { kind: 'unreachable' }],
    [500, {}, { kind: 'unreachable' }],
    [200, { success: true, state: 'odd' }, { kind: 'unreachable' }],
    [
      200,
      { success: true, state: 'waiting', uid: UID, siteId: 'north', hostId: 'h1', retryAfterS: 30 },
      { kind: 'waiting', hostId: 'h1', retryAfterS: 30 },
    ],
  ])('%i %j is %j', async (status, body, outcome) => {
    const claimServer = await claimListener(async () => [status, body]);
    expect(await enrol(setting(claimServer.url))).toMatchObject(outcome);
  });

  it.each<[string, (answer: EnrolledAnswer) => Promise<Partial<EnrolledAnswer>>, RegExp]>([
    [
      'its site key is none',
      async ({ siteKey }) => ({ siteKey: { ...siteKey, d: 'short' } }),
      /no Ed25519 key/,
    ],
    [
      'its certificate is for another key',
      async () => {
        const silent = await claimListener(async () => [503, {}]);
        await enrol({ ...setting(silent.url), folder: join(root, 'another') });
        const { certificate } = await enrolled({ csr: silent.requests[0]?.csr ?? '' });
        return { certificate };
      },
      /not for the key of this host/,
    ],
    [
      'its certificate is damaged',
      async ({ certificate }) => ({ certificate: certificate.replace(/M/, 'A') }),
      /not for the key of this host/,
    ],
  ])('keeps nothing of an answer when %s, and claims again', async (_, change, reason) => {
    const claimServer = await claimListener(async (claim) => {
      const answer = await enrolled(claim);
      return [200, { ...answer, ...(await change(answer)) }];
    });
    expect(await enrol(setting(claimServer.url))).toEqual({
      kind: 'unreachable',
      reason: expect.stringMatching(reason),
    });
    expect(
      ['identity.json', 'host.crt', 'ca.crt', 'site.key'].filter((name) => existsSync(join(folder, name))),
    ).toEqual([]);
    const right = await claimListener(async (claim) => [200, await enrolled(claim)]);
    expect(await enrol(setting(right.url))).toMatchObject({ kind: 'enrolled' });
  });

  it('is unreachable where there is no listener', async () => {
    expect(await enrol(setting('http://127.0.0.1:9'))).toMatchObject({ kind: 'unreachable' });
  });
});

describe('edge client', () => {
  const page = gzipSync('{"op":"delete","entity":"device","id":"d1"}\n');
  const hash = createHash('sha256').update(page).digest('hex');
  const bomb = gzipSync(Buffer.alloc(80 * 1_048_576));
  const bombHash = createHash('sha256').update(bomb).digest('hex');

  async function edge() {
    const server = await authority.issueServer(['127.0.0.1'], Date.now());
    const seen: string[] = [];
    const bodies: Record<string, [number, Buffer | string]> = {
      '/edge/v1/twin': [200, 'a.b.c\n'],
      '/edge/v1/keys': [200, 'k.l.1\nk.l.2\n'],
      '/edge/v1/config/tenant?since=4': [304, ''],
      '/edge/v1/config/tenant?since=3': [200, 'm.n.o'],
      [`/edge/v1/blob/${hash}`]: [200, page],
      [`/edge/v1/blob/${bombHash}`]: [200, bomb],
      [`/edge/v1/blob/${'0'.repeat(64)}`]: [200, page],
    };
    const tls = {
      cert: server.cert,
      key: server.key,
      ca: server.ca,
      requestCert: true,
      rejectUnauthorized: true,
    };
    const listener = createTlsServer(tls, (request, response) => {
      const { CN } = (request.socket as TLSSocket).getPeerCertificate().subject;
      seen.push(`${String(CN)} ${request.url}`);
      const [status, body] = bodies[request.url ?? ''] ?? [404, ''];
      response.writeHead(status).end(body);
    });
    const edgeUrl = `https://127.0.0.1:${await port(listener)}`;
    const claimServer = await claimListener(async (claim) => [200, await enrolled(claim, edgeUrl)]);
    const outcome = await enrol(setting(claimServer.url));
    if (outcome.kind !== 'enrolled') throw new Error('not enrolled');
    const client = createEdgeClient(outcome.identity);
    closers.unshift(() => client.close());
    return { client, seen, identity: outcome.identity };
  }

  it('shows its certificate and reads twin, manifest and pages', async () => {
    const { client, seen } = await edge();
    expect(await client.twin()).toEqual({ ok: true, value: 'a.b.c' });
    expect(await client.manifest('tenant', 3)).toEqual({ ok: true, value: 'm.n.o' });
    expect(await client.manifest('tenant', 4)).toMatchObject({ error: { code: 'notModified' } });
    expect(await client.page({ sha256: hash, size: page.length })).toMatchObject({
      value: expect.stringContaining('delete'),
    });
    expect(seen[0]).toBe(`${UID} /edge/v1/twin`);
    expect(await client.keys?.()).toEqual({ ok: true, value: ['k.l.1', 'k.l.2'] });
    expect(await client.for('01jc7z5t3k9q8w6m4n2p0r1s5x', { v: 1, ask: 'keys' })).toEqual({
      text: 'k.l.1\nk.l.2',
    });
  });

  it('does not take other bytes than were named, a bomb, or an error', async () => {
    const { client } = await edge();
    const other = await client.page({ sha256: '0'.repeat(64), size: page.length });
    expect(other).toMatchObject({ error: { code: 'unreachable' } });
    const tooShort = await client.page({ sha256: hash, size: page.length + 1 });
    expect(tooShort).toMatchObject({ error: { code: 'unreachable' } });
    const huge = await client.page({ sha256: bombHash, size: bomb.length });
    expect(huge).toMatchObject({ error: { code: 'damaged' } });
    expect(await client.manifest('site', 0)).toMatchObject({ error: { code: 'unreachable' } });
  });

  it('trusts the roots of its enrolment only', async () => {
    const { identity } = await edge();
    const foreign = await openFolderAuthority(join(root, 'other'), Date.now());
    const client = createEdgeClient({ ...identity, caPem: foreign.ca });
    closers.unshift(() => client.close());
    expect(await client.twin()).toMatchObject({ error: { code: 'unreachable' } });
  });
});

describe('signed texts', () => {
  const pair = generateKeyPairSync('ed25519');
  const { x = '' } = pair.publicKey.export({ format: 'jwk' });
  const read = signedReader(() => [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'k1' }]);
  const text = (header: object, key = pair.privateKey) =>
    new CompactSign(Buffer.from('{"a":1}'))
      .setProtectedHeader({ alg: 'EdDSA', typ: 'carillon-twin', kid: 'k1', ...header })
      .sign(key);

  it('are opened by the pinned key', async () => {
    expect(await read(await text({}), 'carillon-twin')).toEqual({ a: 1 });
    expect(await read(await text({ alg: 'Ed25519' }), 'carillon-twin')).toEqual({ a: 1 });
  });

  it('stay closed when key, kid, typ or text is another', async () => {
    const foreign = generateKeyPairSync('ed25519').privateKey;
    expect(await read(await text({}, foreign), 'carillon-twin')).toBeUndefined();
    expect(await read(await text({ kid: 'k2' }), 'carillon-twin')).toBeUndefined();
    expect(await read(await text({}), 'carillon-manifest')).toBeUndefined();
    const [head, , signature] = (await text({})).split('.');
    const other = Buffer.from('{"a":2}').toString('base64url');
    expect(await read(`${head}.${other}.${signature}`, 'carillon-twin')).toBeUndefined();
    expect(await read('nonsense', 'carillon-twin')).toBeUndefined();
  });
});

describe('password for the plain broker', () => {
  it('is a token of a minute by the key of the host', async () => {
    const claimServer = await claimListener(async (claim) => [200, await enrolled(claim)]);
    const outcome = await enrol(setting(claimServer.url));
    if (outcome.kind !== 'enrolled') throw new Error('not enrolled');
    const now = Date.now();
    const token = brokerPassword(outcome.identity, now);
    const key = createPublicKey(outcome.identity.keyPem);
    const { payload } = await jwtVerify(token, key, { algorithms: ['ES256'], subject: UID });
    expect((payload.exp ?? 0) - Math.floor(now / 1_000)).toBe(60);
  });
});

describe('identity files', () => {
  it('are no identity while the last of them is missing', async () => {
    const claimServer = await claimListener(async () => [503, {}]);
    await enrol(setting(claimServer.url));
    expect(loadIdentity(folder)).toBeUndefined();
    const answer = await enrolled({ csr: claimServer.requests[0]?.csr ?? '' });
    expect(saveIdentity(folder, answer).uid).toBe(UID);
    expect(saveIdentity(folder, { ...answer, domain: 'new.example' }).domain).toBe('new.example');
  });
});
