import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { keptPairs, speaking, withPeople } from '#test/support/sending.ts';
import { sendsAlarm, takesCall } from '#test/support/talking.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';
import { isLoud } from '#test/support/tone/tone-line.ts';

/* A telephone that dies while people speak about an alarm: no audio any more, and no BYE. */

type Kind = 'bs8521' | 'scaip' | 'nowip' | 'voicecall';

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let arc: Telephone;
let talk: Talk;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  arc = await net.device('arc', '192.0.2.31');
});
afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const STRING = 'A01001234567800010100000000#';
const sessionOf = () =>
  String(site.posted.findLast(({ call }) => call.path === '/newAlarmbridgeEvent')?.body.sessionId);
const errors = () => site.posted.map(({ body }) => body.error).filter((error) => error !== undefined);

/** The alarm of a unit by this protocol, whose speech has begun. */
async function talking(protocol: Kind, allow?: string): Promise<void> {
  const defaultEmergencyDestination = 'sip:arc@care.example';
  site.bridge({
    protocol,
    name: 'Alarms',
    destinationMatch: '^(alarms|scaip)$',
    defaultEmergencyDestination,
  });
  // A device that speaks by message proves itself by its alarm.
  const byMessage = { authType: 'deviceid', digest: undefined };
  unit = await (protocol === 'scaip'
    ? net.device('unit', '192.0.2.30', byMessage, false)
    : net.device('unit', '192.0.2.30'));
  if (allow !== undefined) unit.allow = allow;
  if (protocol === 'scaip') {
    sendsAlarm(unit);
    await net.pump();
    unit.respond(unit.request('MESSAGE'), 200);
  }
  talk = await unit.invite('alarms', net.pump, { challenged: protocol !== 'scaip' });
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
  if (protocol === 'bs8521') {
    await net.after(800);
    unit.audio.press(STRING);
  }
  for (let waited = 0; waited < 20_000 && !arc.has('INVITE'); waited += 500) await net.after(500);
  await takesCall(arc, net);
  await net.after(2_000);
  unit.audio.digits.splice(0);
}

/** Says nothing more, in the audio and in the signalling. */
function dies(phone: Telephone): void {
  phone.audio.sending = false;
}

/** Says no more, but answers whoever asks whether it is there. */
async function staysSilent(phone: Telephone, ms: number): Promise<number> {
  phone.audio.sending = false;
  let asked = 0;
  for (let passed = 0; passed < ms && !phone.has('BYE'); passed += 1_000) {
    await net.after(1_000);
    while (phone.has('OPTIONS')) {
      phone.respond(phone.request('OPTIONS'), 200);
      asked++;
    }
  }
  return asked;
}

const KINDS: readonly Kind[] = ['bs8521', 'scaip', 'nowip', 'voicecall'];

describe.each(KINDS)('an alarm of %s that people speak about', (protocol) => {
  beforeEach(() => talking(protocol));

  it('whose device dies is over within 45 s: the people are notified, and nothing is left', async () => {
    dies(unit);
    await net.after(38_000);
    expect(arc.has('BYE')).toBe(false);
    await net.after(7_000);
    expect(arc.request('BYE').header('Reason')).toContain('SIP;cause=408');
    await net.after(20_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
    expect(site.media.openLegs).toEqual([]);
    // A platform alarm is raised: the alarm is not cleared.
    expect(errors()).toEqual(['callLost']);
  });

  it('whose device hangs up is over, and nothing is wrong', async () => {
    unit.inDialog(talk, 'BYE');
    await net.after(20_000);
    arc.request('BYE');
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
    expect(errors()).toEqual([]);
  });

  it('and whose people die: they are called again, since it is not cleared', async () => {
    dies(arc);
    await net.after(45_000);
    expect(unit.has('BYE')).toBe(false);
    await net.after(6_000);
    arc.audio.sending = true;
    await takesCall(arc, net);
    await net.after(2_000);
    expect(site.runtime.load).toMatchObject({ calls: 1, alarms: 1 });
    // They hear each other.
    arc.audio.digits.splice(0);
    unit.audio.press('5');
    await net.after(1_000);
    expect(arc.audio.digits.map(({ digit }) => digit)).toEqual(['5']);
    expect(errors()).toEqual([]);
    void site.runtime.commands.hangUp(sessionOf());
    await net.after(15_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });

  it('and whose people are lost for good is reported as an alarm of the platform', async () => {
    dies(arc);
    for (let waited = 0; waited < 300_000 && errors().length === 0; waited += 5_000) {
      await net.after(5_000);
      while (arc.has('INVITE')) arc.respond(arc.request('INVITE'), 480);
    }
    expect(errors()).toEqual(['destinationUnreached']);
  });

  it('goes on while who is silent answers, for five minutes; of BS 8521 until its null has no answer', async () => {
    const isWatched = protocol === 'bs8521';
    const asked = await staysSilent(unit, isWatched ? 125_000 : 290_000);
    expect(asked).toBeGreaterThanOrEqual(isWatched ? 4 : 9);
    expect(arc.has('BYE')).toBe(false);
    await staysSilent(unit, 40_000);
    const reason = unit.request('BYE').header('Reason');
    if (!isWatched) expect(reason).toContain('RTP media timeout');
    arc.request('BYE');
    await net.after(20_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  }, 60_000);

  it('goes on when the silent party is audible again', async () => {
    await staysSilent(unit, 85_000);
    unit.audio.sending = true;
    await net.after(40_000);
    expect(unit.has('OPTIONS')).toBe(false);
    expect(site.runtime.load).toMatchObject({ calls: 1, alarms: 1 });
  });
});

describe('an alarm that is sent on, whose speech runs', () => {
  const opened = keptPairs();
  /** Notifications to the tenant of its sender. */
  const lost = ({ sender }: Awaited<ReturnType<typeof withPeople>>['made']) =>
    sender.posted.map(({ body }) => body.error).filter((error) => error !== undefined);

  it.each(['scaip', 'bs8521', 'ttnew', 'nowip'])(
    '%s: whose centre dies lets the device go',
    async (protocol) => {
      const all = await withPeople(protocol);
      opened.push(all.made);
      all.made.sender.notify('https://app.example/alarms');
      const { made, unit: device } = await speaking(all);
      // Everything that the centre's appliance says is lost.
      made.lose((to) => to === made.sender.address);
      made.centre.media.network.carries = (datagram) => datagram.toHost !== made.sender.address;
      await made.until(() => device.has('BYE'), 60_000);
      device.respond(device.request('BYE'), 200);
      await made.after(40_000);
      expect(made.sender.runtime.load).toMatchObject({ calls: 0, sendings: 0 });
      expect(lost(made)).toEqual(['callLost']);
    },
  );

  it.each([
    ['scaip', 'dies', false],
    ['scaip', 'hangs up', true],
    ['bs8521', 'dies', false],
    ['bs8521', 'hangs up', true],
  ])('%s: whose centre %s: its device hears clear-down, %s', async (protocol, what, isCleared) => {
    const all = await withPeople(protocol, 'ttnew');
    opened.push(all.made);
    const { made, unit: device, arc: people, arcTalk } = await speaking(all);
    device.audio.packets.splice(0);
    if (what === 'hangs up') people.inDialog(arcTalk, 'BYE');
    else {
      made.lose((to) => to === made.sender.address);
      made.centre.media.network.carries = (datagram) => datagram.toHost !== made.sender.address;
    }
    await made.until(() => device.has('BYE'), 60_000);
    // TTNEW: # of 2 s, which the call is ended behind. A device that dials on by itself must not hear it.
    const loud = device.audio.packets.filter(({ payload }) => isLoud(payload)).length;
    expect(loud > 90).toBe(isCleared);
    if (!isCleared) expect(loud).toBe(0);
  });

  it.each(['scaip', 'bs8521'])('%s: whose device dies lets the centre go', async (protocol) => {
    const all = await withPeople(protocol);
    opened.push(all.made);
    all.made.sender.notify('https://app.example/alarms');
    const { made, unit: device, arc: people } = await speaking(all);
    device.audio.sending = false;
    await made.until(() => people.has('BYE'), 90_000);
    people.respond(people.request('BYE'), 200);
    await made.after(40_000);
    expect(made.sender.runtime.load).toMatchObject({ calls: 0, sendings: 0 });
    expect(lost(made)).toEqual(['callLost']);
  });

  it.each(['scaip', 'bs8521'])('%s: whose device hangs up reports nothing', async (protocol) => {
    const all = await withPeople(protocol);
    opened.push(all.made);
    all.made.sender.notify('https://app.example/alarms');
    const { made, unit: device, unitTalk } = await speaking(all);
    device.inDialog(unitTalk, 'BYE');
    await made.after(40_000);
    expect(made.sender.runtime.load).toMatchObject({ calls: 0, sendings: 0 });
    expect(lost(made)).toEqual([]);
  });
});

describe.each(['', 'INVITE, ACK, CANCEL, BYE'])('an alarm of a device that names Allow "%s"', (allow) => {
  beforeEach(() => talking('nowip', allow));

  it('and neither speaks nor answers a question goes on: a person may lie beside it; after five minutes it is lost', async () => {
    dies(unit);
    await net.after(285_000);
    expect(unit.inbox.filter((message) => 'method' in message && message.method === 'OPTIONS').length).toBe(
      10,
    );
    expect([arc.has('BYE'), unit.has('BYE')]).toEqual([false, false]);
    await net.after(30_000);
    expect(arc.request('BYE').header('Reason')).toContain('RTP media timeout');
    await net.after(20_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  }, 60_000);

  it('is over within 45 s when it dies, if it has once answered', async () => {
    expect(await staysSilent(unit, 20_000)).toBe(1);
    unit.audio.sending = true;
    await net.after(5_000);
    dies(unit);
    await net.after(45_000);
    expect(arc.request('BYE').header('Reason')).toContain('SIP;cause=408');
  });
});
