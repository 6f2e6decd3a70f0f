import { createPublicKey } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Aedes } from 'aedes';
import { jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OpenJournal, openJournal } from '#appliance/io/sqlite/index.ts';
import type { OutboxRow } from '#appliance/outbox/index.ts';
import { placeOf } from '#appliance/site/index.ts';
import {
  birthSchema,
  configReportSchema,
  cpStateTopic,
  deviceHeartbeatDataSchema,
  eventBatchSchema,
  heartbeatSchema,
  type Lane,
  monitoringDataSchema,
  parseTopic,
  remoteResponseSchema,
  topicOf,
} from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { bridge, device, signingKey } from './site-cloud.ts';
import { SiteWorld, until } from './site-world.ts';

interface Heard {
  readonly leaf: string;
  readonly payload: Record<string, unknown>;
  readonly qos: number;
  readonly retain: boolean;
}

let aedes: Aedes;
let world: SiteWorld;
let journal: OpenJournal;
let heard: Heard[];
let passwords: string[];
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  aedes = await Aedes.createBroker();
  passwords = [];
  aedes.authenticate = (_client, _user, password, done) => {
    passwords.push(String(password));
    done(null, true);
  };
  const server = createServer(aedes.handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  world = new SiteWorld(`mqtt://127.0.0.1:${address.port}`);
  heard = [];
  aedes.on('publish', (packet, client) => {
    const leaf = parseTopic(packet.topic)?.leaf;
    if (client === null || leaf === undefined) return;
    const payload = JSON.parse(packet.payload.toString()) as Record<string, unknown>;
    heard.push({ leaf, payload, qos: packet.qos, retain: packet.retain });
  });
  journal = await openJournal({ file: join(world.folder, 'journal.db'), bootId: 'b1' });
  world.journal = journal;
  closers.push(
    () => world.stop(),
    () => journal.close(),
    () => new Promise<void>((resolve) => aedes.close(() => server.close(() => resolve()))),
    () => world.end(),
  );
});

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const of = (leaf: string) => heard.filter((each) => each.leaf === leaf).map(({ payload }) => payload);
const births = () => heard.filter(({ leaf, payload }) => leaf === 'up/state' && payload.st === 'on');

const say = (topic: string, payload: string | object, retain = false): Promise<void> =>
  new Promise((resolve, reject) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    aedes.publish({ cmd: 'publish', topic, payload: text, qos: 1, retain, dup: false }, (error) =>
      error ? reject(error) : resolve(),
    );
  });
const down = (leaf: 'dn/twin' | 'dn/ack' | 'dn/req' | 'up/state') => topicOf(placeOf(world.identity), leaf);

async function online() {
  const host = world.host();
  host.desk.start();
  await until(() => births().length === 1, 'birth');
  // The lanes open when the own state is subscribed.
  await until(() => world.logged.some((line) => line.includes('management connection open')), 'open');
  return host;
}

const row = (lane: Lane, type: string, body: object, seq = journal.nextSeq()): OutboxRow => ({
  id: ulid(world.wallMs, Buffer.alloc(10, seq)),
  seq,
  lane,
  tenant: 't',
  dest: 'cloud',
  orderKey: 'k',
  type,
  body: JSON.stringify({ type, ...body }),
  createdWall: world.wallMs,
  createdMono: world.nowMs,
  boot: 1,
  epoch: 0,
  notBefore: 0,
  attempts: 0,
  deadline: 1e12,
  expirePolicy: 'record',
  state: 'new',
  late: false,
  lastErr: null,
  authIdx: 0,
});

async function store(lane: Lane, count: number, type = 'serviceAlarm'): Promise<OutboxRow[]> {
  const rows = Array.from({ length: count }, (_, i) => row(lane, type, { error: 'noReceiver', i }));
  await journal.commit(rows.map((each) => ({ kind: 'outbox', row: each }) as const));
  return rows;
}

describe('presence', () => {
  it('greets with a retained birth, and with a password that lives a minute', async () => {
    await online();
    const [birth] = births();
    expect(birth).toMatchObject({ qos: 1, retain: true });
    expect(birthSchema.parse(birth?.payload)).toMatchObject({ birthNo: 1, boot: 1, life: 'active' });
    const { payload } = await jwtVerify(passwords[0] ?? '', createPublicKey(world.identity.keyPem), {
      algorithms: ['ES256'],
      subject: world.identity.uid,
      currentDate: new Date(world.wallMs),
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(60);
  });

  it('beats every 30 s at its own phase, twelve times in six minutes', async () => {
    await online();
    await world.advance(360_000);
    await until(() => of('up/hb').length >= 12, 'heartbeats');
    const beats = of('up/hb').map((payload) => heartbeatSchema.parse(payload));
    expect(beats.map(({ n }) => n)).toEqual(beats.map((_, i) => i + 1));
    expect(new Set(beats.map(({ ts }) => ts % 30_000)).size).toBe(1);
    expect(heard.filter(({ leaf }) => leaf === 'up/hb').every(({ qos }) => qos === 0)).toBe(true);
  });

  it('is born again when asked, when its topic shows a foreign word, and at most once in 5 s', async () => {
    await online();
    const [first] = births();
    await world.advance(6_000);
    await say(down('up/state'), { v: 1, st: 'off', sid: '01jc7z5t3k9q8w6m4n2p0r1s5z' }, true);
    await until(() => births().length === 2, 'second birth');
    expect(births()[1]?.payload).toMatchObject({ sid: first?.payload.sid, birthNo: 2 });
    await say(down('dn/req'), request('rebirth'));
    await until(() => of('up/res').length === 1, 'answer');
    expect(births()).toHaveLength(2);
    await world.advance(5_000);
    await until(() => births().length === 3, 'third birth');
  });

  it('connects again with a new sid after a loss, and leaves its will behind', async () => {
    const ready = new Promise<{ conn: { destroy(): void } }>((resolve) => {
      aedes.once('clientReady', (client) => resolve(client as unknown as { conn: { destroy(): void } }));
    });
    await online();
    (await ready).conn.destroy();
    await until(() => world.logged.some((line) => line.includes('no management connection')), 'loss');
    await world.reach(() => births().length === 2, 'second birth', 500);
    expect(births()[1]?.payload).toMatchObject({ birthNo: 1 });
    expect(births()[1]?.payload.sid).not.toBe(births()[0]?.payload.sid);
  });

  it('says goodbye when it stops', async () => {
    const { desk } = await online();
    const stopping = desk.stop();
    await until(() => of('up/state').some(({ st }) => st === 'off'), 'off');
    await stopping;
    expect(of('up/state').at(-1)).toMatchObject({ st: 'off', why: 'shutdown' });
    expect(desk.connected).toBe(false);
  });
});

describe('twin over MQTT', () => {
  it('brings the configuration, which is reported as applied and then good', async () => {
    world.cloud.down = true;
    const { desk } = await online();
    world.cloud.down = false;
    world.cloud.change('tenant', [bridge('scaip'), device('d1')]);
    await say(down('dn/twin'), await world.cloud.twin(), true);
    await world.reach(() => of('up/cfg').length === 2, 'reports');
    const reports = of('up/cfg').map((payload) => configReportSchema.parse(payload));
    expect(reports.map(({ scope, rev, res, applied }) => [scope, rev, res, applied])).toEqual([
      ['tenant', 1, 'applied', 1],
      ['tenant', 1, 'ack', 1],
    ]);
    await desk.whenConfigured();
    expect(desk.tenant.byId('d1')).toBeDefined();
  });

  it('reports a NACK with its path', async () => {
    await online();
    world.cloud.change('tenant', [device('d1', { srtp: 'perhaps' })]);
    await say(down('dn/twin'), await world.cloud.twin());
    await world.reach(() => of('up/cfg').length === 1, 'report');
    const report = configReportSchema.parse(of('up/cfg')[0]);
    expect(report).toMatchObject({ res: 'nack', rev: 1, applied: 0 });
    expect(report.err[0]?.path).toBe('/device/d1/srtp');
  });

  it.each([
    ['forged', () => world.cloud.twin({}, signingKey('k1').key), 'signatureInvalid'],
    ['foreign', () => world.cloud.twin({ uid: '01jc7z5t3k9q8w6m4n2p0r1s5z' }), 'foreignTwin'],
    ['older', () => world.cloud.twin({ twinRev: 1 }), 'olderTwin'],
    ['of another version', () => world.cloud.twin({ v: 2, twinRev: 900 }), 'foreignTwin'],
  ])('refuses one that is %s', async (_what, make, code) => {
    world.cloud.change('tenant', [bridge('scaip')]);
    const { desk, store } = await online();
    await world.reach(() => desk.configured, 'configured');
    const kept = store.twin();
    await say(down('dn/twin'), await make());
    await until(() => world.logged.some((line) => line.includes(code)), code);
    expect(store.twin()).toBe(kept);
  });

  it('refuses an older one also after a restart', async () => {
    const old = await world.cloud.twin();
    world.cloud.change('tenant', [bridge('scaip')]);
    const { desk } = await online();
    await world.reach(() => desk.configured, 'configured');
    await world.stop();
    world.cloud.down = true;
    heard.length = 0;
    world.logged.length = 0;
    await online();
    await say(down('dn/twin'), old);
    await until(() => world.logged.some((line) => line.includes('olderTwin')), 'refusal');
  });

  it('does not hear what is not for it', async () => {
    const { store } = await online();
    const line = aedes as unknown as {
      clients: Record<string, { publish(packet: object, done: () => void): void }>;
    };
    const [client] = Object.values(line.clients);
    const topic = 'carillon/1/00/other/site/x/dn/twin';
    const kept = store.twin();
    await new Promise<void>((resolve) =>
      client?.publish({ cmd: 'publish', topic, payload: 'x', qos: 0, retain: false, dup: false }, resolve),
    );
    await until(() => world.logged.some((each) => each.includes('is not for this host')), 'ignored');
    expect(store.twin()).toBe(kept);
  });

  it('is pulled over HTTPS every five minutes while the broker is away, and not while it is there', async () => {
    const { desk } = await online();
    let pulls = 0;
    const twin = world.cloud.feed.twin;
    Object.assign(world.cloud.feed, {
      twin: () => {
        pulls++;
        return twin();
      },
    });
    await world.advance(700_000);
    expect(pulls).toBe(0);
    expect(desk.connected).toBe(true);
    aedes.preConnect = (_client, _packet, done) => done(new Error('away'), false);
    closeAll();
    await until(() => !desk.connected, 'loss');
    await world.reach(() => pulls === 2, 'pulls', 10_000);
  });
});

describe('events', () => {
  it('go up by lane in order, stay until the cloud has them, and come again when it is silent', async () => {
    const rows = await store('alarm', 3);
    await online();
    await until(() => of('up/ev/alarm').length === 1, 'batch');
    const [first] = of('up/ev/alarm').map((payload) => eventBatchSchema.parse(payload));
    expect(first?.items.map(({ seq, prev }) => [seq, prev])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(first?.items.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    await world.advance(9_000);
    expect(of('up/ev/alarm')).toHaveLength(1);
    await world.advance(2_000);
    await until(() => of('up/ev/alarm').length === 2, 'resent');
    expect(of('up/ev/alarm')[1]?.items).toEqual(of('up/ev/alarm')[0]?.items);
    await world.advance(15_000);
    expect(of('up/ev/alarm')).toHaveLength(2);
    await world.advance(6_000);
    await until(() => of('up/ev/alarm').length === 3, 'resent after 20 s');

    await say(down('dn/ack'), { v: 1, ack: { alarm: 3 } });
    await until(
      () => journal.pending('cloud', 'alarm', 0, 10).every(({ state }) => state === 'done'),
      'done',
    );
    await world.advance(120_000);
    expect(of('up/ev/alarm')).toHaveLength(3);
  });

  it('send at most 100 in one batch and one batch at a time', async () => {
    await store('svc', 150);
    await online();
    await until(() => of('up/ev/svc').length === 1, 'batch');
    await world.advance(5_000);
    expect(of('up/ev/svc')).toHaveLength(1);
    expect(of('up/ev/svc')[0]?.items).toHaveLength(100);
    await say(down('dn/ack'), { v: 1, ack: { svc: 100 } });
    await until(() => of('up/ev/svc').length === 2, 'second batch');
    const second = eventBatchSchema.parse(of('up/ev/svc')[1]);
    expect([second.items.length, second.items[0]?.prev]).toEqual([50, 100]);
  });

  it('are found when they are written later, and say what they are', async () => {
    await online();
    const monitoring = row('alarm', 'monitoringAlarm', {
      error: 'lowMemory',
      errorDetails: { service: 'sip', value: 5, severity: 'critical' },
    });
    const device = row('alarm', 'deviceHeartbeat', { deviceId: 'd1', status: 'offline', expiration: 1 });
    await journal.commit([monitoring, device].map((each) => ({ kind: 'outbox', row: each }) as const));
    await world.advance(1_100);
    await until(() => of('up/ev/alarm').length === 1, 'batch');
    const { items } = eventBatchSchema.parse(of('up/ev/alarm')[0]);
    expect(items.map(({ type, svc }) => [type, svc])).toEqual([
      ['monitoringAlarm', 'sip'],
      ['deviceHeartbeat', undefined],
    ]);
    expect(monitoringDataSchema.parse(items[0]?.data)).toMatchObject({
      error: 'lowMemory',
      errorDetails: { status: 'raised', severity: 'critical', service: 'sip', value: 5 },
    });
    expect(deviceHeartbeatDataSchema.parse(items[1]?.data)).toMatchObject({
      deviceId: 'd1',
      status: 'offline',
    });
  });

  it('go back when a restored cloud has less, also over a restart of the host', async () => {
    await store('alarm', 5);
    await online();
    await until(() => of('up/ev/alarm').length === 1, 'batch');
    await say(down('dn/ack'), { v: 1, ack: { alarm: 5 } });
    await until(
      () => journal.pending('cloud', 'alarm', 0, 10).every(({ state }) => state === 'done'),
      'done',
    );
    await world.stop();
    heard.length = 0;
    world.logged.length = 0;
    await online();
    expect(birthSchema.parse(births()[0]?.payload).ev.alarm).toEqual([5, 5]);
    await say(down('dn/ack'), { v: 1, ack: { alarm: 2 } });
    await until(() => of('up/ev/alarm').length === 1, 'again');
    const { items } = eventBatchSchema.parse(of('up/ev/alarm')[0]);
    expect(items.map(({ seq, prev, gap }) => [seq, prev, gap])).toEqual([
      [3, 2, undefined],
      [4, 3, undefined],
      [5, 4, undefined],
    ]);
  });
});

describe('an acknowledgement from before', () => {
  it('skips no row of a journal that began anew', async () => {
    await online();
    await say(down('dn/ack'), { v: 1, ack: { alarm: 500 } });
    await store('alarm', 2);
    await world.advance(1_100);
    await until(() => of('up/ev/alarm').length === 1, 'batch');
    const { items } = eventBatchSchema.parse(of('up/ev/alarm')[0]);
    expect(items.map(({ seq, prev }) => [seq, prev])).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });
});

const request = (op: string, more: object = {}) => ({
  v: 1,
  id: '01jc7z5t3k9q8w6m4n2p0r1s50',
  op,
  exp: world.wallMs + 30_000,
  by: 'user:anna',
  args: {},
  ...more,
});

describe('requests', () => {
  it.each([
    ['ping', {}, { ok: true }],
    ['probe', {}, { ok: false, error: { code: 'noPeer' } }],
    ['cfg.resync', { args: { scope: 'tenant' } }, { ok: true, data: { scopes: ['tenant'] } }],
    ['cfg.resync', { args: { scope: 'moon' } }, { ok: false, error: { code: 'invalid' } }],
    ['shell', {}, { ok: false, error: { code: 'unknownOperation' } }],
    ['ping', { exp: 1 }, { ok: false, error: { code: 'expired' } }],
    ['ping', { v: 2 }, { ok: false, error: { code: 'invalid' } }],
  ])('%s %j is answered', async (op, more, answer) => {
    await online();
    await say(down('dn/req'), request(op, more));
    await until(() => of('up/res').length === 1, 'answer');
    expect(remoteResponseSchema.parse(of('up/res')[0])).toMatchObject({ part: 1, last: true, ...answer });
  });

  it('repeats the first answer for the same id', async () => {
    await online();
    await say(down('dn/req'), request('ping'));
    await until(() => of('up/res').length === 1, 'answer');
    await world.advance(60_000);
    await say(down('dn/req'), request('shell'));
    await until(() => of('up/res').length === 2, 'repetition');
    expect(of('up/res')[1]).toEqual(of('up/res')[0]);
    await world.advance(600_000);
    await say(down('dn/req'), request('ping'));
    await until(() => of('up/res').length === 3, 'a new answer');
    expect(of('up/res')[2]).not.toEqual(of('up/res')[0]);
  });
});

describe('the owner of the shard', () => {
  it.each([
    ['announces its stop: the whole jitter', true, 600_000],
    ['is lost: at most 15 s', false, 15_000],
  ])('%s is the spread of the first try', async (_what, announced, spreadMs) => {
    world.cloud.jitterS = 600;
    const desk = await longest();
    await world.advance(61_000);
    if (announced) {
      const sid = '01jc7z5t3k9q8w6m4n2p0r1s51';
      await say(cpStateTopic(world.identity.shard), { v: 1, st: 'off', why: 'shutdown', sid }, true);
      await say(down('dn/req'), request('ping'));
      await until(() => of('up/res').length === 1, 'what was said before has been heard');
    }
    closeAll();
    await until(() => !desk.connected, 'loss');
    await world.advance(spreadMs - 1_000);
    expect(births()).toHaveLength(1);
    await world.advance(2_000);
    await until(() => births().length === 2, 'birth');
  });
});

/** Draws the longest wait every time. */
async function longest() {
  const random = (length: number) => Buffer.alloc(length, 0xff);
  const { desk } = world.host({ random });
  desk.start();
  await until(() => world.logged.some((line) => line.includes('management connection open')), 'open');
  return desk;
}

function closeAll(): void {
  const { clients } = aedes as unknown as { clients: Record<string, { close(): void }> };
  for (const client of Object.values(clients)) client.close();
}
