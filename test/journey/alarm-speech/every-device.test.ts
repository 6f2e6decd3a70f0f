import { afterEach, beforeEach, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { takesCall } from '#test/support/talking.ts';
import { telephones } from '#test/support/telephone.ts';
import { STRING, voiceBridge } from '#test/support/voice-alarm.ts';

/*
 * A number that leaves the protocol to its devices, called by a device of each kind: its alarm is read, and people are joined. A device
 * of which nothing can be read is joined too.
 */

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

/** The string of one kind, said again every five seconds until its call is answered by people. */
async function callOf(kind: string) {
  const arc = await net.device('arc', '192.0.2.31');
  const unit = await net.device('unit', '192.0.2.30');
  const talk = await unit.invite('here', net.pump);
  unit.acknowledge(talk, unit.response(200));
  const { digits, ms = 80 } = STRING[kind] ?? { digits: '' };
  let said = 0;
  for (let waited = 0; waited < 60_000 && !arc.has('INVITE'); waited += 100) {
    await net.after(100, 100);
    const detected = unit.audio.digits.splice(0).length > 0;
    // A device speaks when it is asked, or by itself after a while.
    if (digits !== '' && said < 6 && (detected || waited === 1_000 || waited % 6_000 === 5_900)) {
      said++;
      await net.after(400, 100);
      unit.audio.press(digits, { onMs: ms, offMs: ms });
      await net.after(digits.length * ms * 2 + 300, 100);
      unit.audio.digits.splice(0);
    }
  }
  await takesCall(arc, net);
  return site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent').map(({ body }) => body);
}

it.each([
  ['bs8521', 'bs8521', '12345678'],
  ['ttnew', 'ttnew', '123456789'],
  ['contactId', 'contactId', '1234'],
  ['p100', 'p100', '12345678'],
  ['nothing', 'voicecall', 'unit'],
])(
  'multiprotocol: a device that says %s is an event of %s',
  async (kind, sourceAlarmProtocol, controllerId) => {
    voiceBridge(site, 'multiprotocol');
    expect(await callOf(kind)).toMatchObject([{ sourceAlarmProtocol, alarmEvent: { controllerId } }]);
  },
);

it.each([
  ['rb2000', 'rb2000', 'rb2000', '1234'],
  ['rb2000', 'nothing', 'voicecall', 'unit'],
  ['cpc-antenna', 'cpc-antenna', 'cpc-antenna', '87654321'],
  ['cpc-antenna', 'nothing', 'voicecall', 'unit'],
])('%s: a device that says %s is an event of %s', async (bridge, kind, sourceAlarmProtocol, controllerId) => {
  voiceBridge(site, bridge);
  expect(await callOf(kind)).toMatchObject([{ sourceAlarmProtocol, alarmEvent: { controllerId } }]);
});
