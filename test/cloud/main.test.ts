import { createHash, createPublicKey, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { compactVerify, decodeProtectedHeader } from 'jose';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningCloud, start } from '#cloud/main.ts';
import {
  downFilter,
  type Manifest,
  parsePage,
  resultHash,
  type Twin,
  topicOf,
} from '#shared/contract/feed/index.ts';
import {
  type EnrolledAnswer,
  type HostDetail,
  type RenewAnswer,
  renewProof,
} from '#shared/contract/site/index.ts';
import { ulid } from '#shared/id.ts';
import { installedAuthority } from '#test/support/installation/folder-authority.ts';
import { attempt, connected, eventually, goodConnect, random, tokenOf } from './io/broker/stage.ts';
import { createMachine, type Machine } from './io/machine.ts';

const data = mkdtempSync(join(tmpdir(), 'carillon-cloud-'));
const DOMAIN = 'care.example';
let cloud: RunningCloud;
let ports = { http: 0, edge: 0, mqtt: 0 };

const settingsOf = (listen: string, { http, edge, mqtt }: typeof ports) => ({
  flags: {},
  environment: {
    CARILLON_DATA: data,
    CARILLON_HTTP: `127.0.0.1:${http}`,
    CARILLON_EDGE: `${listen}:${edge}`,
    CARILLON_MQTT_LISTEN: `${listen}:${mqtt}`,
    CARILLON_LOG: 'error',
  },
  file: {},
});

async function startCloud(listen = '127.0.0.1'): Promise<void> {
  const started = await start(settingsOf(listen, ports));
  if (!started.ok) throw new Error(started.error.reason);
  cloud = started.value;
  const portOf = (name: string) => Number(new URL(String(cloud.ready[name])).port);
  ports = { http: portOf('api'), edge: portOf('edge'), mqtt: portOf('mqtt') };
}

beforeAll(() => startCloud());
afterAll(async () => {
  await cloud.close();
  rmSync(data, { recursive: true });
});

async function api(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const token = readFileSync(join(data, 'bootstrap-token'), 'utf8').trim();
  const answer = await fetch(`${String(cloud.ready.api)}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, ...((await answer.json()) as object) };
}

interface EdgeAnswer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: Buffer;
}

/** A request to the edge listener, with or without a client certificate. */
function edge(
  host: EnrolledAnswer,
  key: string | undefined,
  path: string,
  headers: Record<string, string> = {},
): Promise<EdgeAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${host.edgeUrl}${path}`,
      { ca: host.ca, headers, agent: false, ...(key === undefined ? {} : { cert: host.certificate, key }) },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            etag: answer.headers.etag,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

async function opened<T>(host: EnrolledAnswer, jws: string): Promise<T> {
  const key = host.verifyKeys.find(({ kid }) => kid === decodeProtectedHeader(jws).kid);
  const { payload } = await compactVerify(jws, createPublicKey({ key: { ...key }, format: 'jwk' }));
  return JSON.parse(Buffer.from(payload).toString()) as T;
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Everything a machine does to become a host. */
async function enrol(hostId: string): Promise<{ host: EnrolledAnswer; machine: Machine }> {
  const made = await api('POST', `/site/${DOMAIN}/north/claim`);
  const machine = await createMachine({ addresses: ['127.0.0.1'] });
  const { csr, sealKey } = machine;
  const claim = { claimCode: made.claimCode, hostId, csr, sealKey, version: '0.1.0' };
  const answer = await fetch(`${String(cloud.ready.api)}/edge/v1/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(claim),
  });
  expect(answer.status).toBe(200);
  return { host: (await answer.json()) as EnrolledAnswer, machine };
}

interface Received {
  readonly client: MqttClient;
  readonly last: (leaf: string) => string | undefined;
  readonly say: (leaf: 'up/state' | 'up/hb' | 'up/cfg' | 'up/ev/svc', payload: object) => Promise<void>;
}

/** The host's connection to the broker. */
async function dial(host: EnrolledAnswer, machine: Machine): Promise<Received> {
  const place = { sh: host.shard, tenant: host.tenant, siteId: host.siteId, uid: host.uid };
  const known = { place, key: machine.key, certificate: '', publicKey: '', serial: '' };
  const client = await connected(host.brokerUrl, { ...goodConnect(known), password: await tokenOf(known) });
  const received = new Map<string, string>();
  client.on('message', (topic, payload) => received.set(topic, payload.toString()));
  await client.subscribeAsync(downFilter(place), { qos: 1 });
  return {
    client,
    last: (leaf) => received.get(`${topicOf(place, 'up/hb').replace('/up/hb', '')}/${leaf}`),
    say: async (leaf, payload) => {
      const retain = leaf === 'up/state';
      await client.publishAsync(topicOf(place, leaf), JSON.stringify(payload), { qos: 1, retain });
    },
  };
}

const newSid = () => ulid(Date.now(), random(10));
const birth = (sid: string, life: string) => ({
  v: 1,
  st: 'on',
  sid,
  birthNo: 1,
  boot: 1,
  ts: Date.now(),
  twinRev: 0,
  sw: { agent: '0.1.0' },
  cfg: { tenant: 0, site: 0, host: 0, platform: 0 },
  life,
  epoch: 1,
  siteBaseUrl: 'https://127.0.0.1:8443',
});

describe('the control plane', () => {
  it('keeps the token of its owner for itself, and takes tenants and sites', async () => {
    expect(statSync(join(data, 'bootstrap-token')).mode & 0o777).toBe(0o600);
    expect(await api('POST', '/platform/tenant', { domain: DOMAIN })).toMatchObject({ status: 200 });
    const site = { siteId: 'north', name: 'North', profile: 'high' };
    expect(await api('POST', `/site/${DOMAIN}`, site)).toEqual({
      status: 200,
      success: true,
      siteId: 'north',
    });
    expect(await api('POST', `/site/${DOMAIN}`, site)).toMatchObject({ status: 409 });
    expect(await api('POST', `/site/${DOMAIN}`, { siteId: 'alarm' })).toMatchObject({ status: 400 });
    expect(await api('GET', `/hybridadmin/site/${DOMAIN}`)).toEqual({
      status: 200,
      success: true,
      data: { site: [], sites: [{ siteId: 'north', name: 'North', profile: 'high' }] },
    });
    expect(await api('GET', '/readyz')).toMatchObject({ status: 200 });
  });

  it('makes a machine a host, feeds it by HTTPS, and counts it online once it works', async () => {
    const { host, machine } = await enrol('box-1');
    expect(host).toMatchObject({
      domain: DOMAIN,
      siteId: 'north',
      hostId: 'box-1',
      mqtt: { plainJwt: true },
    });

    const twinAnswer = await edge(host, machine.key, '/edge/v1/twin');
    const twin = await opened<Twin>(host, twinAnswer.body.toString());
    expect(twin).toMatchObject({ uid: host.uid, life: 'commissioning', hb: { profile: 'high' } });
    // No key was changed here: there is nothing to follow.
    const keys = await edge(host, machine.key, '/edge/v1/keys');
    expect([keys.status, keys.body.toString()]).toEqual([200, '']);
    const etag = twinAnswer.etag ?? '';
    expect((await edge(host, machine.key, '/edge/v1/twin', { 'If-None-Match': etag })).status).toBe(304);

    await api('PUT', `/provisioning/device/${DOMAIN}`, {
      deviceId: 'scaip-0001',
      authType: 'deviceid',
      srtp: 'negotiated',
    });
    const answer = await edge(host, machine.key, '/edge/v1/config/tenant?since=0');
    const manifest = await opened<Manifest>(host, answer.body.toString());
    expect(manifest).toMatchObject({ kind: 'snapshot', scope: 'tenant', owner: host.tenant });
    const page = await edge(host, machine.key, `/edge/v1/blob/${manifest.pages[0]?.sha256}`);
    expect(sha256(page.body)).toBe(manifest.pages[0]?.sha256);
    const rows = (parsePage(gunzipSync(page.body).toString()) ?? []).flatMap((row) =>
      row.op === 'put' ? [row] : [],
    );
    expect(rows.map(({ entity }) => entity)).toContain('device');
    expect(resultHash(rows, sha256)).toBe(manifest.resultHash);
    expect((await edge(host, machine.key, `/edge/v1/config/tenant?since=${manifest.to}`)).status).toBe(304);

    const link = await dial(host, machine);
    const sid = newSid();
    await link.say('up/state', birth(sid, 'commissioning'));
    const report = { v: 1, sid, scope: 'tenant', rev: manifest.to, nonce: 'n', applied: manifest.to };
    await link.say('up/cfg', { ...report, res: 'applied' });
    await link.say('up/cfg', { ...report, res: 'ack' });
    const active = await eventually(async () => {
      const retained = link.last('dn/twin');
      const seen = retained === undefined ? undefined : await opened<Twin>(host, retained);
      return seen?.life === 'active' ? seen : undefined;
    }, 'the twin of an active host');
    expect(active.cfg.tenant).toEqual({ rev: manifest.to, h: manifest.resultHash });
    expect(await api('GET', `/site/${DOMAIN}`)).toMatchObject({
      data: {
        site: [
          {
            hostId: 'box-1',
            hostLabels: ['ver=0.1.0'],
            status: 'online',
            siteId: 'north',
            siteBaseUrl: 'https://127.0.0.1:8443',
          },
        ],
      },
    });
    await link.client.endAsync();
  });

  it('commits events before it acknowledges them, and shows heartbeats of devices', async () => {
    const { host, machine } = await enrol('box-2');
    const link = await dial(host, machine);
    const sid = newSid();
    await link.say('up/state', birth(sid, 'commissioning'));
    const item = (seq: number, prev: number) => ({
      seq,
      prev,
      id: newSid(),
      type: 'deviceHeartbeat',
      ts: Date.now(),
      mono: 1,
      boot: 1,
      epoch: 1,
      data: { deviceId: 'scaip-0001', status: 'offline', expiration: 1_900_000_000_000 },
    });
    await link.say('up/ev/svc', { v: 1, sid, items: [item(7, 0), item(9, 7)] });
    await eventually(() => link.last('dn/ack')?.includes('"svc":9'), 'acknowledgement');
    // No row is written for a heartbeat, and it is seen at once.
    const beat = {
      v: 1,
      sid,
      n: 1,
      ts: Date.now(),
      up: 1,
      twinRev: 0,
      cfg: [0, 0, 0, 0],
      life: 'commissioning',
    };
    const beganMs = Date.now();
    await link.say('up/hb', { ...beat, epoch: 1, calls: 5 });
    const seen = await eventually(async () => {
      const { host: detail } = (await api('GET', `/site/${DOMAIN}/north/host/box-2`)) as { host: HostDetail };
      return detail.calls === 5 ? detail : undefined;
    }, 'the heartbeat');
    expect(seen.lastSeen).toBeGreaterThanOrEqual(beganMs);
    expect(await api('GET', `/provisioning/device/${DOMAIN}/scaip-0001`)).toMatchObject({
      heartbeatStatus: 'offline',
      heartbeatExpiration: 1_900_000_000_000,
    });
    await link.client.endAsync();
  });

  it('lets no one in at the edge without a certificate of a host', async () => {
    const { host } = await enrol('box-3');
    expect((await edge(host, undefined, '/edge/v1/twin')).status).toBe(401);
    const stranger = await createMachine({});
    const own = await edge({ ...host, certificate: host.ca }, stranger.key, '/edge/v1/twin').catch(
      () => undefined,
    );
    expect(own?.status).not.toBe(200);
  });

  it('renews a certificate; the old one serves until the new one is used', async () => {
    const { host, machine } = await enrol('box-5');
    const link = await dial(host, machine);
    const base = `${String(cloud.ready.api)}/edge/v1`;
    const asked = await fetch(`${base}/challenge`, { method: 'POST' });
    const { challenge } = (await asked.json()) as { challenge: string };
    const next = await createMachine({ addresses: ['127.0.0.1'] });
    const proof = Buffer.from(renewProof(challenge, next.csr));
    const signature = sign('sha256', proof, { key: machine.key, dsaEncoding: 'ieee-p1363' }).toString(
      'base64url',
    );
    const answer = await fetch(`${base}/renew`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ certificate: host.certificate, csr: next.csr, challenge, signature }),
    });
    expect(answer.status).toBe(200);
    const { certificate } = (await answer.json()) as RenewAnswer;
    expect((await edge(host, machine.key, '/edge/v1/twin')).status).toBe(200);
    expect((await edge({ ...host, certificate }, next.key, '/edge/v1/twin')).status).toBe(200);
    expect(link.client.connected).toBe(true);

    expect((await edge(host, machine.key, '/edge/v1/twin')).status).toBe(403);
    const twin = await edge({ ...host, certificate }, next.key, '/edge/v1/twin');
    expect(await opened<Twin>(host, twin.body.toString())).toMatchObject({ life: 'commissioning' });
    await link.client.endAsync();
  });

  it('informs a host that its certificate has ended', async () => {
    const { host, machine } = await enrol('box-9');
    const authority = await installedAuthority(data);
    const old = await authority.issueHost(machine.csr, host, Date.now() - 200 * 86_400_000);
    if (!old.ok) throw new Error(old.error.reason);
    const refused = await edge({ ...host, certificate: old.value.certificate }, machine.key, '/edge/v1/twin');
    expect(refused.status).toBe(401);
  });

  it('lists alarms beside sites, and knows none yet', async () => {
    expect(await api('GET', `/site/${DOMAIN}/alarm?status=active`)).toEqual({
      status: 200,
      success: true,
      alarms: [],
    });
    expect(await api('POST', `/site/${DOMAIN}/alarm/none/ack`)).toMatchObject({ status: 404 });
    expect(await api('GET', `/site/${DOMAIN}/north`)).toMatchObject({
      site: { siteId: 'north', reachable: false },
    });
  });

  it('holds the tenant while it has hosts', async () => {
    expect(await api('DELETE', `/platform/tenant/${DOMAIN}`)).toMatchObject({ status: 409 });
    expect(await api('DELETE', `/site/${DOMAIN}/north`)).toMatchObject({ status: 409 });
  });

  it('is the same after a restart: hosts come back with what they have', async () => {
    const { host, machine } = await enrol('box-4');
    // The spread of a tenant follows its number of hosts, which is counted again seconds after the last one has come, or at a start.
    await cloud.close();
    await startCloud();
    const before = await opened<Twin>(host, (await edge(host, machine.key, '/edge/v1/twin')).body.toString());
    await cloud.close();
    await startCloud();
    const link = await dial(host, machine);
    const retained = await eventually(() => link.last('dn/twin'), 'retained twin');
    expect(await opened<Twin>(host, retained)).toEqual(before);
    expect((await edge(host, machine.key, '/edge/v1/twin')).status).toBe(200);
    await link.client.endAsync();
  });

  it('is refused on the folder of one that runs, which keeps its hosts', async () => {
    const second = await start(settingsOf('127.0.0.1', { http: 0, edge: 0, mqtt: 0 }));
    expect(second).toMatchObject({
      ok: false,
      error: { reason: expect.stringContaining('SQLite serves one process') },
    });
    const { host, machine } = await enrol('box-8');
    const link = await dial(host, machine);
    await eventually(() => link.last('dn/twin'), 'retained twin');
    await link.client.endAsync();
  });

  it('speaks TLS with client certificates off loopback', async () => {
    await cloud.close();
    await startCloud('0.0.0.0');
    const { host, machine } = await enrol('box-7');
    expect(host.mqtt.plainJwt).toBe(false);
    expect(host.brokerUrl).toMatch(/^mqtts:\/\/127\.0\.0\.1:/);
    const place = { sh: host.shard, tenant: host.tenant, siteId: host.siteId, uid: host.uid };
    const known = { place, key: machine.key, certificate: '', publicKey: '', serial: '' };
    const trusted = { ...goodConnect(known), ca: host.ca };
    const client = await connected(host.brokerUrl, { ...trusted, cert: host.certificate, key: machine.key });
    await client.subscribeAsync(downFilter(place), { qos: 1 });
    await client.endAsync();
    expect(await attempt(host.brokerUrl, { ...trusted, password: await tokenOf(known) })).toBeTypeOf(
      'string',
    );
    expect((await edge(host, machine.key, '/edge/v1/twin')).status).toBe(200);
  });
});
