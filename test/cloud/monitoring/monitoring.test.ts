import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAlarmQueries } from '#cloud/monitoring/index.ts';
import { changesOfConnectivity, readHost, readHostStatus, updateHost } from '#cloud/store/index.ts';
import { SHARDS, topicOf } from '#shared/contract/feed/index.ts';
import {
  heartbeatOf,
  type MonitoringStage,
  OTHER,
  openMonitoringStage,
  type Puppet,
  TENANT,
} from './stage.ts';

let stage: MonitoringStage;
beforeEach(async () => {
  stage = await openMonitoringStage();
});
afterEach(() => stage.close());

const statusOf = async ({ place }: Puppet) => await readHostStatus(stage.store, place.uid);

describe('supervision', () => {
  it('informs the tenant of a silent host within 115 s of its last heartbeat, and of its return', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.beating([host], 300);
    expect(stage.reported).toEqual([]);
    let raisedAfterS = 0;
    await stage.pass(200, async () => {
      if (stage.reported.length > 0 && raisedAfterS === 0) raisedAfterS = stage.nowS() - 300;
    });
    expect(raisedAfterS).toBeGreaterThanOrEqual(105);
    expect(raisedAfterS).toBeLessThanOrEqual(115);
    expect(stage.reported).toHaveLength(1);
    expect(stage.reported[0]).toMatchObject({
      type: 'monitoringAlarm',
      domain: 'care.example',
      siteId: 'north',
      error: 'noHeartbeatReply',
      errorDetails: {
        status: 'raised',
        severity: 'critical',
        hostId: host.place.uid.slice(-8),
        siteId: 'north',
      },
    });
    expect(await statusOf(host)).toMatchObject({ connectivity: 'offline' });
    await stage.birth(host);
    await stage.beating([host], 120);
    expect(stage.reported).toHaveLength(2);
    expect(stage.reported[1]).toMatchObject({
      error: 'noHeartbeatReply',
      errorDetails: { status: 'cleared' },
    });
    expect(await stage.alarms()).toMatchObject([{ status: 'cleared' }]);
    expect(await statusOf(host)).toMatchObject({ connectivity: 'online' });
  });

  it('keeps each change of the connectivity of a host', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.beating([host], 300);
    await stage.pass(200);
    const kept = await changesOfConnectivity(stage.store, host.place.uid, undefined, 10);
    expect(kept.map(({ before, after }) => `${before} ${after}`)).toEqual([
      'suspect offline',
      'online suspect',
      'never online',
    ]);
    expect(kept[0]?.at).toBe((await statusOf(host))?.since);
  });

  it('says nothing of a host that answers pings, of one that is set up, or of one that drains away', async () => {
    const [pinged, fresh, drained] = [
      await stage.addHost(),
      await stage.addHost({ life: 'commissioning' }),
      await stage.addHost(),
    ];
    pinged.answers = true;
    for (const host of [pinged, fresh, drained]) await stage.birth(host);
    await stage.say(drained, 'up/state', { v: 1, st: 'off', sid: drained.sid, why: 'drain' });
    await stage.pass(300);
    expect(stage.reported).toEqual([]);
    expect(stage.monitoring.connectivity(fresh.place.uid)).toBe('offline');
  });

  it('names a shutdown at once', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.say(host, 'up/state', { v: 1, st: 'off', sid: host.sid, why: 'poweroff' });
    expect(stage.reported).toMatchObject([{ errorDetails: { condition: 'poweroff' } }]);
  });

  it('asks a peer, and says what it sees', async () => {
    const [host, peer] = [await stage.addHost(), await stage.addHost()];
    await stage.birth(host);
    await stage.birth(peer);
    await stage.beating([host, peer], 150);
    await stage.say(host, 'up/state', { v: 1, st: 'off', sid: host.sid });
    const probe = stage.sent.findLast(({ body }) => body.op === 'probe');
    expect(probe).toMatchObject({ uid: peer.place.uid, body: { args: { uid: host.place.uid } } });
    await stage.say(peer, 'up/res', { v: 1, id: probe?.body.id, ok: true, data: { sees: false } });
    await stage.beating([peer], 60);
    expect(stage.reported).toMatchObject([{ errorDetails: { condition: 'hostDown', severity: 'major' } }]);
  });

  it('repeats an alarm every 6 h while it stands', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.pass(300);
    expect(stage.reported).toHaveLength(1);
    stage.stall(6 * 3600);
    await stage.pass(120);
    expect(stage.reported).toHaveLength(2);
    expect(stage.reported[1]).toMatchObject({ errorDetails: { status: 'raised' } });
  });
});

describe('people', () => {
  it('see alarms, acknowledge one, and hear no more of it until it is cleared', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.pass(300);
    const alarms = createAlarmQueries(stage.store);
    const actor = { name: 'person:p', address: '', requestId: '', at: 1 };
    const call = { tenant: TENANT, domain: 'care.example', actor };
    const { items } = await alarms.list(TENANT, { status: 'active' }, '', 10);
    expect(items).toMatchObject([{ status: 'active', error: 'noHeartbeatReply', siteId: 'north' }]);
    const alarmId = items[0]?.alarmId ?? '';
    expect(await alarms.acknowledge({ ...call, tenant: OTHER }, alarmId)).toMatchObject({
      error: { code: 'notFound' },
    });
    expect(await alarms.acknowledge(call, alarmId)).toEqual({ ok: true, value: null });
    stage.stall(7 * 3600);
    await stage.pass(120);
    expect(stage.reported).toHaveLength(1);
    await stage.birth(host);
    await stage.beating([host], 120);
    expect(stage.reported).toHaveLength(2);
    expect(await alarms.acknowledge(call, alarmId)).toMatchObject({ error: { code: 'conflict' } });
    expect((await alarms.list(TENANT, {}, alarmId, 10)).items).toEqual([]);
  });
});

describe('a slow judge does not condemn', () => {
  it('after a restart of its own: no alarm for hosts that come back in time', async () => {
    const hosts = [await stage.addHost(), await stage.addHost()];
    for (const host of hosts) await stage.birth(host);
    await stage.beating(hosts, 300);
    await stage.restart();
    await stage.pass(120);
    for (const host of hosts) await stage.birth(host);
    await stage.beating(hosts, 300);
    expect(stage.reported).toEqual([]);
    expect(stage.monitoring.counts()).toEqual(new Map([['online', 2]]));
  });

  it('and rows say of one that was suspect that it is back', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.say(host, 'up/state', { v: 1, st: 'off', sid: host.sid });
    const { uid } = host.place;
    const row = async () => (await readHostStatus(stage.store, uid))?.connectivity;
    expect(await row()).toBe('suspect');
    await stage.restart();
    expect(stage.monitoring.connectivity(uid)).toBe('suspect');
    await stage.birth(host);
    expect(await row()).toBe('online');
    await stage.pass(40);
    expect(stage.reported).toEqual([]);
  });

  it('but after its time of grace, of those that do not', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.beating([host], 300);
    await stage.restart();
    const startS = stage.nowS();
    let reportedS = 0;
    await stage.pass(300, async () => {
      if (reportedS === 0 && stage.reported.length > 0) reportedS = stage.nowS() - startS;
    });
    // 3 T + 60 s, then the pings.
    expect(reportedS).toBeGreaterThanOrEqual(150);
    expect(reportedS).toBeLessThanOrEqual(175);
  });

  it('nor of hosts that wait 300 s between two tries, since it was away so long', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.beating([host], 300);
    stage.stall(3_600);
    await stage.restart();
    await stage.pass(300);
    await stage.birth(host);
    await stage.beating([host], 300);
    expect(stage.reported).toEqual([]);
  });

  it('and an alarm that stands is cleared by the program that comes after', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.pass(300);
    await stage.restart();
    await stage.birth(host);
    await stage.beating([host], 120);
    expect(stage.reported.map((alarm) => 'errorDetails' in alarm && alarm.errorDetails)).toMatchObject([
      { status: 'raised' },
      { status: 'cleared' },
    ]);
  });

  it('and hosts that push each other off while they come back are not unstable by that', async () => {
    const host = await stage.addHost();
    const lose = async (times: number) => {
      for (let time = 0; time < times; time++) {
        await stage.birth(host);
        await stage.say(host, 'up/state', { v: 1, st: 'off', sid: host.sid });
        expect(stage.monitoring.connectivity(host.place.uid)).toMatch(/suspect|unstable/);
        await stage.pass(2);
      }
      await stage.birth(host);
    };
    const contact = () => stage.monitoring.observed(host.place.uid)?.contact;
    await lose(6);
    await stage.restart();
    await lose(6);
    expect(contact()).toEqual({ unstable: false, losses: 0, suppressed: 0 });
    await stage.beating([host], 151);
    await lose(6);
    expect(contact()).toMatchObject({ unstable: true, losses: 6 });
    expect((await stage.alarms()).map(({ service }) => service)).toEqual(['connection']);
  });

  it('and an unstable host is damped by the program that comes after, until it is calm', async () => {
    const host = await stage.addHost();
    host.answers = true;
    await stage.birth(host);
    const { uid } = host.place;
    // It says nothing by itself: each of its answers ends a loss.
    await stage.pass(700);
    const before = stage.monitoring.observed(uid)?.contact;
    expect(before).toMatchObject({ unstable: true });
    expect(before?.losses).toBeGreaterThan(4);
    expect(before?.suppressed).toBeGreaterThan(0);
    await stage.restart();
    expect(stage.monitoring.connectivity(uid)).toBe('unstable');
    const standing = async () => (await stage.alarms()).map(({ service, status }) => `${service} ${status}`);
    await stage.beating([host], 300);
    expect(stage.monitoring.observed(uid)?.contact).toEqual(before);
    expect(await standing()).toEqual(['connection active']);
    await stage.beating([host], 2_700);
    expect(stage.monitoring.connectivity(uid)).toBe('online');
    expect(await standing()).toEqual(['connection cleared']);
    expect((await readHostStatus(stage.store, uid))?.connectivity).toBe('online');
    expect((await readHostStatus(stage.store, uid))?.flap).toBeNull();
  });

  it('without its broker, or with a young one', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.beating([host], 300);
    for (const sh of SHARDS) stage.monitoring.shard(sh, false);
    await stage.pass(1_000);
    for (const sh of SHARDS) stage.monitoring.shard(sh, true);
    // After such a long time hosts try every 300 s only.
    await stage.pass(300);
    expect(stage.reported).toEqual([]);
    await stage.beating([host], 120);
    expect(stage.reported).toEqual([]);
    expect(stage.monitoring.connectivity(host.place.uid)).toBe('online');
  });

  it('after it was held up itself', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.beating([host], 300);
    stage.stall(400);
    await stage.pass(5);
    await stage.say(host, 'up/hb', heartbeatOf(host));
    await stage.beating([host], 300);
    expect(stage.reported).toEqual([]);
  });

  it('after it was held up for long, and shortly again', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.beating([host], 300);
    stage.stall(400);
    await stage.pass(1);
    stage.stall(3);
    await stage.pass(60);
    await stage.say(host, 'up/hb', heartbeatOf(host));
    await stage.beating([host], 300);
    expect(stage.reported).toEqual([]);
  });

  it('while what the host has said waits for the database, and judges when all of it is read', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.beating([host], 300);
    const gate = Promise.withResolvers<void>();
    const held = stage.store.withTx(() => gate.promise);
    for (let second = 0; second < 130; second++) {
      if (second % 30 === 0) {
        const moved = heartbeatOf(host, { cfg: [4, 2, 1, 1] });
        stage.monitoring.message(topicOf(host.place, 'up/hb'), Buffer.from(JSON.stringify(moved)));
      }
      stage.stall(1);
      stage.monitoring.tick();
      // Everything that need not wait for the database is done.
      await turn();
    }
    expect(stage.monitoring.connectivity(host.place.uid)).toBe('online');
    gate.resolve();
    await held;
    await stage.monitoring.idle();
    await stage.pass(90);
    expect(stage.reported).toEqual([]);
    await stage.pass(25);
    expect(stage.reported).toHaveLength(1);
  });

  it('for ever: a host of which nothing can be read for five minutes is silent', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.beating([host], 300);
    const gate = Promise.withResolvers<void>();
    const held = stage.store.withTx(() => gate.promise);
    const moved = heartbeatOf(host, { cfg: [4, 2, 1, 1] });
    stage.monitoring.message(topicOf(host.place, 'up/hb'), Buffer.from(JSON.stringify(moved)));
    const wait = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        stage.stall(1);
        stage.monitoring.tick();
        await turn();
      }
    };
    await wait(280);
    expect(stage.monitoring.connectivity(host.place.uid)).toBe('online');
    await wait(150);
    expect(stage.monitoring.connectivity(host.place.uid)).toBe('offline');
    gate.resolve();
    await held;
    await stage.monitoring.idle();
  });

  it('when very many fall silent at once: one summary for each tenant, and every host keeps its status', async () => {
    const hosts: Puppet[] = [];
    for (let i = 0; i < 24; i++)
      hosts.push(await stage.addHost({ siteId: `s${i % 6}`, tenant: i % 2 === 0 ? TENANT : OTHER }));
    for (const host of hosts) await stage.birth(host);
    await stage.beating(hosts, 300);
    await stage.pass(400);
    expect(stage.reported).toHaveLength(2);
    expect(stage.reported).toMatchObject([
      { error: 'noHeartbeatReply', errorDetails: { service: 'platform', status: 'raised' } },
      { error: 'noHeartbeatReply', errorDetails: { service: 'platform', status: 'raised' } },
    ]);
    expect(new Set(stage.reported.map(({ domain }) => domain))).toEqual(
      new Set(['care.example', 'other.example']),
    );
    expect(stage.monitoring.counts()).toEqual(new Map([['suspect', 24]]));
    expect(stage.platform.list()).toMatchObject([{ error: 'controlPlaneDegraded', status: 'active' }]);
    await stage.beating(hosts, 60);
    expect(stage.platform.list()).toMatchObject([{ error: 'controlPlaneDegraded', status: 'cleared' }]);
    expect(stage.reported.slice(2)).toMatchObject([
      { errorDetails: { service: 'platform', status: 'cleared' } },
      { errorDetails: { service: 'platform', status: 'cleared' } },
    ]);
    expect(stage.monitoring.counts()).toEqual(new Map([['online', 24]]));
  });
});

describe('the report of a host', () => {
  it('ends commissioning with the first ACK, and only once', async () => {
    const host = await stage.addHost({ life: 'commissioning' });
    await stage.birth(host);
    const report = { v: 1, sid: host.sid, scope: 'tenant', rev: 4, nonce: 'n', applied: 4 };
    await stage.say(host, 'up/cfg', { ...report, res: 'applied' });
    expect((await readHost(stage.store, host.place.uid))?.lifecycle).toBe('commissioning');
    await stage.say(host, 'up/cfg', { ...report, res: 'ack' });
    await stage.say(host, 'up/cfg', { ...report, res: 'ack' });
    expect((await readHost(stage.store, host.place.uid))?.lifecycle).toBe('active');
    expect(stage.changed).toEqual([host.place.uid]);
    expect(await statusOf(host)).toMatchObject({ revTenant: 4, revSite: 2 });
  });

  it('raises a refused revision once, and forgets it with the next good one', async () => {
    const host = await stage.addHost();
    const nack = {
      v: 1,
      sid: host.sid,
      scope: 'tenant',
      rev: 5,
      nonce: 'n',
      res: 'nack',
      applied: 4,
      err: [{ code: 'safetyLimit', path: '/device', msg: 'too many' }],
    };
    await stage.say(host, 'up/cfg', nack);
    await stage.say(host, 'up/cfg', nack);
    expect(stage.reported).toMatchObject([
      {
        type: 'configRejected',
        revision: 5,
        errors: [{ code: 'safetyLimit', path: '/device', msg: 'too many' }],
      },
    ]);
    expect((await statusOf(host))?.nacked).toEqual({ tenant: 5 });
    await stage.say(host, 'up/cfg', { ...nack, rev: 6, applied: 6, res: 'applied', err: [] });
    expect(await statusOf(host)).toMatchObject({ nacked: {}, revTenant: 6 });
  });

  it('is one transaction with those that come before its turn, in their order', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    let commits = 0;
    stage.store.onNotice(() => {
      commits++;
    });
    const report = { v: 1, sid: host.sid, nonce: 'n', err: [] };
    const err = [{ code: 'safetyLimit', path: '/device', msg: 'too many' }];
    for (const each of [
      { scope: 'tenant', rev: 5, res: 'nack', applied: 4, err },
      { scope: 'tenant', rev: 6, res: 'applied', applied: 6 },
      { scope: 'site', rev: 3, res: 'applied', applied: 3 },
      { scope: 'host', rev: 7, res: 'nack', applied: 1, err },
      { scope: 'tenant', rev: 6, res: 'ack', applied: 6 },
    ])
      stage.monitoring.message(
        topicOf(host.place, 'up/cfg'),
        Buffer.from(JSON.stringify({ ...report, ...each })),
      );
    await stage.monitoring.idle();
    expect(commits).toBe(1);
    expect(stage.reported).toMatchObject([
      { type: 'configRejected', revision: 5 },
      { type: 'configRejected', errorDetails: { status: 'cleared', service: 'tenant' } },
      { type: 'configRejected', revision: 7 },
    ]);
    expect(await statusOf(host)).toMatchObject({
      ...{ nacked: { host: 7 }, refusals: { host: { rev: 7, errors: err } } },
      ...{ revTenant: 6, revSite: 3, revHost: 1 },
    });
    await stage.say(host, 'up/cfg', { ...report, scope: 'host', rev: 8, res: 'applied', applied: 8 });
    expect(commits).toBe(2);
    expect(await statusOf(host)).toMatchObject({ nacked: {}, revHost: 8 });
  });

  it('under an unknown sid is answered by a request for a birth, at most every 5 s', async () => {
    const host = await stage.addHost();
    await stage.say(host, 'up/hb', heartbeatOf(host));
    await stage.say(host, 'up/hb', heartbeatOf(host));
    const rebirths = () => stage.sent.filter(({ body }) => body.op === 'rebirth');
    expect(rebirths()).toHaveLength(1);
    await stage.pass(6);
    await stage.say(host, 'up/hb', heartbeatOf(host));
    expect(rebirths()).toHaveLength(2);
    await stage.birth(host);
    await stage.pass(6);
    await stage.say(host, 'up/hb', heartbeatOf(host));
    expect(rebirths()).toHaveLength(2);
  });

  it('costs no row with each heartbeat, but is written within 5 min', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.pass(10);
    await stage.say(host, 'up/hb', heartbeatOf(host, { calls: 7 }));
    const written = await statusOf(host);
    expect(written?.facts.calls).toBeUndefined();
    // A person who looks still sees it.
    expect(stage.monitoring.observed(host.place.uid)).toMatchObject({ facts: { calls: 7 }, revTenant: 3 });
    await stage.beating([host], 300);
    await stage.say(host, 'up/hb', heartbeatOf(host, { svc: { sip: 'failed' } }));
    expect((await statusOf(host))?.facts.svc).toEqual({ sip: 'failed' });
    expect((await readHost(stage.store, host.place.uid))?.version).toBe('1.2.3');
  });

  it('is taken from the place that another replica has moved it to, before the announcement of that is here', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await stage.addHost({ siteId: 'south' });
    const moved = { ...host, place: { ...host.place, siteId: 'south' } };
    await stage.store.withTx((tx) => updateHost(tx, host.place.uid, { siteId: 'south' }));
    await stage.say(moved, 'up/hb', heartbeatOf(host, { calls: 7 }));
    expect(stage.monitoring.observed(host.place.uid)).toMatchObject({ facts: { calls: 7 } });
    expect(stage.logged.filter((line) => line.includes('host_message.dropped'))).toEqual([]);
  });

  it('is dropped when it comes from another place, is no JSON, or of another version', async () => {
    const host = await stage.addHost();
    await stage.say({ ...host, place: { ...host.place, siteId: 'south' } }, 'up/hb', heartbeatOf(host));
    await stage.say(host, 'up/hb', heartbeatOf(host, { v: 2 }));
    stage.monitoring.message(`carillon/1/00/x/y/${host.place.uid}/up/hb`, Buffer.from('{'));
    await stage.monitoring.idle();
    expect(stage.monitoring.connectivity(host.place.uid)).toBe('never');
    await stage.say(host, 'up/hb', heartbeatOf(host));
    expect(stage.monitoring.connectivity(host.place.uid)).toBe('online');
  });
});
