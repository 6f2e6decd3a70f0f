import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;

/** C 0, D 1 (duplex), controller 12345678, unit 0001, event 010 (help button); check digits are not looked at. */
const STRING = 'A01001234567800010100000000#';

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.bridge({
    protocol: 'bs8521',
    name: 'Analogue',
    destinationMatch: '^analogue$',
    defaultEmergencyDestination: 'sip:arc@care.example',
  });
  unit = await net.device('unit', '192.0.2.30');
  site.answerBy(() => answered({ action: 'drop' }));
});
afterEach(() => site.close());

const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
const called = async () => {
  const talk = await unit.invite('analogue', net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
};
/** The unit hears that its call is over. */
const hungUp = async () => {
  const bye = unit.request('BYE');
  expect(bye.header('Reason')).toContain('cause=500');
  unit.respond(bye, 200);
  await net.pump();
};

describe('a media worker that dies in the middle of an alarm call', () => {
  it('before the string: the unit is hung up on, rings again, and its alarm arrives', async () => {
    await called();
    await net.after(800);
    unit.audio.press(STRING.slice(0, 10));
    await net.after(1_000);
    site.media.crash();
    await net.pump();
    await hungUp();
    // The appliance did not understand it, and still it does not end in silence.
    expect(reported().map(({ body }) => body)).toMatchObject([{ alarmEvent: { deviceType: 'unknown' } }]);
    await net.after(2_000);
    await called();
    await net.after(800);
    unit.audio.digits.splice(0);
    unit.audio.press(STRING);
    await net.after(4_900);
    expect(reported()).toHaveLength(2);
    expect(reported()[1]?.body).toMatchObject({ alarmEvent: { controllerId: '12345678', deviceId: '0001' } });
  });

  it('after the string was acknowledged: the alarm is stored, reported and not reported twice', async () => {
    await called();
    await net.after(800);
    unit.audio.digits.splice(0);
    unit.audio.press(STRING);
    await net.after(4_900);
    expect(unit.audio.digits.map(({ digit }) => digit)).toContain('B');
    site.media.crash();
    await net.pump();
    await net.after(5_000);
    expect(reported()).toHaveLength(1);
    expect(site.journal.pendingOutbox().filter(({ type }) => type === 'newAlarmbridgeEvent')).toEqual([]);
    expect(site.runtime.load).toMatchObject({ calls: 0, legs: 0 });
    await called();
    await net.after(500);
    expect(site.media.openLegs).toHaveLength(1);
  });
});
