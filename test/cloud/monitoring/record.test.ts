import { expect, test } from 'vitest';
import { recordsOf } from '#cloud/store/index.ts';
import { topicOf } from '#shared/contract/feed/index.ts';
import { batchOf, callOf, recordIdOf } from '../record/stage.ts';
import { OTHER, openMonitoringStage, TENANT } from './stage.ts';

test('records are acknowledged beside the lanes, after their commit and at the next birth', async () => {
  const stage = await openMonitoringStage();
  const host = await stage.addHost();
  await stage.birth(host);
  expect(stage.sent.at(-1)).toMatchObject({ leaf: 'dn/ack', body: { ack: {}, rec: 0 } });
  await stage.say(host, 'up/rec', batchOf([1, callOf(1)], [2, callOf(2)]));
  expect(stage.sent.at(-1)).toEqual({ leaf: 'dn/ack', uid: host.place.uid, body: { v: 1, ack: {}, rec: 2 } });
  const ids = [recordIdOf(1), recordIdOf(2)];
  expect(await recordsOf(stage.store, TENANT, ids)).toHaveLength(2);
  await stage.birth(host);
  expect(stage.sent.at(-1)).toMatchObject({ body: { rec: 2 } });
  await stage.say(host, 'up/rec', { v: 1 });
  expect(stage.logged.at(-1)).toContain('up/rec');
  await stage.close();
});

test('a host that speaks in the branch of another tenant is dropped, as is one that is unknown', async () => {
  const stage = await openMonitoringStage();
  const host = await stage.addHost();
  await stage.birth(host);
  const before = stage.sent.length;
  for (const foreign of [
    { ...host.place, tenant: OTHER },
    { ...host.place, siteId: 'south' },
    { ...host.place, uid: recordIdOf(9) },
  ]) {
    const payload = Buffer.from(JSON.stringify(batchOf([1, callOf(1)])));
    stage.monitoring.message(topicOf(foreign, 'up/rec'), payload);
    await stage.monitoring.idle();
  }
  expect(stage.sent.length).toBe(before);
  for (const tenant of [TENANT, OTHER])
    expect(await recordsOf(stage.store, tenant, [recordIdOf(1)])).toEqual([]);
  await stage.close();
});
