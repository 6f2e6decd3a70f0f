import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertOperation, readHost, readHostStatus, readOperation, updateHost } from '#cloud/store/index.ts';
import { type Leaf, topicOf } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { birthOf, heartbeatOf, type MonitoringStage, openMonitoringStage, type Puppet } from '../stage.ts';

let stage: MonitoringStage;
let host: Puppet;
let neighbour: Puppet;

beforeEach(async () => {
  stage = await openMonitoringStage();
  stage.mayFail = true;
  host = await stage.addHost();
  neighbour = await stage.addHost();
  for (const each of [host, neighbour]) await stage.birth(each);
  await stage.beating([host, neighbour], 240);
});
afterEach(() => stage.close());

const silent = async () =>
  (await stage.alarms())
    .filter(({ error }) => error === 'noHeartbeatReply')
    .map(({ uid, status }) => [uid, status]);
const failed = () =>
  stage.logged.filter((line) => line.includes('monitoring.step_failed') && line.includes(host.place.uid))
    .length;

/** Waits for no step: it may wait for the storage. */
const say = (leaf: Leaf, body: object, from = host): void =>
  stage.monitoring.message(topicOf(from.place, leaf), Buffer.from(JSON.stringify(body)));

describe('a database that is away', () => {
  it('delays the alarm of a host that falls silent meanwhile, and loses it not', async () => {
    neighbour.answers = true;
    stage.isStorageAway = true;
    await stage.passAway(300);
    expect(await silent()).toEqual([]);
    expect(failed()).toBe(1);
    stage.isStorageAway = false;
    await stage.passAway(17);
    await stage.monitoring.idle();
    expect(await silent()).toContainEqual([host.place.uid, 'active']);
    expect(stage.reported).toContainEqual(expect.objectContaining({ error: 'noHeartbeatReply' }));
  });

  it('delays the end of an alarm', async () => {
    neighbour.answers = true;
    await stage.beating([neighbour], 240);
    expect(await silent()).toEqual([[host.place.uid, 'active']]);
    stage.isStorageAway = true;
    for (let n = 0; n < 4; n++) {
      for (const each of [host, neighbour]) say('up/hb', heartbeatOf(each), each);
      await stage.passAway(30);
    }
    // Its messages wait for no step that does.
    expect(stage.monitoring.connectivity(host.place.uid)).toBe('online');
    expect(await silent()).toEqual([[host.place.uid, 'active']]);
    stage.isStorageAway = false;
    await stage.passAway(17);
    await stage.monitoring.idle();
    expect(await silent()).toEqual([[host.place.uid, 'cleared']]);
  });

  it('delays the alarm of a configuration that a host refuses, which it says once', async () => {
    stage.isStorageAway = true;
    say('up/cfg', {
      ...{ v: 1, sid: host.sid, scope: 'tenant', rev: 9, nonce: 'n', res: 'nack', applied: 3 },
      err: [{ code: 'x', path: '/a', msg: 'no' }],
    });
    await stage.passAway(5);
    expect(stage.reported).toEqual([]);
    stage.isStorageAway = false;
    await stage.passAway(17);
    await stage.monitoring.idle();
    expect(stage.reported).toMatchObject([{ type: 'configRejected' }]);
  });

  it('lets the next heartbeat ask for a birth that was not stored', async () => {
    const asked = () => stage.sent.filter(({ body }) => body.op === 'rebirth').length;
    stage.isStorageAway = true;
    host.sid = ulid(0, randomBytes(10));
    say('up/state', birthOf(host, { siteBaseUrl: 'https://gw.example:8443' }));
    await stage.passAway(10);
    stage.isStorageAway = false;
    expect(asked()).toBe(0);
    await stage.say(host, 'up/hb', heartbeatOf(host));
    expect(asked()).toBe(1);
    await stage.birth(host, { birthNo: 2, siteBaseUrl: 'https://gw.example:8443' });
    await stage.say(host, 'up/hb', heartbeatOf(host));
    expect(asked()).toBe(1);
    expect(await readHost(stage.store, host.place.uid)).toMatchObject({
      siteBaseUrl: 'https://gw.example:8443',
    });
  });

  it('delays what waits for a host that follows an order, which its first heartbeat says', async () => {
    const { uid, tenant, siteId } = host.place;
    const op = ulid(0, randomBytes(10));
    await stage.store.withTx(async (tx) => {
      await insertOperation(tx, {
        ...{
          id: op,
          tenant,
          siteId,
          hostId: uid.slice(-8),
          uid,
          type: 'undrain',
          state: 'pending',
          steps: [],
        },
        ...{ reason: null, deadline: null, createdAt: 0, updatedAt: 0, endedAt: null },
      });
      await updateHost(tx, uid, { operation: op, twinRev: 2, twinBody: { life: 'active', op } });
    });
    stage.monitoring.hostChanged(uid);
    await stage.monitoring.idle();
    const state = async () => (await readOperation(stage.store, tenant, op))?.state;
    stage.isStorageAway = true;
    say('up/hb', heartbeatOf(host, { twinRev: 2 }));
    await stage.passAway(5);
    stage.isStorageAway = false;
    expect(await state()).toBe('pending');
    await stage.say(host, 'up/hb', heartbeatOf(host, { twinRev: 2 }));
    expect(await state()).not.toBe('pending');
  });

  it('leaves the alarm of a host whose shard has another owner to that owner', async () => {
    stage.isStorageAway = true;
    await stage.passAway(300);
    await stage.monitoring.leave([host.place.sh, neighbour.place.sh], 'lost');
    stage.isStorageAway = false;
    await stage.passAway(17);
    await stage.monitoring.idle();
    expect(await silent()).toEqual([]);
  });

  it('takes reports of a host whose shard comes back, though one that waited was given up with it', async () => {
    const report = { v: 1, sid: host.sid, scope: 'tenant', nonce: 'n', err: [] };
    stage.isStorageAway = true;
    say('up/cfg', { ...report, rev: 9, res: 'nack', applied: 3 });
    await stage.passAway(2);
    say('up/cfg', { ...report, rev: 10, res: 'nack', applied: 3 });
    await stage.passAway(2);
    await stage.monitoring.leave([host.place.sh], 'lost');
    stage.isStorageAway = false;
    await stage.passAway(2);
    await stage.monitoring.adopt([host.place.sh], false);
    await stage.say(host, 'up/cfg', { ...report, rev: 11, res: 'applied', applied: 11 });
    expect(stage.reported).toEqual([]);
    expect(await readHostStatus(stage.store, host.place.uid)).toMatchObject({ revTenant: 11, nacked: {} });
  });

  it('holds up no end of the program', async () => {
    stage.isStorageAway = true;
    await stage.passAway(300);
    await stage.monitoring.stop();
  });
});
