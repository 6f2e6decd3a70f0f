import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shownHost } from '#cloud/site/status/overview.ts';
import { readHost, readHostStatus, siteEvents, updateHost } from '#cloud/store/index.ts';
import type { EventItem } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { eventOf, heartbeatOf, type MonitoringStage, openMonitoringStage, type Puppet } from './stage.ts';

const HOUR_S = 3_600;

let stage: MonitoringStage;
beforeEach(async () => {
  stage = await openMonitoringStage();
});
afterEach(() => stage.close());

const batch = ({ sid }: Puppet, ...items: object[]) => ({ v: 1, sid, items });
const alarm = (status: string, changes: object = {}): Partial<EventItem> => ({
  type: 'monitoringAlarm',
  data: {
    error: 'serviceFailure',
    errorDetails: { status, service: 'media', severity: 'major', message: 'media ended' },
    ...changes,
  },
});
const newId = () => ulid(1_770_000_000_000, randomBytes(10));

describe('a host that is put back into service', () => {
  it('is called online only when its heartbeat says that it follows the order', async () => {
    const host = await stage.addHost();
    const { uid } = host.place;
    const status = async (): Promise<string | undefined> => {
      const [row, received] = [await readHost(stage.store, uid), await readHostStatus(stage.store, uid)];
      return row && received && shownHost({ host: row, status: received }, 0).status;
    };
    await stage.birth(host, { life: 'drained' });
    expect(await status()).toBe('commissioning');
    await stage.say(host, 'up/hb', heartbeatOf(host, { life: 'drained', twinRev: 2 }));
    expect(await status()).toBe('commissioning');
    await stage.say(host, 'up/hb', heartbeatOf(host, { life: 'active', twinRev: 3 }));
    expect(await status()).toBe('online');
    await stage.say(host, 'up/hb', heartbeatOf(host, { life: 'drained', twinRev: 4 }));
    expect(await status()).toBe('commissioning');
  });
});

describe('alarms of a host', () => {
  const say = (host: Puppet, ...items: object[]) => stage.say(host, 'up/ev/alarm', batch(host, ...items));

  it('pass on with the id of the event as key, so that the site and the cloud report the same one', async () => {
    const host = await stage.addHost();
    const [raised, cleared] = [eventOf(1, 0, alarm('raised')), eventOf(2, 1, alarm('cleared'))];
    await say(host, raised);
    await say(host, raised, cleared);
    expect(
      stage.reported.map((reported) => [reported.type, 'errorDetails' in reported && reported.errorDetails]),
    ).toMatchObject([
      ['monitoringAlarm', { status: 'raised', service: 'media', hostId: host.place.uid.slice(-8) }],
      ['monitoringAlarm', { status: 'cleared', service: 'media' }],
    ]);
    expect(stage.keys).toEqual([raised.id, cleared.id]);
  });
  it('are one per host, error and service, however often they come', async () => {
    const host = await stage.addHost();
    await say(
      host,
      eventOf(1, 0, alarm('raised')),
      eventOf(2, 1, alarm('raised')),
      eventOf(3, 2, alarm('raised')),
    );
    expect(stage.reported).toHaveLength(1);
    expect(await stage.alarms()).toHaveLength(1);
  });
  it('that the site has sent itself are only kept, and repeated by the cloud after 6 h while they stand', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    await say(host, eventOf(1, 0, alarm('raised', { told: true })));
    expect(stage.reported).toEqual([]);
    await stage.beating([host], 6 * HOUR_S + 120);
    expect(stage.reported).toMatchObject([{ error: 'serviceFailure', errorDetails: { status: 'raised' } }]);
    await say(host, eventOf(2, 1, alarm('cleared', { told: true })));
    await stage.beating([host], 6 * HOUR_S + 120);
    expect(stage.reported).toHaveLength(1);
  }, 60_000);
  it.each([
    ['diskPressure', { freeBytes: 5 }],
    ['clockUnsynchronised', {}],
  ])('stand and are cleared with type %s as well', async (type, facts) => {
    const host = await stage.addHost();
    const data = (status: string) => ({ ...facts, errorDetails: { status, message: 'm' } });
    await say(host, eventOf(1, 0, { type, data: data('raised') }));
    await say(host, eventOf(2, 1, { type, data: data('cleared') }));
    expect(stage.reported).toMatchObject([
      { type, ...facts, errorDetails: { status: 'raised' } },
      { type, ...facts, errorDetails: { status: 'cleared' } },
    ]);
  });
  it.each([
    { type: 'monitoringAlarm', data: { error: 'noHeartbeatReply' } },
    { type: 'monitoringAlarm', data: { errorDetails: { status: 'maybe' } } },
    { type: 'duplicateIdentity', data: {} },
  ])('no host may say %j', async (changes) => {
    const host = await stage.addHost();
    await say(host, eventOf(1, 0, changes));
    expect(stage.reported).toEqual([]);
    // It is kept nevertheless: an acknowledged event is in the database.
    expect(await siteEvents(stage.store, host.place.uid, 'alarm', 0, 10)).toHaveLength(1);
  });
});

describe('a host being set up whose report was lost', () => {
  const cfg = (site: number) => {
    const at = (rev: number) => ({ rev, h: 'sha256:0' });
    return { tenant: at(3), site: at(site), host: at(1), platform: at(1) };
  };
  const lifecycle = async ({ place }: Puppet) => (await readHost(stage.store, place.uid))?.lifecycle;
  const commissioned = async (site: number) => {
    const host = await stage.addHost({ life: 'commissioning' });
    const { uid } = host.place;
    await stage.store.withTx((tx) => updateHost(tx, uid, { twinRev: 1, twinBody: { cfg: cfg(site) } }));
    return host;
  };

  it.each(['birth', 'heartbeat'])('comes into service by its %s', async (by) => {
    const host = await commissioned(2);
    await stage.say(host, 'up/hb', heartbeatOf(host, { lkg: 0 }));
    expect(await lifecycle(host)).toBe('commissioning');
    if (by === 'heartbeat') await stage.say(host, 'up/hb', heartbeatOf(host, { lkg: 1 }));
    else await stage.birth(host, { cfg: { tenant: 3, site: 2, host: 1, platform: 1, lkg: true } });
    expect(await lifecycle(host)).toBe('active');
  });
  it('waits while it works with something older than its twin names', async () => {
    const host = await commissioned(4);
    await stage.say(host, 'up/hb', heartbeatOf(host, { lkg: 1 }));
    expect(await lifecycle(host)).toBe('commissioning');
  });
});

describe('a refused configuration', () => {
  const report = (host: Puppet, rev: number, res: string, err: object[] = []) =>
    stage.say(host, 'up/cfg', {
      v: 1,
      sid: host.sid,
      scope: 'tenant',
      rev,
      nonce: 'n',
      res,
      applied: rev - 1,
      err,
    });

  it('is shown with its place, reported once, and over when a later one is taken', async () => {
    const host = await stage.addHost();
    const err = [{ code: 'regexUnsupported', path: '/alarmbridge/x/destinationMatch', msg: 'lookahead' }];
    await report(host, 7, 'nack', err);
    await report(host, 7, 'nack', err);
    await report(host, 8, 'nack', err);
    expect((await readHostStatus(stage.store, host.place.uid))?.refusals).toMatchObject({
      tenant: { rev: 8, errors: err },
    });
    expect(stage.reported).toMatchObject([{ type: 'configRejected', revision: 7, errors: err }]);
    await report(host, 9, 'applied');
    expect(stage.reported).toMatchObject([
      {},
      { type: 'configRejected', errorDetails: { status: 'cleared' } },
    ]);
    expect((await readHostStatus(stage.store, host.place.uid))?.refusals).toEqual({});
  });
});

describe('two machines with one identity', () => {
  const [a, b] = [newId(), newId()];
  const born = async (host: Puppet, inst: string) => {
    host.sid = newId();
    await stage.birth(host, { inst });
    await stage.pass(5);
  };
  const errors = () => stage.reported.map((reported) => reported.type);

  it('are noticed by the third take-over', async () => {
    const host = await stage.addHost();
    for (const inst of [a, b, a]) await born(host, inst);
    expect(errors()).toEqual([]);
    await born(host, b);
    await born(host, a);
    expect(errors()).toEqual(['duplicateIdentity']);
  });
  it('are no machine that starts again and again, nor one with a bad line', async () => {
    const host = await stage.addHost();
    for (let n = 0; n < 8; n++) await born(host, newId());
    for (let n = 0; n < 8; n++) await born(host, a);
    expect(errors()).toEqual([]);
  });
  it('are over half an hour after the last take-over', async () => {
    const host = await stage.addHost();
    for (const inst of [a, b, a, b]) await born(host, inst);
    await stage.beating([host], 1_900);
    expect(stage.reported).toMatchObject([
      { type: 'duplicateIdentity', errorDetails: { status: 'raised' } },
      { type: 'duplicateIdentity', errorDetails: { status: 'cleared' } },
    ]);
  });
});

describe('a disk of the control plane that is full', () => {
  it('acknowledges nothing that it does not keep, and takes it when it is sent again', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    const acks = () => stage.sent.filter(({ leaf }) => leaf === 'dn/ack').map(({ body }) => body.ack);
    const before = acks().length;
    const pages = (most: number) =>
      stage.store.withTx(async (tx) => void (await tx.db.run(sql.raw(`PRAGMA max_page_count = ${most}`))));
    // SQLite itself says that there is no room: no file of this database grows any more.
    await pages(1);
    stage.mayFail = true;
    const text = 'x'.repeat(20_000);
    const [first, second] = [eventOf(1, 0, { data: { text } }), eventOf(2, 1, { data: { text } })];
    await stage.say(host, 'up/ev/alarm', batch(host, first, second));
    expect(acks()).toHaveLength(before);
    expect(await siteEvents(stage.store, host.place.uid, 'alarm', 0, 10)).toEqual([]);
    expect(stage.logged.join()).toMatch(/disk is full/);
    await pages(1_000_000);
    stage.mayFail = false;
    await stage.say(host, 'up/ev/alarm', batch(host, first, second));
    expect(acks().at(-1)).toEqual({ alarm: 2 });
    expect((await siteEvents(stage.store, host.place.uid, 'alarm', 0, 10)).map(({ id }) => id)).toEqual([
      first.id,
      second.id,
    ]);
  });
});

describe('forged, foreign and old messages', () => {
  it('from a place that is not that of the host change nothing', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    const elsewhere = { ...host, place: { ...host.place, siteId: 'south' } };
    const drained = { type: 'drainProgress', data: { op: null, step: 'done' } };
    await stage.say(elsewhere, 'up/ev/svc', batch(elsewhere, eventOf(1, 0, drained)));
    expect(await siteEvents(stage.store, host.place.uid, 'svc', 0, 10)).toEqual([]);
    const stranger = { ...host, place: { ...host.place, uid: newId() } };
    await stage.say(stranger, 'up/hb', heartbeatOf(stranger));
    expect(stage.sent.filter(({ uid }) => uid === stranger.place.uid)).toEqual([]);
  });
  it('a report of an operation that is none moves no host', async () => {
    for (const life of ['active', 'draining', 'drained', 'decommissioning'] as const) {
      const host = await stage.addHost({ life });
      for (const op of [null, newId()])
        await stage.say(
          host,
          'up/ev/svc',
          batch(host, eventOf(1, 0, { type: 'drainProgress', data: { op, step: 'done' } })),
        );
      expect((await readHost(stage.store, host.place.uid))?.lifecycle).toBe(life);
    }
  });
  it('an event about a dead peer says nothing of its sender', async () => {
    const host = await stage.addHost({ life: 'commissioning' });
    await stage.store.withTx((tx) =>
      updateHost(tx, host.place.uid, {
        course: {
          checks: 'waiting',
          acknowledged: true,
          overdue: false,
          drain: null,
          leaving: false,
          blocked: null,
        },
      }),
    );
    const checks = { type: 'commissionChecks', data: { op: null, checks: [{ name: 'clock', ok: true }] } };
    const origin = { uid: newId(), boot: 1, seq: 1 };
    await stage.say(host, 'up/ev/svc', batch(host, eventOf(1, 0, { ...checks, origin })));
    expect((await readHost(stage.store, host.place.uid))?.lifecycle).toBe('commissioning');
    await stage.say(host, 'up/ev/svc', batch(host, eventOf(2, 1, checks)));
    expect((await readHost(stage.store, host.place.uid))?.lifecycle).toBe('active');
    expect(stage.changed).toContain(host.place.uid);
  });
  it('from a host that leaves are dropped, but for states and events', async () => {
    const host = await stage.addHost({ life: 'decommissioning' });
    await stage.say(host, 'up/hb', heartbeatOf(host, { svc: { sip: 'down' } }));
    await stage.say(host, 'up/ev/alarm', batch(host, eventOf(1, 0)));
    expect((await readHostStatus(stage.store, host.place.uid))?.facts).toEqual({});
    expect(await siteEvents(stage.store, host.place.uid, 'alarm', 0, 10)).toHaveLength(1);
    expect(stage.sent.at(-1)).toMatchObject({ leaf: 'dn/ack', body: { ack: { alarm: 1 } } });
  });
  it('a host back from an old backup counts from an old number: nothing of it is lost, nothing twice', async () => {
    const host = await stage.addHost();
    const first = [eventOf(1, 0), eventOf(2, 1), eventOf(3, 2)];
    await stage.say(host, 'up/ev/svc', batch(host, ...first));
    const [kept = eventOf(1, 0), ...later] = first;
    await stage.say(host, 'up/ev/svc', batch(host, kept, eventOf(2, 1), eventOf(3, 2)));
    expect(await siteEvents(stage.store, host.place.uid, 'svc', 0, 10)).toHaveLength(3 + later.length);
  });
  it('get the time that passed, and are marked, when the clock of their host stood in 1970', async () => {
    const host = await stage.addHost();
    const clk = { boot: 1, mono: 3_600_000, from: 10_000, sync: false, pairs: [] };
    const said = eventOf(1, 0, { ts: 40_000, mono: 3_540_000, boot: 1 });
    await stage.say(host, 'up/ev/svc', { ...batch(host, said), clk });
    const [kept] = await siteEvents(stage.store, host.place.uid, 'svc', 0, 10);
    expect(kept?.at).toBe((kept?.receivedAt ?? 0) - 60_000);
    expect(kept?.body).toMatchObject({ estimated: true, ts: 40_000 });
  });
  it('change nothing when they repeat an earlier connection', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    const old = { ...host };
    const raised = eventOf(1, 0, alarm('raised'));
    const cleared = eventOf(2, 1, alarm('cleared'));
    const said = [
      ['up/ev/alarm', batch(old, raised, cleared)],
      ['up/ev/svc', batch(old, eventOf(3, 0))],
      ['up/hb', heartbeatOf(old, { cfg: [1, 1, 1, 1], svc: { sip: 'down' } })],
      ['up/cfg', { v: 1, sid: old.sid, scope: 'tenant', rev: 9, nonce: 'n', applied: 3, res: 'applied' }],
      ['up/state', { v: 1, st: 'off', sid: old.sid, why: 'poweroff' }],
    ] as const;
    for (const [leaf, body] of said.slice(0, 2)) await stage.say(host, leaf, body);
    host.sid = newId();
    await stage.birth(host);
    await stage.say(host, 'up/hb', heartbeatOf(host));
    const events = async () => [
      ...(await siteEvents(stage.store, host.place.uid, 'alarm', 0, 10)),
      ...(await siteEvents(stage.store, host.place.uid, 'svc', 0, 10)),
    ];
    const before = { told: [...stage.reported], events: await events(), alarms: await stage.alarms() };
    for (const [leaf, body] of [...said, ...said.toReversed()]) await stage.say(host, leaf, body);
    // It is asked who it is, and then is what it says itself.
    expect(stage.sent.some(({ body }) => body.op === 'rebirth')).toBe(true);
    await stage.birth(host);
    await stage.beating([host], 300);
    expect({ told: stage.reported, events: await events(), alarms: await stage.alarms() }).toEqual(before);
    expect(stage.monitoring.connectivity(host.place.uid)).toBe('online');
    expect(await readHostStatus(stage.store, host.place.uid)).toMatchObject({ revTenant: 3, revSite: 2 });
  });
  it('a late will of a connection that was replaced raises nothing', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    const old = host.sid;
    host.sid = newId();
    await stage.birth(host);
    const said = stage.sent.length;
    await stage.say(host, 'up/state', { v: 1, st: 'off', sid: old });
    // No watch doubts it, and no ping asks for it.
    expect(stage.monitoring.connectivity(host.place.uid)).toBe('online');
    expect(stage.sent).toHaveLength(said);
    await stage.beating([host], 300);
    expect(stage.reported).toEqual([]);
  });
});

describe('an answer in parts', () => {
  it('is one answer, in whatever order its parts come', async () => {
    const host = await stage.addHost();
    await stage.birth(host);
    const asked = stage.monitoring.ask(host.place.uid, {
      op: 'logs.tail',
      args: {},
      forMs: 5_000,
      by: 'user:x',
    });
    await stage.monitoring.idle();
    const { id } = stage.sent.at(-1)?.body ?? {};
    const part = (number: number, last: boolean) => ({
      v: 1,
      id,
      ok: true,
      data: { lines: [`line ${number}`] },
      part: number,
      last,
    });
    for (const each of [part(3, true), part(1, false), part(1, false), part(2, false)])
      await stage.say(host, 'up/res', each);
    expect(await asked).toMatchObject({
      ok: true,
      value: { data: { lines: ['line 1', 'line 2', 'line 3'] } },
    });
  });
});
