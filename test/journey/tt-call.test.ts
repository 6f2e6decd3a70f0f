import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let arc: Telephone;
let action: 'callEmergencyCenter' | 'drop';

beforeEach(async () => {
  action = 'callEmergencyCenter';
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action }));
  unit = await net.device('unit', '192.0.2.30');
  arc = await net.device('arc', '192.0.2.31');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect') && !line.includes('no space'))).toEqual([]);
  await site.close();
});

const reported = () =>
  site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent').map(({ body }) => body);

/** Digits since the last look; those that are no short ones with their length. */
const detected = (): string =>
  unit.audio.digits
    .splice(0)
    .map(({ digit, ms }) => (ms < 200 ? digit : `(${digit} ${Math.round(ms / 100) * 100})`))
    .join('');

const REQUEST = { tt92: '0#', ttnew: 'DB' } as const;
const TAKEN = { tt92: 'B0', ttnew: 'DB' } as const;

/** The unit has called and is asked. */
async function asked(protocol: 'tt92' | 'ttnew') {
  site.bridge({
    protocol,
    name: 'Units',
    destinationMatch: '^tt$',
    defaultEmergencyDestination: 'sip:arc@care.example',
  });
  const talk = await unit.invite('tt', net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.after(700, 100);
  expect(detected()).toBe(REQUEST[protocol]);
  return talk;
}

/** The unit says something; what it hears until `ms` after it. */
async function says(symbols: string, ms = 1_000): Promise<string> {
  unit.audio.press(symbols);
  await net.after(symbols.length * 160 + ms, 100);
  return detected();
}

async function people() {
  const invite = arc.request('INVITE');
  arc.hearPort(invite);
  arc.respond(invite, 200, { sdp: arc.describe() });
  await net.after(200, 100);
  arc.request('ACK');
  return arc.answeredTalk(invite);
}

describe.each(['tt92', 'ttnew'] as const)('%s: several events in one call', (protocol) => {
  const FIRST = 'D#1017123456789***000000';
  const SECOND = 'D#1014123456789***000000';

  it('before it is cleared: each is acknowledged and reported, once, under the session of the call', async () => {
    const talk = await asked(protocol);
    expect(await says(FIRST)).toBe(TAKEN[protocol]);
    expect(await says(SECOND)).toBe(TAKEN[protocol]);
    // The unit has not heard the acknowledge.
    expect(await says(SECOND)).toBe(TAKEN[protocol]);
    expect(reported().map(({ alarmEvent }) => (alarmEvent as Record<string, unknown>).statusCode)).toEqual([
      'alarmManual',
      'lowBattery',
    ]);
    expect(new Set(reported().map(({ sessionId }) => sessionId)).size).toBe(1);
    // People speak: a third event does not interrupt them.
    const arcTalk = await people();
    expect(await says('D#1018123456789***000000')).toBe(TAKEN[protocol]);
    expect(reported()).toHaveLength(3);
    expect(arc.has('BYE')).toBe(false);
    arc.inDialog(arcTalk, 'BYE');
    await net.after(3_500);
    expect(detected()).toBe(protocol === 'tt92' ? '(* 500)(# 2000)' : '(# 2000)');
    unit.inDialog(talk, 'BYE');
    await net.after(1_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });

  it('with one that is not stored: it is said again, and then taken', async () => {
    await asked(protocol);
    expect(await says(FIRST)).toBe(TAKEN[protocol]);
    site.breakDisk(true);
    expect(await says(SECOND)).toBe('');
    site.breakDisk(false);
    expect(await says(SECOND)).toBe(TAKEN[protocol]);
    expect(reported()).toHaveLength(2);
  });
});

describe('a scheme of TT', () => {
  const FRAME = 'D#202100001234****000000';

  it.each([
    ['groupScheme', 'D42B', 2],
    ['alarmbridgeAlarmUnit', '', 1],
  ])('is one as it is provisioned (%s), whatever its frame says', async (deviceType, selected, events) => {
    site.device({ deviceId: '00001234', deviceType });
    await asked('ttnew');
    expect(await says('D#200100001234****000000', 600)).toBe('DB');
    expect(await says('7D42DDDD', 2_600)).toBe(selected);
    expect(reported()).toHaveLength(events);
  });

  it('names its waiting units: each is stored, selected, spoken with and cleared', async () => {
    const talk = await asked('ttnew');
    expect(await says(FRAME, 600)).toBe('DB');
    // Unit 042 with its button, unit 007 with smoke and a low battery.
    unit.audio.press('7D42DDDD');
    await net.after(8 * 160 + 400, 100);
    unit.audio.press('8DD7112D');
    await net.after(8 * 160 + 2_200, 100);
    expect(detected()).toBe('D42B');
    expect(reported()).toMatchObject([
      { alarmEvent: { controllerId: '00001234' }, sourceAlarmEvent: { raw: FRAME } },
      {
        alarmEvent: { controllerId: '00001234', deviceId: '042', deviceType: 'localUnit' },
        sourceAlarmEvent: { raw: '7D42DDDD', warnings: [] },
      },
    ]);
    expect(reported()[1]?.sessionId).toBe(reported()[0]?.sessionId);
    expect(arc.has('INVITE')).toBe(false);
    expect(await says('1DDDD42A', 500)).toBe('');
    const first = await people();
    // To a unit behind a controller: simplex is C; it knows no duplex.
    const sessionId = String(reported()[0]?.sessionId);
    void site.runtime.commands.command(sessionId, { command: 'switchToSimplex' });
    await net.after(800, 100);
    expect(detected()).toBe('(C 500)');
    expect(await site.runtime.commands.command(sessionId, { command: 'switchToDuplex' })).toMatchObject({
      error: { code: 'commandNotSupported' },
    });
    arc.inDialog(first, 'BYE');
    await net.after(2_000, 100);
    expect(detected()).toBe('(* 500)(0 1000)');
    expect(await says('DDDDDDDB', 1_500)).toBe('DD7B');
    expect(reported()).toHaveLength(3);
    expect(reported()[2]).toMatchObject({
      alarmEvent: { deviceId: '007', deviceType: 'smokeDetector', statusCode: 'alarm' },
      sourceAlarmEvent: { warnings: ['lowBattery'] },
    });
    expect(reported()[2]?.sessionId).not.toBe(sessionId);
    await says('1DDDDD7A', 500);
    const second = await people();
    arc.inDialog(second, 'BYE');
    await net.after(2_000, 100);
    expect(detected()).toBe('(* 500)(0 1000)');
    await says('DDDDDDDB', 2_600);
    unit.inDialog(talk, 'BYE');
    await net.after(1_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });

  it('that names none is spoken with as it is, and its frame is acknowledged as often as it comes', async () => {
    await asked('tt92');
    expect(await says(FRAME, 800)).toBe('B0');
    expect(await says(FRAME, 800)).toBe('B0');
    expect(reported()).toHaveLength(1);
    expect(arc.has('INVITE')).toBe(false);
    await net.after(3_500, 100);
    arc.request('INVITE');
  });

  it('is spoken with even when its unit does not answer: a person waits', async () => {
    await asked('ttnew');
    await says(FRAME, 600);
    unit.audio.press('7D42DDDD');
    await net.after(8 * 160 + 2_000, 100);
    await net.after(11_500, 100);
    expect(detected()).toBe('D42B'.repeat(4));
    arc.request('INVITE');
  });

  it('is cleared unit by unit when the application drops its alarms, and then hung up', async () => {
    action = 'drop';
    await asked('ttnew');
    await says(FRAME, 600);
    unit.audio.press('7D42DDDD8DD7112D');
    await net.after(16 * 160 + 2_000, 100);
    expect(detected()).toBe('D42B');
    await says('1DDDD42A', 2_000);
    await says('DDDDDDDB', 1_500);
    await says('1DDDDD7A', 2_000);
    await says('DDDDDDDB', 2_600);
    expect(reported()).toHaveLength(3);
    await net.after(6_000);
    unit.respond(unit.request('BYE'), 200);
    await net.after(1_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });

  it('is cleared down when the alarm of a unit cannot be stored: it will call again', async () => {
    await asked('ttnew');
    await says(FRAME, 600);
    site.breakDisk(true);
    unit.audio.press('7D42DDDD');
    await net.after(8 * 160 + 4_500, 100);
    expect(detected()).toBe('(# 2000)');
    site.breakDisk(false);
  });
});
