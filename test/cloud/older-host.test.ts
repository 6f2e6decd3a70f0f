import { createPublicKey } from 'node:crypto';
import { request } from 'node:https';
import { gunzipSync } from 'node:zlib';
import { compactVerify, decodeProtectedHeader } from 'jose';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { downFilter, type HostPlace, SCOPES, topicOf, type UpLeaf } from '#shared/contract/feed/index.ts';
import type { EnrolledAnswer } from '#shared/contract/site/index.ts';
import {
  CONTRACTS,
  filled,
  freshUlid,
  misread,
  type Payload,
  readVector,
} from '#test/support/feed-vector.ts';
import { connected, eventually, goodConnect, tokenOf } from './io/broker/stage.ts';
import { createMachine, type Machine } from './io/machine.ts';
import { openWholeCloud, type WholeCloud } from './whole-cloud.ts';

/*
 * A host of an earlier contract, or of one to come, at the doors of this control plane: broker and edge listener. It says what
 * was recorded, and it reads every message as programs of its time did (control plane, section 13, 8).
 */
const DOMAIN = 'care.example';
const HOUR = 3_600_000;

let cloud: WholeCloud;
beforeAll(async () => {
  cloud = await openWholeCloud();
  await api('POST', '/platform/tenant', { domain: DOMAIN });
  await api('POST', `/site/${DOMAIN}`, { siteId: 'north', profile: 'high' });
  const device = { deviceId: 'scaip-0001', authType: 'deviceid', srtp: 'negotiated' };
  await api('PUT', `/provisioning/device/${DOMAIN}`, device);
});
afterAll(() => cloud?.close());

async function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return await fetch(`${cloud.api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function api(method: string, path: string, body?: unknown): Promise<Payload> {
  const answer = await fetch(`${cloud.api}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${cloud.owner}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read = (await answer.json()) as Payload;
  expect([answer.status, read.reason]).toEqual([200, undefined]);
  return read;
}

function edge({ ca, certificate, edgeUrl }: EnrolledAnswer, key: string, path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const asked = request(`${edgeUrl}${path}`, { ca, cert: certificate, key, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () =>
        answer.statusCode === 200 ? resolve(Buffer.concat(parts)) : reject(new Error(`${answer.statusCode}`)),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** Content of a signed text, by the keys of the enrolment. */
async function opened({ verifyKeys }: EnrolledAnswer, jws: string): Promise<Payload> {
  const key = verifyKeys.find(({ kid }) => kid === decodeProtectedHeader(jws).kid);
  const { payload } = await compactVerify(jws, createPublicKey({ key: { ...key }, format: 'jwk' }));
  return JSON.parse(Buffer.from(payload).toString()) as Payload;
}

describe.each(CONTRACTS)('a host of the contract %s', (contract) => {
  const vector = readVector(contract);
  const { host, reads } = vector;
  const hostId = `box-${contract}`;
  const path = `/site/${DOMAIN}/north/host/${hostId}`;
  const sid = freshUlid();
  const hour = Date.now() - (Date.now() % HOUR) - 5 * HOUR;
  const words: Record<string, unknown> = { sid, hostId, inst: freshUlid(), life: 'commissioning' };
  const reported = host.checks !== undefined;
  let machine: Machine;
  let enrolled: EnrolledAnswer;
  let place: HostPlace;
  let client: MqttClient;
  const received = new Map<string, string>();
  const acks: Payload[] = [];

  const now = () => ({ ...words, now: Date.now(), hour, hourEnd: hour + HOUR });
  const say = async (leaf: UpLeaf, payload: unknown, more: object = {}): Promise<void> => {
    const retain = leaf === 'up/state';
    const text = JSON.stringify(filled(payload, { ...now(), ...more }));
    await client.publishAsync(topicOf(place, leaf), text, { qos: 1, retain });
  };
  const notified = (leaf: 'dn/twin' | 'dn/ack' | 'dn/req'): string | undefined =>
    received.get(topicOf(place, leaf));
  const detail = async (): Promise<Payload> => (await api('GET', path)).host as Payload;

  /** The newest twin, as it lies in the broker. */
  const twinThat = (fits: (twin: Payload) => boolean): Promise<Payload> =>
    eventually(async () => {
      const retained = notified('dn/twin');
      const twin = retained === undefined ? undefined : await opened(enrolled, retained);
      return twin !== undefined && fits(twin) ? twin : undefined;
    }, 'twin');

  afterAll(() => client?.endAsync(true));

  it('enrols, and understands the answer', async () => {
    machine = await createMachine({ addresses: ['127.0.0.1'] });
    const { claimCode } = await api('POST', `/site/${DOMAIN}/north/claim`);
    const { csr, sealKey } = machine;
    const answer = await post('/edge/v1/claim', filled(host.claim, { ...words, claimCode, csr, sealKey }));
    enrolled = (await answer.json()) as EnrolledAnswer;
    expect(misread(reads.enrolled, enrolled)).toEqual([]);
    const { shard: sh, tenant, siteId, uid } = enrolled;
    place = { sh, tenant, siteId, uid };
  });

  it('fetches its twin and its configuration by HTTPS', async () => {
    const twin = await opened(enrolled, String(await edge(enrolled, machine.key, '/edge/v1/twin')));
    expect(misread(reads.twin, twin)).toEqual([]);
    expect(twin).toMatchObject({ uid: place.uid, life: 'commissioning', hb: { profile: 'high' } });
    words.twinRev = twin.twinRev;
    const entities = new Set<unknown>();
    for (const scope of SCOPES) {
      const manifest = await opened(
        enrolled,
        String(await edge(enrolled, machine.key, `/edge/v1/config/${scope}?since=0`)),
      );
      expect(misread(reads.manifest, manifest)).toEqual([]);
      words[`${scope}Rev`] = manifest.to;
      for (const { sha256 } of manifest.pages as { sha256: string }[]) {
        const page = gunzipSync(await edge(enrolled, machine.key, `/edge/v1/blob/${sha256}`)).toString();
        for (const line of page.trimEnd().split('\n')) {
          const row = JSON.parse(line) as Payload;
          expect(misread(reads.row, row)).toEqual([]);
          entities.add(row.entity);
        }
      }
    }
    expect([...entities]).toContain('device');
  });

  it('comes into service by what it says over the broker', async () => {
    const known = { place, key: machine.key, certificate: '', publicKey: '', serial: '' };
    const good = goodConnect(known);
    const will = { topic: topicOf(place, 'up/state'), qos: 1, retain: true } as const;
    client = await connected(enrolled.brokerUrl, {
      ...good,
      password: await tokenOf(known),
      will: { ...will, payload: Buffer.from(JSON.stringify(filled(host.will, words))) },
    });
    client.on('message', (topic, payload) => {
      received.set(topic, payload.toString());
      if (topic === topicOf(place, 'dn/ack')) acks.push(JSON.parse(payload.toString()) as Payload);
    });
    await client.subscribeAsync(downFilter(place), { qos: 1 });
    await say('up/state', host.birth);
    if (reported) await say('up/ev/svc', host.checks);
    for (const scope of SCOPES) {
      const report = { scope, rev: words[`${scope}Rev`] };
      await say('up/cfg', host.applied, report);
      await say('up/cfg', host.ack, report);
    }
    const twin = await twinThat(({ life }) => life === 'active');
    expect(misread(reads.twin, twin)).toEqual([]);
    Object.assign(words, { twinRev: twin.twinRev, life: 'active' });
    await say('up/hb', host.heartbeat);
    await expect.poll(detail).toMatchObject({
      status: 'online',
      lifecycle: 'active',
      version: '0.0.9',
      serial: 'A1',
      siteBaseUrl: 'https://10.0.0.5:8443',
      services: { sip: 'ok', media: 'ok', alarm: 'ok' },
      calls: 4,
      clockSynchronised: true,
    });
    expect((await detail()).roles).toContain('vip');
  });

  it('is received in every lane, and learns that it was', async () => {
    for (const [lane, batch] of Object.entries(host.lanes)) await say(`up/ev/${lane}` as UpLeaf, batch);
    const last = ({ items }: { items: readonly { seq: number }[] }): number => items.at(-1)?.seq ?? 0;
    const expected = Object.fromEntries(
      Object.entries(host.lanes).map(([lane, batch]) => [lane, last(batch)]),
    );
    // Each names the lanes that it is about.
    await expect.poll(() => Object.assign({}, ...acks.map(({ ack }) => ack))).toMatchObject(expected);
    for (const ack of acks) expect(misread(reads.ack, ack)).toEqual([]);
    const { alarms } = (await api('GET', `/site/${DOMAIN}/alarm`)) as { alarms: Payload[] };
    expect(alarms).toContainEqual(
      expect.objectContaining({
        error: 'lowMemory',
        errorDetails: expect.objectContaining({ hostId, message: '240 MiB left', value: 240 }),
      }),
    );
    const span = `from=${hour}&to=${hour + 1}&interval=hour`;
    const { entries } = (await api('GET', `/provisioning/usage/${DOMAIN}?${span}`)) as {
      entries: { alarms: unknown[] }[];
    };
    expect(entries[0]?.alarms).toContainEqual({
      protocol: 'scaip',
      result: 'handled',
      count: 3 * (CONTRACTS.indexOf(contract) + 1),
    });
    expect(await api('GET', `/provisioning/device/${DOMAIN}/scaip-0001`)).toMatchObject({
      heartbeatStatus: 'offline',
    });
  });

  it('answers a request', async () => {
    const asking = api('POST', `${path}/rpc`, { op: 'ping' });
    const asked = await eventually(() => notified('dn/req'), 'request');
    const question = JSON.parse(asked) as Payload;
    expect(misread(reads.request, question)).toEqual([]);
    await say('up/res', host.pong, { id: question.id });
    expect(await asking).toMatchObject({ data: { up: 5 } });
  });

  it('refuses a revision, and what it names is shown', async () => {
    const change = { deviceId: `new-${contract}`, authType: 'deviceid', srtp: 'negotiated' };
    await api('PUT', `/provisioning/device/${DOMAIN}`, change);
    const before = Number(words.tenantRev);
    const twin = await twinThat(({ cfg }) => Number((cfg as { tenant: Payload }).tenant.rev) > before);
    const { rev } = (twin.cfg as { tenant: Payload }).tenant;
    await say('up/cfg', host.nack, { rev });
    await expect
      .poll(async () => (await detail()).revisions)
      .toMatchObject({
        refused: [{ scope: 'tenant', revision: rev, errors: [{ code: 'regexUnsupported' }] }],
      });
    words.twinRev = twin.twinRev;
  });

  it('is drained, and what it cannot report is not said to be done', async () => {
    const { operationId } = await api('POST', `${path}/drain`, { doNotReschedule: 'true', force: true });
    const twin = await twinThat(({ life }) => life === 'draining');
    expect(misread(reads.twin, twin)).toEqual([]);
    expect(twin.doNotReschedule).toBe(true);
    Object.assign(words, { twinRev: twin.twinRev, life: 'draining' });
    await say('up/hb', host.heartbeat);
    const operation = async () =>
      ((await api('GET', `/site/${DOMAIN}/operation/${String(operationId)}`)).operation as Payload).state;
    await expect.poll(operation).toBe('running');
    if (host.drained !== undefined) {
      await say('up/ev/svc', host.drained, { op: twin.op });
      await expect.poll(operation).toBe('done');
      await twinThat(({ life }) => life === 'drained');
    }
    await api('POST', path);
    const back = await twinThat(({ life }) => life === 'active');
    Object.assign(words, { twinRev: back.twinRev, life: 'active' });
    await say('up/hb', host.heartbeat);
    await expect.poll(detail).toMatchObject({ lifecycle: 'active', connectivity: 'online' });
  });

  it('says that it stops for an update, and its silence is none', async () => {
    await say('up/state', host.stop);
    await client.endAsync();
    await expect.poll(async () => (await detail()).connectivity).toBe('offline');
    const { alarms } = (await api('GET', `/site/${DOMAIN}/alarm`)) as { alarms: Payload[] };
    expect(alarms.filter(({ error }) => error === 'noHeartbeatReply')).toEqual([]);
  });

  it('comes back, and its will speaks for it when its line is cut', async () => {
    const known = { place, key: machine.key, certificate: '', publicKey: '', serial: '' };
    words.sid = freshUlid();
    const topic = topicOf(place, 'up/state');
    client = await connected(enrolled.brokerUrl, {
      ...goodConnect(known),
      password: await tokenOf(known),
      will: { topic, qos: 1, retain: true, payload: Buffer.from(JSON.stringify(filled(host.will, words))) },
    });
    await say('up/state', host.birth);
    await say('up/hb', host.heartbeat);
    await expect.poll(async () => (await detail()).connectivity).toBe('online');
    client.stream.destroy();
    await expect.poll(async () => (await detail()).connectivity).toBe('suspect');
  });
});
