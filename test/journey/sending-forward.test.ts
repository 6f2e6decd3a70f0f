import { describe, expect, it } from 'vitest';
import { plainRecord } from '#test/appliance/record/test-records.ts';
import { answered } from '#test/support/appliance.ts';
import { CENTRE } from '#test/support/pair.ts';
import {
  AT_CENTRE,
  allQuiet,
  answerCall,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  type Pair,
  phoneAt,
  sendingPair,
} from '#test/support/sending.ts';

const opened = keptPairs();

/** A device of one protocol at the sender, whose bridge sends its alarms on in another one. */
async function two(from: string, target: Record<string, unknown>, mapper: Record<string, unknown> = {}) {
  const made = await sendingPair({ destAddr: AT_CENTRE, ...LOGIN, ...target }, { mapper });
  opened.push(made);
  centreKnows(made);
  made.sender.bridge({
    id: 'devices',
    protocol: from,
    name: 'Devices',
    destinationMatch: '^devices$',
    alarmEventMapperId: 'mapper-1',
  });
  return made;
}

const STRING = 'A01001234567800420100000000#';

describe('an alarm of a device that is sent on', () => {
  it('from SCAIP to SCAIP keeps every code, and is reported to the application as well', async () => {
    const made = await two('scaip', { protocol: 'scaip' });
    centreBridge(made, 'scaip');
    made.sender.device({ deviceId: '12345678:0042' });
    made.sender.request('MESSAGE', 'scaip-0001', {
      uri: 'sip:devices@care.example',
      body: '<mrq><ref>R1</ref><cid>12345678</cid><did>0042</did><dty>0035</dty><stc>0010</stc><lco>022</lco><crd>no-voice:</crd></mrq>',
    });
    await made.after(2_000);
    expect(callbacksOf(made.sender, 'newAlarmbridgeEvent')).toMatchObject([
      { sourceAlarmProtocol: 'scaip', targetAlarmProtocol: 'scaip' },
    ]);
    const [received] = callbacksOf(made.centre, 'newAlarmbridgeEvent');
    expect(received).toMatchObject({
      alarmEvent: { controllerId: '12345678', deviceId: '0042' },
      sourceAlarmEvent: { fields: { dty: '0035', stc: '0010', lco: '022' } },
    });
    const [own] = callbacksOf(made.sender, 'newAlarmbridgeEvent');
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([
      { alarmSessionId: own?.sessionId, traceId: own?.traceId },
    ]);
    // The device is answered what its receiver has said: taken, without a call.
    const answers = made.sender.posted.length;
    expect(answers).toBeGreaterThan(0);
    const records = made.sender.records.all().toSorted((a, b) => b.kind.localeCompare(a.kind));
    expect(records.map(plainRecord)).toMatchInlineSnapshot(`
      [
        {
          "acceptedBy": "sip:alarm@198.51.100.20",
          "configRevision": 7,
          "controllerId": "12345678",
          "deliveries": {
            "count": 1,
            "failed": 0,
          },
          "deviceId": "12345678:0042",
          "durationMs": 250,
          "event": {
            "audio": "none",
            "controllerId": "12345678",
            "deviceId": "0042",
            "deviceType": "unknown",
            "location": "laundry",
            "priority": 0,
            "statusCode": "alarmManual",
            "systemConfig": "localUnitAndController",
          },
          "eventType": "unknown",
          "from": "scaip-0001",
          "kind": "alarmSent",
          "named": [
            true,
            true,
            true,
          ],
          "program": "test",
          "protocol": "scaip",
          "reason": "The receiver took the event",
          "receiver": "mapper-1",
          "receiverName": "Centre",
          "result": "done",
          "rule": "alarmEventMapper of the alarm bridge",
          "statusCode": "alarmManual",
          "times": {
            "arrived": 0,
            "deviceAnswered": 250,
            "ended": 250,
            "stored": 0,
          },
          "to": "sip:alarm@198.51.100.20",
          "tries": 1,
          "v": 1,
        },
        {
          "configRevision": 7,
          "controllerId": "12345678",
          "deviceId": "12345678:0042",
          "durationMs": 250,
          "event": {
            "audio": "none",
            "controllerId": "12345678",
            "deviceId": "0042",
            "deviceType": "unknown",
            "location": "laundry",
            "priority": 0,
            "statusCode": "alarmManual",
            "systemConfig": "localUnitAndController",
          },
          "eventType": "unknown",
          "from": "scaip-0001",
          "kind": "alarm",
          "named": [
            true,
            true,
            true,
          ],
          "program": "test",
          "protocol": "scaip",
          "reason": "The application took the alarm",
          "receiver": "devices",
          "receiverName": "Devices",
          "requestUri": "sip:devices@care.example",
          "result": "done",
          "rule": "destinationMatch ^devices$",
          "source": "192.0.2.50",
          "statusCode": "alarmManual",
          "times": {
            "arrived": 0,
            "deviceAnswered": 250,
            "ended": 250,
            "stored": 0,
          },
          "to": "devices",
          "v": 1,
          "warnings": [
            "unknown device 12345678",
          ],
        },
      ]
    `);
  });

  /** The address that the device has to call, in its answer. */
  async function reportedToCall(made: Pair, request: string): Promise<string | undefined> {
    const arrived: string[] = [];
    made.others.set('192.0.2.50', (bytes) => void arrived.push(bytes.toString()));
    made.sender.request('MESSAGE', 'scaip-0001', { uri: 'sip:devices@care.example', body: request });
    await made.until(() => arrived.some((text) => text.includes('<snu>')), 20_000);
    await made.after(150_000);
    return /<tnu>([^<]*)/.exec(arrived.find((text) => text.includes('<snu>')) ?? '')?.[1];
  }

  it('gives a device that can only telephone the analogueVoiceNumber of its event sender', async () => {
    const made = await two('scaip', { protocol: 'scaip' }, { analogueVoiceNumber: '+4685551234' });
    centreBridge(made, 'scaip', { defaultEmergencyDestination: `sip:arc@${CENTRE}` });
    made.centre.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    const request = '<mrq><ref>R1</ref><cid>12345678</cid><dty>0035</dty><crd>gsm:</crd></mrq>';
    expect(await reportedToCall(made, request)).toBe('gsm:+4685551234');
  });

  it.each([
    [true, 'sip:voice@care.example'],
    [false, 'sip:person@care.example'],
  ])(
    'that cannot be said: useVoiceBridge %s of the event sender has the device call %s',
    async (useVoiceBridge, tnu) => {
      const unknownAlarmEventVoiceDestination = 'sip:person@care.example';
      const made = await two(
        'scaip',
        { protocol: 'tt92' },
        { unknownAlarmEventVoiceDestination, useVoiceBridge },
      );
      const request =
        '<mrq><ref>R1</ref><cid>12345678</cid><dty>0035</dty><stc>0108</stc><crd>sip:</crd></mrq>';
      expect(await reportedToCall(made, request)).toBe(tnu);
    },
  );

  it.each(['scaip', 'bs8521', 'nowip'])(
    'from BS 8521 to %s: the device speaks with the receiver, and is cleared by it',
    async (protocol) => {
      const made = await two('bs8521', { protocol });
      centreBridge(made, protocol, { defaultEmergencyDestination: `sip:arc@${CENTRE}` });
      made.centre.answerBy(() => answered({ action: 'callEmergencyCenter' }));
      const arc = await phoneAt(made, 'centre', 'arc');
      const unit = await phoneAt(made, 'sender', 'unit');
      const talk = await unit.invite('devices', made.pump);
      unit.acknowledge(talk, unit.response(200));
      await made.after(800);
      unit.audio.press(STRING);
      await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1, 60_000);
      const arcTalk = await answerCall(made, arc);
      await made.after(2_000);
      expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
        { alarmEvent: { controllerId: '12345678', deviceId: '0042' } },
      ]);
      arc.audio.digits.splice(0);
      unit.audio.press('9');
      await made.after(800);
      expect(arc.audio.digits.map(({ digit }) => digit)).toContain('9');
      unit.audio.digits.splice(0);
      arc.inDialog(arcTalk, 'BYE');
      await made.after(3_000);
      expect(unit.audio.digits.map(({ digit }) => digit).slice(0, 2)).toEqual(['A', 'D']);
      unit.audio.press('B');
      await made.after(1_000);
      unit.inDialog(talk, 'BYE');
      await made.after(15_000);
      allQuiet(made);
    },
  );

  it('falls back when its receiver is not there: the emergency destination is called, and a person notified', async () => {
    const made = await two('bs8521', { protocol: 'scaip', destAddr: 'sip:alarm@203.0.113.9' });
    made.sender.bridge({
      id: 'devices',
      protocol: 'bs8521',
      name: 'Devices',
      destinationMatch: '^devices$',
      alarmEventMapperId: 'mapper-1',
      defaultEmergencyDestination: 'sip:guard@care.example',
    });
    const guard = await phoneAt(made, 'sender', 'guard');
    const unit = await phoneAt(made, 'sender', 'unit');
    const talk = await unit.invite('devices', made.pump);
    unit.acknowledge(talk, unit.response(200));
    await made.after(800);
    unit.audio.press(STRING);
    await made.until(() => callbacksOf(made.sender, 'alarmSendFailure').length === 1, 120_000);
    await answerCall(made, guard);
    expect(callbacksOf(made.sender, 'newAlarmbridgeEvent')).toHaveLength(1);
  });

  it('reaches its receiver by the call alone where the event sender only speaks', async () => {
    const made = await two('bs8521', { protocol: 'bs8521' }, { alarmHandling: 'voiceOnly' });
    centreBridge(made, 'voicecall', { defaultEmergencyDestination: `sip:arc@${CENTRE}` });
    made.centre.answerBy(() => answered({ action: 'callEmergencyCenter' }));
    const arc = await phoneAt(made, 'centre', 'arc');
    const unit = await phoneAt(made, 'sender', 'unit');
    const talk = await unit.invite('devices', made.pump);
    unit.acknowledge(talk, unit.response(200));
    await made.after(800);
    unit.audio.press(STRING);
    await answerCall(made, arc);
    await made.after(2_000);
    arc.audio.digits.splice(0);
    unit.audio.press('9');
    await made.after(800);
    expect(arc.audio.digits.map(({ digit }) => digit)).toContain('9');
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ protocol: 'voicecall' }]);
  });

  it('is acknowledged and not sent where the event sender drops it, or its rules do', async () => {
    for (const mapper of [
      { alarmHandling: 'drop' },
      { mappingRules: { rules: [{ when: { 'alarmEvent.priority': 0 }, drop: true }] } },
    ]) {
      const made = await two('scaip', { protocol: 'scaip' }, mapper);
      centreBridge(made, 'scaip');
      made.sender.request('MESSAGE', 'scaip-0001', { uri: 'sip:devices@care.example', body: SILENT });
      await made.after(2_000);
      expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toEqual([]);
      expect(callbacksOf(made.sender, 'newAlarmbridgeEvent')).toHaveLength(1);
    }
  });

  it('says what mappingRules have made of it, and pads its identity', async () => {
    const made = await two(
      'scaip',
      { protocol: 'bs8521' },
      {
        controllerIdPadLength: 8,
        deviceIdPadLength: 4,
        mappingRules: {
          rules: [{ when: { 'alarmEvent.audio': 'none' }, set: { 'alarmEvent.location': 'kitchen' } }],
        },
      },
    );
    centreBridge(made, 'bs8521');
    made.sender.request('MESSAGE', 'scaip-0001', {
      uri: 'sip:devices@care.example',
      body: SILENT.replace('12345678', '77').replace('0042', '5'),
    });
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
    await made.after(1_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
      { alarmEvent: { controllerId: '00000077', deviceId: '0005', location: 'kitchen' } },
    ]);
  });

  it('is the silence of a supervised device, and its return, too', async () => {
    const made = await two('scaip', { protocol: 'scaip' });
    centreBridge(made, 'scaip');
    made.sender.device({
      deviceId: '12345678:0042',
      serviceData: { alarmBridge: { heartbeatInterval: 300_000 } },
    });
    const heartbeat =
      '<mrq><ref>H1</ref><cid>12345678</cid><did>0042</did><dty>0002</dty><mty>PI</mty></mrq>';
    const beat = (ref: string) =>
      made.sender.request('MESSAGE', 'scaip-0001', {
        uri: 'sip:devices@care.example',
        body: heartbeat.replace('H1', ref),
      });
    beat('H1');
    await made.after(1_000_000);
    beat('H2');
    await made.after(10_000);
    const events = callbacksOf(made.centre, 'newAlarmbridgeEvent').map(({ alarmEvent }) => alarmEvent);
    expect(events).toMatchObject([
      { controllerId: '12345678', statusCode: 'offline' },
      { controllerId: '12345678', statusCode: 'online' },
    ]);
  });
});

const SILENT =
  '<mrq><ref>R1</ref><cid>12345678</cid><did>0042</did><dty>0004</dty><stc>0010</stc><crd>no-voice:</crd></mrq>';
