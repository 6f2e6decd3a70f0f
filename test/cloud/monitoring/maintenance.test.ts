import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  auditAfter,
  closeMaintenance,
  insertMaintenance,
  listMaintenance,
  type MaintenanceRow,
} from '#cloud/store/index.ts';
import { eventOf, type MonitoringStage, openMonitoringStage, type Puppet, TENANT } from './stage.ts';

let stage: MonitoringStage;
beforeEach(async () => {
  stage = await openMonitoringStage();
});
afterEach(() => stage.close());

const WALL = 1_770_000_000_000;
const nowMs = () => WALL + stage.nowS() * 1_000;
const nameOf = ({ place }: Puppet) => place.uid.slice(-8);

let made = 0;
async function windowOf(
  hostId: string,
  seconds: number,
  changes: Partial<MaintenanceRow> = {},
): Promise<string> {
  made += 1;
  const id = `01jwindow00000000000000${String(made).padStart(3, '0')}`;
  const row: MaintenanceRow = {
    id,
    tenant: TENANT,
    siteId: 'north',
    hostId,
    startsAt: nowMs(),
    endsAt: nowMs() + seconds * 1_000,
    reason: 'new memory',
    madeBy: 'person:p',
    madeAt: nowMs(),
    closedAt: null,
    closedBy: null,
    ...changes,
  };
  await stage.store.withTx((tx) => insertMaintenance(tx, row));
  return id;
}

const reported = () =>
  stage.reported.map((alarm) => {
    const { status, hostId, service } = ('errorDetails' in alarm ? alarm.errorDetails : {}) as Record<
      string,
      string
    >;
    return `${status} ${service ?? hostId}`;
  });
const table = async () =>
  (await stage.alarms()).map(({ error, status, toldAt: reportedAt }) => [error, status, reportedAt > 0]);

async function serving(): Promise<Puppet> {
  const host = await stage.addHost();
  await stage.birth(host);
  await stage.beating([host], 300);
  return host;
}

describe('a maintenance window', () => {
  it('for a host: its silence is noted, and no one is notified, neither of the begin nor of the end', async () => {
    const host = await serving();
    await windowOf(nameOf(host), 3_600);
    await stage.pass(200);
    expect(await table()).toEqual([['noHeartbeatReply', 'active', false]]);
    await stage.beating([host], 150);
    expect(await table()).toEqual([['noHeartbeatReply', 'cleared', false]]);
    expect(reported()).toEqual([]);
  });

  it('that ends by itself is in the audit log, and what still stands is reported', async () => {
    const host = await serving();
    const id = await windowOf(nameOf(host), 600);
    await stage.pass(590);
    expect(reported()).toEqual([]);
    await stage.pass(130);
    expect(reported()).toEqual([`raised ${nameOf(host)}`]);
    expect(await table()).toEqual([['noHeartbeatReply', 'active', true]]);
    const [window] = await listMaintenance(stage.store, TENANT, undefined, '', 10);
    expect(window).toMatchObject({ id, closedBy: 'system', closedAt: window?.endsAt });
    expect((await auditAfter(stage.store, TENANT, 0, 10)).at(-1)).toMatchObject({
      actor: 'system',
      action: 'end',
      entity: 'maintenance',
      entityId: id,
    });
    // Once notified it is an alarm like any other: its end is notified as well.
    await stage.beating([host], 150);
    expect(reported().at(-1)).toBe(`cleared ${nameOf(host)}`);
  });

  it('that a person ends: what stands is reported within the minute', async () => {
    const host = await serving();
    const id = await windowOf(nameOf(host), 36_000);
    await stage.pass(200);
    await stage.store.withTx((tx) => closeMaintenance(tx, id, nowMs(), 'person:p'));
    await stage.pass(61);
    expect(reported()).toEqual([`raised ${nameOf(host)}`]);
  });

  it('does not hide the end of a reported alarm', async () => {
    const host = await serving();
    await stage.pass(200);
    await windowOf(nameOf(host), 3_600);
    await stage.beating([host], 150);
    expect(reported()).toEqual([`raised ${nameOf(host)}`, `cleared ${nameOf(host)}`]);
  });

  it.each([
    ['of another host', 'other', {}],
    ['of another site', '', { siteId: 'south' }],
    ['of another tenant', '', { tenant: '01jother00000000000000000t' }],
    ['that is planned', '', { startsAt: WALL + 9e9, endsAt: WALL + 10e9 }],
    ['that is over', '', { startsAt: 1, endsAt: 2 }],
    ['that was ended', '', { closedAt: 1, closedBy: 'person:p' }],
  ])('%s changes nothing', async (_, hostId, changes) => {
    const host = await serving();
    await windowOf(hostId, 3_600, changes);
    await stage.pass(200);
    expect(reported()).toEqual([`raised ${nameOf(host)}`]);
  });

  it('for one host does not hide that the whole site is lost; windows of all its hosts do', async () => {
    const pair = [await stage.addHost(), await stage.addHost()];
    for (const host of pair) await stage.birth(host);
    await stage.beating(pair, 300);
    const [one, two] = pair as [Puppet, Puppet];
    await windowOf(nameOf(one), 36_000);
    const cut = async () => {
      for (const host of pair) await stage.say(host, 'up/state', { v: 1, st: 'off', sid: host.sid });
      await stage.pass(120);
    };
    await cut();
    expect(reported()).toEqual(['raised site']);
    await stage.beating(pair, 1_200);
    expect(reported()).toEqual(['raised site', 'cleared site']);
    await windowOf(nameOf(two), 36_000);
    await cut();
    expect(reported()).toHaveLength(2);
    expect((await table()).at(-1)).toEqual(['noHeartbeatReply', 'active', false]);
  });

  it('hides nothing that has another cause than the work', async () => {
    const host = await serving();
    await windowOf('', 3_600);
    const rejected = { v: 1, sid: host.sid, scope: 'tenant', rev: 9, nonce: 'n', res: 'nack', applied: 3 };
    await stage.say(host, 'up/cfg', { ...rejected, err: [{ code: 'x', path: '/a', msg: 'no' }] });
    expect(stage.reported).toMatchObject([{ type: 'configRejected' }]);
    const data = { error: 'lowMemory', errorDetails: { status: 'raised', message: 'little' } };
    await stage.say(host, 'up/ev/alarm', {
      v: 1,
      sid: host.sid,
      items: [eventOf(1, 0, { type: 'monitoringAlarm', data, late: true })],
    });
    expect(stage.reported).toHaveLength(1);
    const kept = (await stage.alarms()).find(({ error }) => error === 'lowMemory');
    expect(kept).toMatchObject({ toldAt: 0, late: true });
  });

  const failing = (n: number, prev: number, status: string, at: number, changes: object = {}) =>
    eventOf(n, prev, {
      type: 'monitoringAlarm',
      ts: at,
      late: true,
      data: { error: 'serviceFailure', errorDetails: { status, service: 'sip', message: 'no' }, ...changes },
    });
  const batch = (host: Puppet, ...items: object[]) =>
    stage.say(host, 'up/ev/alarm', { v: 1, sid: host.sid, items });

  it('that was over when the host came back covers what began in it and is over, too', async () => {
    const host = await serving();
    await windowOf('', 600);
    const [began, ended] = [nowMs() + 60_000, nowMs() + 300_000];
    await stage.beating([host], 900);
    await batch(host, failing(1, 0, 'raised', began), failing(2, 1, 'cleared', ended));
    expect((await table()).slice(-1)).toEqual([['serviceFailure', 'cleared', false]]);
    await stage.beating([host], 120);
    expect(reported()).toEqual([]);
  });

  it('that was over when the host came back: what began in it and stands still is reported within the minute', async () => {
    const host = await serving();
    await windowOf('', 600);
    const began = nowMs() + 60_000;
    await stage.beating([host], 900);
    await batch(host, failing(1, 0, 'raised', began));
    await stage.beating([host], 61);
    expect(reported()).toEqual(['raised sip']);
  });

  it('is no reason to report its end again when the site has done so, but the end of that is', async () => {
    const host = await serving();
    await windowOf('', 600);
    const began = nowMs() + 60_000;
    await stage.beating([host], 900);
    await batch(
      host,
      failing(1, 0, 'raised', began),
      failing(2, 1, 'raised', began + 600_000, { told: true }),
    );
    expect((await table()).slice(-1)).toEqual([['serviceFailure', 'active', true]]);
    await stage.beating([host], 120);
    expect(reported()).toEqual([]);
    await batch(host, failing(3, 2, 'cleared', nowMs()));
    expect(reported()).toEqual(['cleared sip']);
  });

  it('with more alarms than one look takes keeps none of the others from a repeat', async () => {
    const raise = (siteId: string, n: number) =>
      stage.store.withTx((tx) =>
        stage.monitoring.alarms.raise(
          tx,
          { tenant: TENANT, siteId, uid: `01juid000000000000000000${100 + n}`, hostId: `h${n}` },
          { error: 'noHeartbeatReply', service: '', severity: 'major', message: 'silent' },
        ),
      );
    await windowOf('', 72 * 3_600, { siteId: 'south' });
    for (let n = 0; n < 130; n++) await raise('south', n);
    await stage.pass(1);
    await raise('east', 200);
    expect(reported()).toEqual(['raised h200']);
    stage.stall(6 * 3_600);
    await stage.pass(61);
    expect(reported()).toEqual(['raised h200', 'raised h200']);
    stage.stall(72 * 3_600);
    await stage.pass(61);
    await stage.pass(61);
    expect(reported().filter((each) => each !== 'raised h200')).toHaveLength(130);
  });
});
