import { createPublicKey } from 'node:crypto';
import { jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  birthSchema,
  configReportSchema,
  cpStateTopic,
  heartbeatSchema,
} from '#shared/contract/feed/index.ts';
import { fail } from '#shared/result.ts';
import { bridge, device, signingKey } from '../site-cloud.ts';
import { SiteLine } from '../site-line.ts';
import { type SiteWorld, until } from '../site-world.ts';

let line: SiteLine;
let world: SiteWorld;

beforeEach(async () => {
  line = await SiteLine.open();
  world = line.world;
});
afterEach(() => line.end());

it('a connection that cannot be opened is a warning with its reason, once for each reason', async () => {
  world.host({ identity: { ...world.identity, brokerUrl: 'mqtt://127.0.0.1:9' } }).agent.start();
  const failures = () => world.logged.filter((entry) => entry.includes('uplink.connect_failed'));
  await world.reach(() => failures().length >= 3, 'attempts');
  expect(failures()[0]).toMatch(/^warn .*ECONNREFUSED/);
  expect(failures().filter((entry) => entry.startsWith('warn'))).toHaveLength(1);
});

describe('presence', () => {
  it('greets with a retained birth, and with a password that lives a minute', async () => {
    await line.online();
    const [birth] = line.births();
    expect(birth).toMatchObject({ qos: 1, retain: true });
    expect(birthSchema.parse(birth?.payload)).toMatchObject({ birthNo: 1, boot: 1, life: 'active' });
    const { payload } = await jwtVerify(line.passwords[0] ?? '', createPublicKey(world.identity.keyPem), {
      algorithms: ['ES256'],
      subject: world.identity.uid,
      currentDate: new Date(world.wallMs),
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(60);
  });

  it('beats every 30 s at its own phase, twelve times in six minutes', async () => {
    await line.online();
    await world.advance(360_000);
    await until(() => line.of('up/hb').length >= 12, 'heartbeats');
    const beats = line.of('up/hb').map((payload) => heartbeatSchema.parse(payload));
    expect(beats.map(({ n }) => n)).toEqual(beats.map((_, i) => i + 1));
    expect(new Set(beats.map(({ ts }) => ts % 30_000)).size).toBe(1);
    expect(line.received.filter(({ leaf }) => leaf === 'up/hb').every(({ qos }) => qos === 0)).toBe(true);
  });

  it('is born again when asked, when its topic shows a foreign word, and at most once in 5 s', async () => {
    await line.online();
    const [first] = line.births();
    await world.advance(6_000);
    await line.say(line.down('up/state'), { v: 1, st: 'off', sid: '01jc7z5t3k9q8w6m4n2p0r1s5z' }, true);
    await until(() => line.births().length === 2, 'second birth');
    expect(line.births()[1]?.payload).toMatchObject({ sid: first?.payload.sid, birthNo: 2 });
    await line.say(line.down('dn/req'), line.request('rebirth'));
    await until(() => line.of('up/res').length === 1, 'answer');
    expect(line.births()).toHaveLength(2);
    await world.advance(5_000);
    await until(() => line.births().length === 3, 'third birth');
  });

  it('connects again with a new sid after a loss', async () => {
    const ready = new Promise<{ conn: { destroy(): void } }>((resolve) => {
      line.aedes.once('clientReady', (client) => resolve(client as unknown as { conn: { destroy(): void } }));
    });
    await line.online();
    (await ready).conn.destroy();
    await until(() => world.logged.some((entry) => entry.includes('uplink.disconnected')), 'loss');
    await world.reach(() => line.births().length === 2, 'second birth', 500);
    expect(line.births()[1]?.payload).toMatchObject({ birthNo: 1 });
    expect(line.births()[1]?.payload.sid).not.toBe(line.births()[0]?.payload.sid);
  });

  it('says goodbye when it stops', async () => {
    const { agent } = await line.online();
    const stopping = agent.stop();
    await until(() => line.of('up/state').some(({ st }) => st === 'off'), 'off');
    await stopping;
    expect(line.of('up/state').at(-1)).toMatchObject({ st: 'off', why: 'shutdown' });
    expect(agent.connected).toBe(false);
  });
});

describe('twin over MQTT', () => {
  it('brings the configuration, which is reported as applied and then good', async () => {
    world.cloud.down = true;
    const { agent } = await line.online();
    world.cloud.down = false;
    world.cloud.change('tenant', [bridge('scaip'), device('d1')]);
    await line.say(line.down('dn/twin'), await world.cloud.twin(), true);
    await world.reach(() => line.of('up/cfg').length === 2, 'reports');
    const reports = line.of('up/cfg').map((payload) => configReportSchema.parse(payload));
    expect(reports.map(({ scope, rev, res, applied }) => [scope, rev, res, applied])).toEqual([
      ['tenant', 1, 'applied', 1],
      ['tenant', 1, 'ack', 1],
    ]);
    await agent.whenConfigured();
    expect(agent.tenant.byId('d1')).toBeDefined();
  });

  it('is fetched soon after the connection is back, whatever pause the fetches have come to', async () => {
    const ready = new Promise<{ conn: { destroy(): void } }>((resolve) => {
      line.aedes.once('clientReady', (client) => resolve(client as unknown as { conn: { destroy(): void } }));
    });
    world.cloud.down = true;
    const { store } = await line.online();
    world.cloud.change('tenant', [bridge('scaip'), device('d1')]);
    await line.say(line.down('dn/twin'), await world.cloud.twin(), true);
    await world.advance(300_000);
    (await ready).conn.destroy();
    await until(() => world.logged.some((entry) => entry.includes('uplink.disconnected')), 'loss');
    world.cloud.down = false;
    await world.reach(() => line.births().length === 2, 'second birth', 100);
    const sinceMs = world.nowMs;
    await world.reach(() => store.standings().tenant.rev === 1, 'revision 1', 10);
    expect(world.nowMs - sinceMs).toBeLessThan(5_000);
  });

  it('says a report again that was lost with its connection', async () => {
    world.cloud.down = true;
    await line.online();
    world.cloud.down = false;
    let lost = 0;
    line.aedes.authorizePublish = (client, packet, done) => {
      if (client === null || lost > 0 || !packet.topic.endsWith('/up/cfg')) return done(null);
      lost += 1;
      (client as unknown as { conn: { destroy(): void } }).conn.destroy();
    };
    world.cloud.change('tenant', [bridge('scaip'), device('d1')]);
    await line.say(line.down('dn/twin'), await world.cloud.twin(), true);
    const said = (what: string) => line.of('up/cfg').some(({ rev, res }) => rev === 1 && res === what);
    // A batch under way may have come through unseen: the host sends it again.
    await world.reach(() => said('applied') && said('ack'), 'both reports', 500);
    expect(lost).toBe(1);
    expect(line.births()).toHaveLength(2);
  });

  it('reports a NACK with its path', async () => {
    await line.online();
    world.cloud.change('tenant', [device('d1', { srtp: 'perhaps' })]);
    await line.say(line.down('dn/twin'), await world.cloud.twin());
    await world.reach(() => line.of('up/cfg').length === 1, 'report');
    const report = configReportSchema.parse(line.of('up/cfg')[0]);
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
    const { agent, store } = await line.online();
    await world.reach(() => agent.configured, 'configured');
    const kept = store.twin();
    await line.say(line.down('dn/twin'), await make());
    await until(() => world.logged.some((entry) => entry.includes(code)), code);
    expect(store.twin()).toBe(kept);
  });

  it('refuses an older one also after a restart', async () => {
    const old = await world.cloud.twin();
    world.cloud.change('tenant', [bridge('scaip')]);
    const { agent } = await line.online();
    await world.reach(() => agent.configured, 'configured');
    await world.stop();
    world.cloud.down = true;
    line.received.length = 0;
    world.logged.length = 0;
    await line.online();
    await line.say(line.down('dn/twin'), old);
    await until(() => world.logged.some((entry) => entry.includes('olderTwin')), 'refusal');
  });

  it('does not hear what is not for it', async () => {
    const { store } = await line.online();
    const [client] = line.clients;
    const topic = 'carillon/1/00/other/site/x/dn/twin';
    const kept = store.twin();
    await new Promise<void>((resolve) =>
      client?.publish({ cmd: 'publish', topic, payload: 'x', qos: 0, retain: false, dup: false }, resolve),
    );
    await until(() => world.logged.some((entry) => entry.includes('uplink.message_ignored')), 'ignored');
    expect(store.twin()).toBe(kept);
  });

  it('is pulled over HTTPS every five minutes while the broker is away, and not while it is there', async () => {
    const { agent } = await line.online();
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
    expect(agent.connected).toBe(true);
    line.aedes.preConnect = (_client, _packet, done) => done(new Error('away'), false);
    line.closeAll();
    await until(() => !agent.connected, 'loss');
    await world.reach(() => pulls === 2, 'pulls', 10_000);
  });
});
it('a host that has its twin from the broker asks for none while its rows cannot be fetched', async () => {
  world.cloud.change('tenant', [bridge('scaip')]);
  let pulls = 0;
  const { twin } = world.cloud.feed;
  Object.assign(world.cloud.feed, {
    twin: () => {
      pulls += 1;
      return twin();
    },
    manifest: async () => fail('unreachable', 'busy'),
  });
  const { agent } = await line.online();
  await line.say(line.down('dn/twin'), await world.cloud.twin(), true);
  await world.advance(1_000);
  const before = pulls;
  await world.advance(120_000);
  expect([agent.connected, agent.configured, pulls]).toEqual([true, false, before]);
});

describe('the owner of the shard', () => {
  it.each([
    ['announces its stop: the whole jitter', true, 600_000],
    ['is lost: at most 15 s', false, 15_000],
  ])('%s is the spread of the first try', async (_what, announced, spreadMs) => {
    world.cloud.jitterS = 600;
    // Draws the longest wait every time.
    const { agent } = await line.online({ random: (length) => Buffer.alloc(length, 0xff) });
    await world.advance(61_000);
    if (announced) {
      const sid = '01jc7z5t3k9q8w6m4n2p0r1s51';
      await line.say(cpStateTopic(world.identity.shard), { v: 1, st: 'off', why: 'shutdown', sid }, true);
      await line.say(line.down('dn/req'), line.request('ping'));
      await until(() => line.of('up/res').length === 1, 'what was said before has been heard');
    }
    line.closeAll();
    await until(() => !agent.connected, 'loss');
    await world.advance(spreadMs - 1_000);
    expect(line.births()).toHaveLength(1);
    await world.advance(2_000);
    await until(() => line.births().length === 2, 'birth');
  });
});
