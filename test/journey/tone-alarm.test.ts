import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRecord } from '#test/appliance/record/test-records.ts';
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
  // Its number is not its name; its string is.
  site.device({ deviceId: '12345678:0001', deviceType: 'alarmbridgeAlarmUnit' });
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect') && !line.includes('no space left'))).toEqual(
    [],
  );
  await site.close();
});

const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');

/** Digits the unit has heard since the last look, with their lengths rounded to 10 ms. */
function detected(): string[] {
  return unit.audio.digits.splice(0).map(({ digit, ms }) => `${digit} ${Math.round(ms / 10) * 10}`);
}

async function called() {
  const talk = await unit.invite('analogue', net.pump);
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
  return talk;
}

describe('a BS 8521 alarm in a call', () => {
  it('is asked for, stored, acknowledged, reported, joined with people and cleared', async () => {
    site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    const arc = await net.device('arc', '192.0.2.31');
    const talk = await called();
    await net.after(800);
    expect(detected()).toEqual(['B 600']);
    unit.audio.press(STRING);
    await net.after(4_600);
    expect(reported()).toHaveLength(1);
    expect(reported()[0]?.body).toMatchObject({
      sourceAlarmProtocol: 'bs8521',
      calledParty: 'analogue',
      alarmEvent: { controllerId: '12345678', deviceId: '0001', deviceType: 'fixedTrigger', audio: 'duplex' },
    });
    await net.after(400);
    expect(detected()).toEqual(['B 80']);

    const invite = arc.request('INVITE');
    arc.hearPort(invite);
    arc.respond(invite, 200, { sdp: arc.describe() });
    await net.pump();
    arc.request('ACK');
    await net.after(500);
    arc.audio.press('5');
    await net.after(600);
    expect(detected()).toEqual(['5 80']);

    arc.inDialog(arc.answeredTalk(invite), 'BYE');
    await net.after(800);
    expect(detected()).toEqual(['A 250', 'D 80']);
    unit.audio.press('B');
    await net.after(400);
    unit.inDialog(talk, 'BYE');
    await net.after(2_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, legs: 0, alarms: 0 });
    const [handshake] = site.runtime.handshakes.list({ kind: 'number', key: 'unit', limit: 1 });
    expect(handshake).toMatchObject({ protocol: 'bs8521', calls: 1, firstTry: 1, requests: 1, digits: 28 });
    for (const kind of ['device', 'deviceType', 'bridge'] as const)
      expect(site.runtime.handshakes.list({ kind, limit: 9 })).toMatchObject([{ calls: 1, saidAsEvents: 0 }]);
    expect(handshake?.levelDbm0).toBeCloseTo(-7, 0);
    expect(handshake?.twistDb).toBeCloseTo(2, 0);
    // G.711 itself is the noise of a clean line.
    expect(handshake?.noiseDbm0).toBeLessThan(-35);
    const trace = site.trace(String(reported()[0]?.body.traceId));
    expect(trace.filter(({ kind }) => kind === 'handshake')).toHaveLength(1);
    expect(site.media.openLegs).toEqual([]);
    const kinds = site.trace(String(reported()[0]?.body.traceId)).map(({ kind }) => kind);
    for (const kind of ['toneHeard', 'stored', 'tonePlayed', 'voiceJoining', 'deviceCommand', 'sessionEnded'])
      expect(kinds).toContain(kind);
    expect((await site.recorded()).map(plainRecord)).toMatchInlineSnapshot(`
      [
        {
          "acceptedBy": "sip:arc@care.example",
          "configRevision": 7,
          "controllerId": "12345678",
          "deliveries": {
            "count": 1,
            "failed": 0,
            "lastStatus": 200,
          },
          "deviceId": "12345678:0001",
          "durationMs": 8100,
          "event": {
            "audio": "duplex",
            "controllerId": "12345678",
            "deviceId": "0001",
            "deviceType": "fixedTrigger",
            "location": "unknown",
            "priority": 0,
            "statusCode": "alarmManual",
            "systemConfig": "localUnitAndController",
          },
          "eventType": "fixedTrigger",
          "from": "unit",
          "kind": "alarm",
          "legs": [
            {
              "codec": "PCMA",
              "jitterMs": 0,
              "leg": "2",
              "lost": 0,
              "mos": 4.37,
              "received": 55,
            },
            {
              "codec": "PCMA",
              "jitterMs": 0,
              "leg": "1",
              "lost": 0,
              "mos": 4.37,
              "received": 405,
            },
          ],
          "named": [
            true,
            true,
            true,
          ],
          "program": "test",
          "protocol": "bs8521",
          "reason": "A person spoke with the device and cleared the call",
          "receiver": "bridge-1",
          "receiverName": "Analogue",
          "requestUri": "sip:analogue@care.example",
          "result": "done",
          "rule": "destinationMatch ^analogue$",
          "source": "192.0.2.30",
          "speechMs": 2300,
          "statusCode": "alarmManual",
          "times": {
            "arrived": 0,
            "callbackAnswered": 5300,
            "deviceAnswered": 5300,
            "ended": 8100,
            "stored": 5300,
            "voiceJoined": 5800,
          },
          "to": "analogue",
          "tones": {
            "badStrings": 0,
            "firstTry": true,
            "levelDbm0": -7,
            "requests": 1,
            "twistDb": 2,
          },
          "tries": 1,
          "v": 1,
        },
      ]
    `);
  });

  it('gets no acknowledge while the disk is full; the string that is repeated is the alarm', async () => {
    site.answerBy(() => answered({ action: 'drop' }));
    await called();
    await net.after(800);
    detected();
    site.breakDisk(true);
    unit.audio.press(STRING);
    await net.after(4_900);
    expect(detected()).toEqual([]);
    site.breakDisk(false);
    unit.audio.press(STRING);
    await net.after(4_900);
    expect(detected()[0]).toBe('B 80');
    expect(reported()).toHaveLength(1);
  });

  it('that the application drops is cleared: the device is commanded, then the call ends', async () => {
    site.answerBy(() => answered({ action: 'drop' }));
    await called();
    await net.after(800);
    unit.audio.press(STRING);
    await net.after(6_500);
    expect(detected().slice(-2)).toEqual(['A 250', 'D 80']);
    unit.audio.press('B');
    await net.after(12_000);
    unit.respond(unit.request('BYE'), 200);
    await net.after(1_000);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });
});

describe('a caller who says nothing that can be read', () => {
  it('is asked four times, becomes an event by itself and is joined with people', async () => {
    site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    const arc = await net.device('arc', '192.0.2.31');
    await called();
    await net.after(33_000);
    expect(detected().filter((each) => each === 'B 600')).toHaveLength(4);
    expect(reported()).toHaveLength(1);
    expect(reported()[0]?.body).toMatchObject({
      sourceAlarmProtocol: 'voicecall',
      sipFrom: 'unit',
      alarmEvent: { deviceType: 'unknown', statusCode: 'alarm', audio: 'duplex' },
    });
    expect(JSON.stringify(reported()[0]?.body.sourceAlarmEvent)).toContain('noAnswer');
    arc.request('INVITE');
  });

  it.each([
    ['at once', 100, ''],
    ['while it is asked', 1_000, ''],
    ['within its string', 2_500, STRING],
  ])('leaves an event when it hangs up %s', async (_, afterMs, string) => {
    site.answerBy(() => answered({ action: 'drop' }));
    const talk = await called();
    await net.after(700);
    unit.audio.press(string);
    await net.after(afterMs);
    unit.inDialog(talk, 'BYE');
    await net.after(1_000);
    expect(reported()).toHaveLength(1);
    expect(JSON.stringify(reported()[0]?.body.sourceAlarmEvent)).toContain('hungUp');
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });
});

describe('a unit that hangs up once its alarm is acknowledged, before the application wants it to be spoken with', () => {
  async function hungUp(): Promise<void> {
    site.notify('https://app.example/alarms');
    const talk = await called();
    await net.after(800);
    unit.audio.press(STRING);
    await net.after(4_600);
    unit.inDialog(talk, 'BYE');
    await net.after(1_000);
    reported()[0]?.answer(answered({ action: 'callEmergencyCenter' }));
  }
  const errors = () => site.posted.map(({ body }) => body.error).filter((error) => error !== undefined);

  it('is waited for, and a person is notified when it does not call again', async () => {
    await hungUp();
    await net.after(55_000);
    expect(errors()).toEqual([]);
    await net.after(10_000);
    expect(errors()).toEqual(['voiceCallMissing']);
    expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0 });
  });

  it('as the appliance restarts: so too', async () => {
    await hungUp();
    await net.after(1_000);
    const { folder } = site;
    await site.close(true);
    site = await testAppliance({ folder });
    net = telephones(site);
    site.notify('https://app.example/alarms');
    site.runtime.restore();
    await net.after(70_000);
    expect(errors()).toEqual(['voiceCallMissing']);
  });
});
