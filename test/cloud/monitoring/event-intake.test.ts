import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putDevice, readDevice, siteEvents } from '#cloud/store/index.ts';
import { eventOf, type MonitoringStage, openMonitoringStage, type Puppet, TENANT } from './stage.ts';

let stage: MonitoringStage;
beforeEach(async () => {
  stage = await openMonitoringStage();
});
afterEach(() => stage.close());

describe('events', () => {
  const acks = (host: Puppet) =>
    stage.sent
      .filter(({ leaf, uid }) => leaf === 'dn/ack' && uid === host.place.uid)
      .map(({ body }) => body.ack);
  const batch = (host: Puppet, items: object[]) => ({ v: 1, sid: host.sid, items });

  it('are committed once, however often they come, and acknowledged each time', async () => {
    const host = await stage.addHost();
    const items = [eventOf(5, 0), eventOf(8, 5)];
    for (let i = 0; i < 3; i++) await stage.say(host, 'up/ev/alarm', batch(host, items));
    expect(acks(host)).toEqual([{ alarm: 8 }, { alarm: 8 }, { alarm: 8 }]);
    const rows = await siteEvents(stage.store, host.place.uid, 'alarm', 0, 10);
    expect(rows.map(({ seq }) => seq)).toEqual([5, 8]);
  });

  it('after a gap wait, and the answer makes the host go back', async () => {
    const host = await stage.addHost();
    await stage.say(host, 'up/ev/svc', batch(host, [eventOf(5, 0)]));
    await stage.say(host, 'up/ev/svc', batch(host, [eventOf(9, 7), eventOf(10, 9)]));
    expect(acks(host)).toEqual([{ svc: 5 }, { svc: 5 }]);
    await stage.say(host, 'up/ev/svc', batch(host, [eventOf(7, 5), eventOf(9, 7), eventOf(10, 9)]));
    expect(acks(host).at(-1)).toEqual({ svc: 10 });
    await stage.say(host, 'up/ev/svc', batch(host, [eventOf(30, 25, { gap: true })]));
    expect(acks(host).at(-1)).toEqual({ svc: 30 });
  });

  it('are not taken for old ones when the journal started again', async () => {
    const host = await stage.addHost();
    await stage.say(host, 'up/ev/alarm', batch(host, [eventOf(900, 0)]));
    await stage.say(host, 'up/ev/alarm', batch(host, [eventOf(1, 0), eventOf(2, 1)]));
    expect(await siteEvents(stage.store, host.place.uid, 'alarm', 0, 10)).toHaveLength(3);
  });

  it('that a peer adopted are known by their id', async () => {
    const [dead, peer] = [await stage.addHost(), await stage.addHost()];
    const event = eventOf(4, 0);
    await stage.say(dead, 'up/ev/alarm', batch(dead, [event]));
    const origin = { uid: dead.place.uid, boot: 1, seq: 4 };
    await stage.say(peer, 'up/ev/alarm', batch(peer, [{ ...event, seq: 77, prev: 0, origin }]));
    expect(acks(peer)).toEqual([{ alarm: 77 }]);
    expect(await siteEvents(stage.store, peer.place.uid, 'alarm', 0, 10)).toEqual([]);
  });

  it('are acknowledged again with every birth', async () => {
    const host = await stage.addHost();
    await stage.say(host, 'up/ev/alarm', batch(host, [eventOf(3, 0)]));
    await stage.say(host, 'up/ev/usage', batch(host, [eventOf(2, 0)]));
    await stage.birth(host);
    expect(acks(host).at(-1)).toEqual({ alarm: 3, usage: 2 });
  });

  it('say until when devices are well, which no reported change is undone by', async () => {
    const host = await stage.addHost();
    const { store } = stage;
    const tenant = TENANT;
    await store.withTx(async (tx) => {
      for (const id of ['d1', 'd2', 'd3']) await putDevice(tx, { tenant, id, body: {}, updatedAt: 0 });
    });
    const at = 1_900_000_000_000;
    let seq = 0;
    const say = (lane: 'alarm' | 'usage', type: string, data: object) => {
      seq += 1;
      const event = eventOf(seq, 0, { type, data: data as Record<string, unknown>, gap: true });
      return stage.say(host, `up/ev/${lane}`, batch(host, [event]));
    };
    const seen = (...devices: [string, number][]) => say('usage', 'devicesSeen', { devices });
    const rows = async () =>
      Promise.all(['d1', 'd2', 'd3'].map(async (id) => (await readDevice(store, tenant, id))?.heartbeat));
    await seen(['d1', at], ['d2', at], ['stranger', at]);
    expect(await rows()).toEqual([
      { status: 'online', expiration: at },
      { status: 'online', expiration: at },
      null,
    ]);
    await say('alarm', 'deviceHeartbeat', { deviceId: 'd2', status: 'offline', expiration: at });
    await seen(['d1', at + 300_000], ['d2', at - 1]);
    // One that was resent late.
    await seen(['d1', at + 1]);
    expect(await rows()).toEqual([
      { status: 'online', expiration: at + 300_000 },
      { status: 'offline', expiration: at },
      null,
    ]);
    await say('alarm', 'deviceHeartbeat', { deviceId: 'd2', status: 'online', expiration: at + 7 });
    await seen(['d2', at + 9]);
    expect((await rows())[1]).toEqual({ status: 'online', expiration: at + 9 });
    const kept = await siteEvents(store, host.place.uid, 'usage', 0, 10);
    expect(kept).toHaveLength(4);
    // The erasure of a device must leave nothing here.
    expect(JSON.stringify(kept.map(({ body }) => body))).not.toMatch(/d1|stranger/);
    const { deviceHeartbeat } = store.tables;
    expect(await store.db.select().from(deviceHeartbeat)).toHaveLength(2);
  });

  it('say heartbeats of devices, and alarms of the host', async () => {
    const host = await stage.addHost();
    await stage.store.withTx((tx) => putDevice(tx, { tenant: TENANT, id: 'd1', body: {}, updatedAt: 0 }));
    const beat = { deviceId: 'd1', status: 'offline', expiration: 1_900_000_000_000 };
    const lowMemory = (status: string) => ({
      error: 'lowMemory',
      errorDetails: { status, severity: 'warning', message: 'Memory is low' },
    });
    await stage.say(host, 'up/ev/svc', batch(host, [eventOf(1, 0, { type: 'deviceHeartbeat', data: beat })]));
    const raised = eventOf(2, 0, { type: 'monitoringAlarm', data: lowMemory('raised') });
    await stage.say(host, 'up/ev/alarm', batch(host, [raised]));
    expect((await readDevice(stage.store, TENANT, 'd1'))?.heartbeat).toEqual({
      status: 'offline',
      expiration: 1_900_000_000_000,
    });
    expect(await stage.alarms()).toMatchObject([{ error: 'lowMemory', status: 'active' }]);
    const cleared = eventOf(3, 2, { type: 'monitoringAlarm', data: lowMemory('cleared') });
    await stage.say(host, 'up/ev/alarm', batch(host, [cleared]));
    expect(await stage.alarms()).toMatchObject([{ error: 'lowMemory', status: 'cleared' }]);
    expect(stage.reported).toMatchObject([
      {
        type: 'monitoringAlarm',
        error: 'lowMemory',
        errorDetails: { status: 'raised', hostId: host.place.uid.slice(-8) },
      },
      { type: 'monitoringAlarm', error: 'lowMemory', errorDetails: { status: 'cleared', durationS: 0 } },
    ]);
  });
});
