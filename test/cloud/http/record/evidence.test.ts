import { execFile, spawnSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';
import { serve } from '@hono/node-server';
import { CompactSign } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { platformKeyRouter, recordEvidenceRouter } from '#cloud/http/index.ts';
import { shownKeys } from '#cloud/io/key/index.ts';
import { EvidenceMaker, RecordIntake, TraceRelay } from '#cloud/record/index.ts';
import { auditAfter, auditHead, insertHost, tenantByDomain, updateHostStatus } from '#cloud/store/index.ts';
import { judgeEvidence } from '#installer/command/operator/evidence-verify.ts';
import { ok } from '#shared/result.ts';
import { packTar, type TarFile, unpackTar } from '#shared/tar.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { CARILLON } from '../../../support/program/program.ts';
import { batchOf, callOf, NOW, recordIdOf } from '../../record/stage.ts';
import { ask, makeTenant, openApi, type TestApi } from '../api.ts';
import { makePerson } from '../people.ts';

const HOSTILE = '<img src="https://evil.test/x"><script>alert(1)</script>';
const VCON = { vcon: '0.4.0', dialog: [{ filename: 'call-1.wav', content_hash: 'sha512-abc' }] };
const STEPS = [
  { atMs: NOW + 1, kind: 'sipReceived', detail: { method: 'INVITE', from: HOSTILE } },
  { atMs: NOW + 2, kind: 'callbackSent', detail: { headers: { signature: 'v1=abc' }, body: { vCon: VCON } } },
  { atMs: NOW + 3, kind: 'callbackAnswered', detail: { status: 200 } },
];
const DAYS = 90;
const pair = generateKeyPairSync('ed25519');
const { x = '' } = pair.publicKey.export({ format: 'jwk' });
const fingerprint = createHash('sha256')
  .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
  .digest('base64url');
const unpacked = promisify(gunzip);

const jwk = { kty: 'OKP', crv: 'Ed25519', x, kid: 'k1' } as const;
/** Another key, which signs now. */
const { x: later = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
let keys: Parameters<typeof shownKeys>[0];

let api: TestApi;
let token: string;
let other: string;
let tenant: string;
let folder: string;

beforeEach(async () => {
  keys = { verifyKeys: [jwk], retired: [] };
  folder = mkdtempSync(join(tmpdir(), 'carillon-evidence-'));
  api = await openApi({}, async (store) => {
    const nowMs = () => api.clock.now;
    const traces: TraceRelay = new TraceRelay({
      ...{ store, nowMs, edgeUrl: () => 'https://edge.test', events: async () => [] },
      random: (length) => crypto.getRandomValues(new Uint8Array(length)),
      gunzip: async (bytes, maxOutputLength) => (await unpacked(bytes, { maxOutputLength })).toString(),
      ask: async (uid, { args }) => {
        const sends = gzipSync(JSON.stringify({ v: 1, pages: [STEPS] }));
        await traces.put(String(args.url).split('/').at(-1) ?? '', uid, sends);
        return ok({ v: 1, id: '', ok: true, data: { bytes: sends.length }, part: 1, last: true });
      },
    });
    const evidence = new EvidenceMaker({
      ...{ store, traces, nowMs, keptDays: () => DAYS, key: () => ({ kid: 'k1', fingerprint }) },
      sign: (typ, payload) =>
        new CompactSign(Buffer.from(JSON.stringify(payload)))
          .setProtectedHeader({ alg: 'EdDSA', typ, kid: 'k1' })
          .sign(pair.privateKey),
      sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
      gzip: promisify(gzip),
    });
    return [recordEvidenceRouter(evidence), platformKeyRouter(() => shownKeys(keys))];
  });
  api.clock.now = NOW + 10_000;
  token = await makeTenant(api, 'a.test');
  other = await makeTenant(api, 'b.test');
  const { store } = api.database;
  tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
  await store.withTx(async (tx) => {
    await insertHost(tx, {
      ...{ ...HOST_ROW, uid: 'gw1', tenant, siteId: 'north', hostId: 'gw1', sh: '00' },
      ...{ lifecycle: 'active', lifecycleSince: 0, createdAt: 0 },
    });
    await updateHostStatus(tx, 'gw1', { connectivity: 'online' });
  });
  const recordings = ['call-1.wav', 'call-2.wav'];
  const batch = batchOf([1, callOf(1, { recordings, configRevision: 7 })]);
  await new RecordIntake({ store, onTaken: () => undefined }).take(
    { tenant, siteId: 'north', uid: 'gw1', sh: '00' },
    'gw1',
    batch,
    NOW,
  );
});
afterEach(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const path = (n = 1, domain = 'a.test') => `/record/${domain}/${recordIdOf(n)}/evidence`;
async function fetched(): Promise<Uint8Array> {
  const answer = await api.app.request(path(), { headers: { Authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/gzip');
  return new Uint8Array(await answer.arrayBuffer());
}
const filesOf = (packed: Uint8Array): readonly TarFile[] => unpackTar(gunzipSync(packed)) ?? [];
const textIn = (packed: Uint8Array, wanted: string): string =>
  Buffer.from(filesOf(packed).find(({ name }) => name === wanted)?.bytes ?? []).toString();
const repacked = (files: readonly TarFile[]): Uint8Array => gzipSync(packTar(files, NOW / 1_000));
const judged = (packed: Uint8Array, key: KeyObject = pair.publicKey) => judgeEvidence(packed, [key]);

test('it has the record, the trace, the deliveries and the hashes, signed by the platform', async () => {
  const packed = await fetched();
  expect(judged(packed)).toMatchObject({
    ...{ owner: 'a.test', recordId: recordIdOf(1), traceId: 'trace-1', madeAt: api.clock.now },
    ...{ expiresAt: api.clock.now + DAYS * 86_400_000, key: { kid: 'k1', fingerprint } },
    missing: ['the recording call-2.wav is not at the control plane, and no vCon names its hash'],
  });
  expect(JSON.parse(textIn(packed, 'record.json'))).toMatchObject({ from: '+46701', configRevision: 7 });
  expect(JSON.parse(textIn(packed, 'trace.json')).steps).toHaveLength(3);
  expect(JSON.parse(textIn(packed, 'deliveries.json')).steps).toMatchObject([
    { kind: 'callbackSent', detail: { headers: { signature: 'v1=abc' } } },
    { kind: 'callbackAnswered', detail: { status: 200 } },
  ]);
  expect(JSON.parse(textIn(packed, 'vcon-1.json'))).toEqual(VCON);
  expect(JSON.parse(textIn(packed, 'configuration.json'))).toMatchObject({ session: 7 });
  // The look itself stands before the head that the file names.
  const { seq, hash } = await auditHead(api.database.store, tenant);
  expect(JSON.parse(textIn(packed, 'audit.json')).head).toMatchObject({ seq, hash });
  const looks = await auditAfter(api.database.store, tenant, 0, 100);
  expect(looks.filter(({ entity }) => entity === 'evidence')).toMatchObject([
    { action: 'read', entityId: 'trace-1' },
  ]);
});

test('its page opens without a network, and names the key, the owner, the expiry and the limits of erasure', async () => {
  const page = textIn(await fetched(), 'index.html');
  for (const text of [
    ...[fingerprint, 'a.test', new Date(api.clock.now + DAYS * 86_400_000).toISOString()],
    'It does not reach copies of this file',
  ])
    expect(page).toContain(text);
  const tags = page.match(/<[a-z!/][^>]*>/gi) ?? [];
  expect(tags.length).toBeGreaterThan(50);
  for (const tag of tags) {
    expect(tag).not.toMatch(/\b(?:src|href|srcset|action|data|poster|background|on\w+)\s*=/i);
    expect(tag).not.toMatch(/^<(?:script|link|img|iframe|object|embed|base|form)/i);
  }
  expect(page).not.toMatch(/url\(|@import/);
  expect(page).toContain('&lt;script&gt;');
});

test('a changed byte, a file more or less, or another key turns the proof red', async () => {
  const packed = await fetched();
  const files = filesOf(packed);
  expect(typeof judged(repacked(files))).toBe('object');
  for (const { name } of files) {
    const changed = files.map((each) => {
      const bytes = Buffer.from(each.bytes);
      if (each.name === name) bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
      return { name: each.name, bytes };
    });
    expect(judged(repacked(changed)), name).toEqual(expect.any(String));
    expect(judged(repacked(files.filter((each) => each.name !== name))), name).toEqual(expect.any(String));
  }
  expect(judged(repacked([...files, { name: 'more.txt', bytes: Buffer.from('x') }]))).toContain(
    'no manifest',
  );
  expect(judged(repacked([...files, ...files]))).toContain('twice');
  expect(judged(packed, generateKeyPairSync('ed25519').publicKey)).toContain('not signed by this key');
  expect(judged(packed.subarray(0, packed.length - 20))).toContain('cut short');
});

test('carillon evidence verify says so to the shell', async () => {
  const packed = await fetched();
  const at = (name: string, bytes: Uint8Array | string): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const run = (file: string, key: string) =>
    spawnSync(process.execPath, [CARILLON, 'evidence', 'verify', file, '--key', key, '--json'], {
      encoding: 'utf8',
    });
  const file = at('whole.tar.gz', packed);
  const pem = at('key.pem', pair.publicKey.export({ format: 'pem', type: 'spki' }));
  const whole = run(file, pem);
  expect([whole.status, JSON.parse(whole.stdout)]).toMatchObject([
    0,
    { success: true, fingerprint, owner: 'a.test' },
  ]);
  const jwk = at('key.jwk', JSON.stringify(createPublicKey(pair.privateKey).export({ format: 'jwk' })));
  expect(run(file, jwk).status).toBe(0);
  const record = filesOf(packed).map(({ name, bytes }) => ({
    name,
    bytes: name === 'record.json' ? Buffer.from('{}') : bytes,
  }));
  const red = run(at('changed.tar.gz', repacked(record)), pem);
  expect([red.status, red.stderr]).toEqual([65, expect.stringContaining('record.json was changed')]);
  expect(run(join(folder, 'none'), pem).status).toBe(69);
  expect(run(file, file).status).toBe(64);
});

describe('the keys of the platform', () => {
  const url = '/.well-known/jwks.json';

  test('are a JWK set that everybody reads, the one that signs first, and none of it is private', async () => {
    keys = { verifyKeys: [{ ...jwk, x: later, kid: 'k2' }], retired: [{ key: jwk, retiredAt: NOW }] };
    const answer = await api.app.request(url);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    const set = (await answer.json()) as { keys: Record<string, unknown>[] };
    expect(set.keys).toMatchObject([
      { kid: 'k2', x: later, kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' },
      { kid: 'k1', x, fingerprint, retiredAt: NOW },
    ]);
    expect(set.keys[0]).not.toHaveProperty('retiredAt');
    for (const key of set.keys) expect(key).not.toHaveProperty('d');
  });

  test('prove a file to an outsider, also with a key that is no longer in use; another platform proves nothing', async () => {
    const file = join(folder, 'whole.tar.gz');
    writeFileSync(file, await fetched());
    const server = serve({ fetch: api.app.fetch, port: 0, hostname: '127.0.0.1' });
    try {
      await once(server, 'listening');
      const cloud = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const verify = (at: string) =>
        new Promise<{ code: number; out: string; said: string }>((resolve) => {
          const words = ['evidence', 'verify', file, '--cloud', at, '--json'];
          const ran = execFile(process.execPath, [CARILLON, ...words], (_, out, said) =>
            resolve({ code: ran.exitCode ?? -1, out, said }),
          );
        });
      const whole = await verify(cloud);
      expect([whole.code, JSON.parse(whole.out)]).toMatchObject([0, { success: true, fingerprint }]);
      keys = { verifyKeys: [{ ...jwk, x: later, kid: 'k2' }], retired: [{ key: jwk, retiredAt: NOW }] };
      expect(JSON.parse((await verify(`${cloud}/`)).out)).toMatchObject({ success: true, retiredAt: NOW });
      keys = { verifyKeys: [{ ...jwk, x: later, kid: 'k2' }], retired: [] };
      expect(await verify(cloud)).toMatchObject({
        code: 65,
        said: expect.stringContaining('not signed by this key') as string,
      });
      expect(await verify('http://127.0.0.1:1')).toMatchObject({
        code: 69,
        said: expect.stringContaining('cannot be fetched') as string,
      });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  }, 120_000);
});

test('a viewer, a token without the word capture and another tenant get none; a host that is away is named', async () => {
  const viewer = await makePerson(api, 'a.test', 'vera@care.example', 'viewer');
  const seen = await ask(api, 'GET', path(), {
    token: null,
    headers: { Cookie: `__Host-carillon=${viewer.cookie}` },
  });
  expect(seen.status).toBe(403);
  const made = await ask(api, 'POST', '/provisioning/apitoken/a.test', {
    token,
    body: { scope: 'read site' },
  });
  expect((await ask(api, 'GET', path(), { token: String(made.body.token) })).status).toBe(403);
  expect((await ask(api, 'GET', path(), { token: other })).status).toBe(403);
  expect((await ask(api, 'GET', path(1, 'b.test'), { token: other })).status).toBe(404);
  expect((await ask(api, 'GET', path(77), { token })).status).toBe(404);
  await api.database.store.withTx((tx) =>
    updateHostStatus(tx, 'gw1', { connectivity: 'offline', lastSeen: NOW - 5_000 }),
  );
  const { status, body } = await ask(api, 'GET', path(), { token });
  expect([status, body.error]).toEqual([409, { code: 'hostAway' }]);
  expect(body.reason).toContain(`gw1 is away since ${new Date(NOW - 5_000).toISOString()}`);
});
