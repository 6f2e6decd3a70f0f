import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditAfter, auditOfHost, siteEvents, verifyAudit } from '#cloud/store/index.ts';
import { eventOf, type MonitoringStage, openMonitoringStage, TENANT } from './stage.ts';

let stage: MonitoringStage;
beforeEach(async () => {
  stage = await openMonitoringStage();
});
afterEach(() => stage.close());

/** The reader of a recording, as the audit log of the tenant has it. */
const reads = async () =>
  (await auditAfter(stage.store, TENANT, 0, 100)).filter(({ entity }) => entity === 'recording');

it('playing a recording at a site stands in the audit log of the tenant, once', async () => {
  const host = await stage.addHost();
  await stage.birth(host);
  const read = eventOf(7, 0, {
    type: 'recordingRead',
    data: { actor: 'key:k1', fileName: 'audit-1.wav' },
  });
  const batch = { v: 1, sid: host.sid, items: [read] };
  await stage.say(host, 'up/ev/audit', batch);
  await stage.say(host, 'up/ev/audit', batch);
  expect(await reads()).toMatchObject([
    {
      actor: `host:${host.place.uid}`,
      action: 'read',
      entityId: 'audit-1.wav',
      detail: { actor: 'key:k1', siteId: 'north', seq: 7 },
    },
  ]);
});

it('an act of a host by itself stands in its audit, once, with the host as actor', async () => {
  const host = await stage.addHost();
  await stage.birth(host);
  const { uid } = host.place;
  const detail = { key: 'logLevel', value: '"debug"', reason: 'a lost call', pinned: false };
  const items = [
    eventOf(3, 0, { type: 'hostAct', data: { action: 'override', by: 'kim', detail } }),
    eventOf(5, 3, { type: 'hostAct', data: { action: 'lastKnownGood', detail: { scope: 'tenant' } } }),
    eventOf(6, 5, { type: 'hostAct', data: { action: 'drop table', detail: {} } }),
  ];
  for (let n = 0; n < 2; n++) await stage.say(host, 'up/ev/audit', { v: 1, sid: host.sid, items });
  const rows = await auditOfHost(stage.store, TENANT, uid, undefined, 10);
  expect(rows).toMatchObject([
    {
      actor: `host:${uid}`,
      action: 'host.lastKnownGood',
      entityId: uid,
      detail: { scope: 'tenant', seq: 5 },
    },
    {
      ...{ actor: `host:${uid}`, action: 'host.override', entityId: uid },
      detail: { ...detail, actor: 'kim', siteId: 'north', seq: 3 },
    },
  ]);
  const chain = await auditAfter(stage.store, TENANT, 0, 100);
  expect(verifyAudit(chain, (text) => createHash('sha256').update(text).digest('hex'))).toBeNull();
});

it('an event of another form is kept and joins nothing', async () => {
  const host = await stage.addHost();
  await stage.birth(host);
  const odd = eventOf(1, 0, { type: 'recordingRead', data: { fileName: 9 } });
  await stage.say(host, 'up/ev/audit', { v: 1, sid: host.sid, items: [odd] });
  expect(await siteEvents(stage.store, host.place.uid, 'audit', 0, 10)).toHaveLength(1);
  expect(await reads()).toEqual([]);
});
