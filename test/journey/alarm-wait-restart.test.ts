import { afterEach, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';

/* The device got the command to call, and the appliance ends before it does. */

type Site = Awaited<ReturnType<typeof testAppliance>>;
const opened: Site[] = [];

async function appliance(folder?: string, records?: Site['records']) {
  const site = await testAppliance(folder === undefined || records === undefined ? {} : { folder, records });
  opened.push(site);
  site.bridge({ defaultEmergencyDestination: 'sip:arc@care.example' });
  site.notify('https://app.example/alarms');
  site.device({ deviceId: 'scaip-0001' });
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  return site;
}

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** After so long the program ends, and begins again with what is on the disk. */
async function restarted(before: Site, wallMs: number): Promise<Site> {
  opened.splice(opened.indexOf(before), 1);
  await before.close(true);
  const site = await appliance(before.folder, before.records);
  // A new world begins at the same moment.
  site.setWallBy(wallMs);
  site.recorder.recall();
  site.runtime.restore();
  site.recorder.interrupted((sessionId) => site.journal.session(sessionId)?.closed === true);
  await site.quiet();
  return site;
}

const missing = (site: Site) =>
  site.posted.filter(({ body }) => JSON.stringify(body).includes('voiceCallMissing'));

it.each([
  ['early: what is left of its minute', 20_000, 54_000],
  ['late: as long as a call that was cut needs', 3_600_000, 31_000],
])('waits on for the call after a restart, %s, and then notifies people', async (_, ageMs, waitsMs) => {
  const before = await appliance();
  before.request('MESSAGE', 'scaip-0001', {
    body: '<mrq><ref>W1</ref><cid>scaip-0001</cid><dty>0003</dty><stc>0010</stc></mrq>',
  });
  await before.quiet();
  expect(before.runtime.load.alarms).toBe(1);
  await before.after(2_500);
  const [start] = before.records.all();
  expect(start).toMatchObject({ kind: 'alarm', result: 'running' });
  const site = await restarted(before, ageMs);
  await site.after(waitsMs);
  expect([site.runtime.load.alarms, missing(site)]).toEqual([1, []]);
  await site.after(2_500);
  expect([site.runtime.load.alarms, missing(site).length]).toEqual([0, 1]);
  const { recordId, traceId, sessionId, event } = start ?? {};
  expect(await site.recorded()).toEqual([
    expect.objectContaining({
      ...{ recordId, traceId, sessionId, event },
      ...{ result: 'unanswered', reason: 'The call of the device did not come', restarts: 1 },
    }),
  ]);
});
