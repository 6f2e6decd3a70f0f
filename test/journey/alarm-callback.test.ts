import { afterEach, beforeEach, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { sendsAlarm } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let arc: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.bridge({ defaultEmergencyDestination: 'sip:arc@care.example' });
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  arc = await net.device('arc', '192.0.2.31');
  const voiceDestination = 'sip:unit@192.0.2.30:5060';
  const fields = {
    authType: 'deviceid',
    digest: undefined,
    serviceData: { alarmBridge: { voiceDestination } },
  };
  unit = await net.device('unit', '192.0.2.30', fields, false);
  sendsAlarm(unit, '<cha>1</cha>');
  await net.pump();
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

it('a device that wants to be called is called, and joined with the people', async () => {
  const invite = unit.request('INVITE');
  unit.hearPort(invite);
  unit.respond(invite, 200, { sdp: unit.describe() });
  await net.pump();
  unit.request('ACK');
  const people = arc.request('INVITE');
  arc.hearPort(people);
  arc.respond(people, 200, { sdp: arc.describe() });
  await net.pump();
  await net.after(500);
  unit.audio.press('5');
  await net.after(1_000);
  expect(arc.audio.digits.map(({ digit }) => digit)).toEqual(['5']);
  unit.inDialog(unit.answeredTalk(invite), 'BYE');
  await net.pump();
  arc.respond(arc.request('BYE'), 200);
  await net.pump();
  expect(site.runtime.load).toMatchObject({ calls: 0, legs: 0 });
});

it('a device that is busy is called again, until its time is over', async () => {
  unit.respond(unit.request('INVITE'), 486);
  await net.after(16_000);
  unit.respond(unit.request('INVITE'), 486);
  await net.after(400_000, 1_000);
  expect(
    unit.inbox.filter((each) => each.kind === 'request' && each.method === 'INVITE').length,
  ).toBeGreaterThan(3);
  expect(site.posted.map(({ body }) => body.error)).toContain('voiceCallMissing');
  await net.after(80_000, 5_000);
  expect(site.runtime.load).toMatchObject({ calls: 0, legs: 0 });
});
