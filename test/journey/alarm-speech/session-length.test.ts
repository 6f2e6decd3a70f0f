import { afterEach, beforeEach, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { takesCall } from '#test/support/talking.ts';
import { telephones } from '#test/support/telephone.ts';
import { STRING, voiceBridge } from '#test/support/voice-alarm.ts';

/* The longest session of a received alarm: `maxSessionDuration` of the event mapper of its bridge, whatever `alarmHandling` says. */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
});
afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

it.each(['bs8521', 'voicecall'])('%s: the call ends after it', async (protocol) => {
  site.mapper(
    { protocol: 'callback', partnerUrl: 'https://partner.example/in' },
    {
      alarmHandling: 'callback',
      maxSessionDuration: 60,
    },
  );
  voiceBridge(site, protocol, { alarmEventMapperId: 'mapper-1' });
  const arc = await net.device('arc', '192.0.2.31');
  const unit = await net.device('unit', '192.0.2.30');
  const talk = await unit.invite('here', net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.after(700, 100);
  unit.audio.press(STRING[protocol]?.digits ?? '');
  for (let waited = 0; waited < 12_000 && !arc.has('INVITE'); waited += 500) await net.after(500);
  await takesCall(arc, net);
  await net.after(40_000, 1_000);
  expect(unit.has('BYE')).toBe(false);
  await net.after(35_000, 1_000);
  expect(unit.has('BYE')).toBe(true);
});
