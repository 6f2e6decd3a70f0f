import { describe, expect, it } from 'vitest';
import { sendAlarmEventSchema } from '#shared/contract/runtime/index.ts';
import { CENTRE } from '#test/support/pair.ts';
import {
  AT_CENTRE,
  answerCall,
  callbacksOf,
  centreBridge,
  centreKnows,
  EVENT,
  keptPairs,
  LOGIN,
  phoneAt,
  send,
  sendingPair,
  speaking,
  VOICE,
  withPeople,
} from '#test/support/sending.ts';

/*
 * Every field of `sendalarmevent` (runtime API document 4.3 and 2.1), by what it does: at the receiver, at the device, or in the
 * callbacks to the application. The last test knows the fields of the contract.
 */

const opened = keptPairs();

type Said = Record<string, unknown>;

/** A centre of SCAIP, which knows no device. */
async function plain(protocol = 'scaip', login: Said = {}) {
  const made = await sendingPair({ protocol, destAddr: AT_CENTRE, ...login });
  opened.push(made);
  centreBridge(made, protocol);
  return made;
}

/** The event as it arrives, by SCAIP by default. */
async function arrived(body: Said, protocol = 'scaip'): Promise<Said> {
  const made = await plain(protocol);
  await send(made, body);
  await made.after(1_000);
  const [alarm] = callbacksOf(made.centre, 'newAlarmbridgeEvent');
  if (alarm === undefined) throw new Error('nothing has arrived');
  return alarm;
}

const eventOf = (alarmEvent: Said, protocol?: string) =>
  arrived({ alarmEvent }, protocol).then((alarm) => alarm.alarmEvent);
const sourceOf = (alarmEvent: Said) =>
  arrived({ alarmEvent }).then(({ sourceAlarmEvent }) => (sourceAlarmEvent as { fields: Said }).fields);

/** Receiver and device speak. */
async function talking(protocol: string, body: Said = {}, device = 'scaip') {
  const all = await withPeople(protocol, device);
  opened.push(all.made);
  return await speaking(all, body);
}

/** The centre's application asks the device to be louder; what the device hears. */
async function louder({ made, unit }: Awaited<ReturnType<typeof talking>>) {
  const [alarm] = callbacksOf(made.centre, 'newAlarmbridgeEvent');
  void made.centre.runtime.commands.command(String(alarm?.sessionId), { command: 'volumeUp' });
  await made.after(2_500);
  return unit.audio.digits.map(({ digit, by }) => `${digit} ${by}`);
}

/** How the digits of the string came to the receiver. */
async function formsAtCentre(toneSettings: Said): Promise<unknown[]> {
  const all = await talking('ttnew', { toneSettings });
  const [alarm] = callbacksOf(all.made.centre, 'newAlarmbridgeEvent');
  const received = all.made.centre.trace(String(alarm?.traceId)).filter(({ kind }) => kind === 'toneHeard');
  expect(received.length).toBeGreaterThan(20);
  return [...new Set(received.map(({ detail }) => detail.source))];
}

/** When the string was said, ms from the request that it answers; the receiver takes none of them while it `spoils`. */
async function saidAt(protocolParameters: Said, spoils = false): Promise<number[]> {
  const made = await plain('bs8521', LOGIN);
  centreKnows(made);
  const { traceId } = await send(made, { protocolParameters });
  await made.after(1_500);
  made.centre.breakDisk(spoils);
  await made.after(12_000);
  made.centre.breakDisk(false);
  await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
  await made.after(40_000);
  const trace = made.sender.trace(traceId);
  const asked = trace.find(({ kind }) => kind === 'toneHeard')?.atMs ?? 0;
  return trace
    .filter(({ kind, detail }) => kind === 'tonePlayed' && JSON.stringify(detail).includes('A0000'))
    .map(({ atMs, detail }) => atMs - asked + silenceOf(detail.tones));
}

const silenceOf = (tones: unknown): number =>
  (tones as { silenceMs?: number }[]).reduce((sum, { silenceMs = 0 }) => sum + silenceMs, 0);

const FIELDS: Readonly<Record<string, () => Promise<void>>> = {
  traceId: async () => {
    const made = await plain();
    expect(await send(made, { traceId: 'order-4711' })).toMatchObject({ traceId: 'order-4711' });
    await made.after(1_000);
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ traceId: 'order-4711' }]);
    expect(made.sender.trace('order-4711').map(({ kind }) => kind)).toContain('alarmSending');
  },
  sipFrom: async () => {
    expect(await arrived({ sipFrom: 'unit-17' })).toMatchObject({ sipFrom: 'unit-17' });
  },
  toneHandler: async () => {
    const read = await louder(await talking('bs8521'));
    expect(read).toEqual(['3 inband']);
    const asItIs = await louder(await talking('bs8521', { toneHandler: 'transparent' }));
    // The device is silent here: its centre says it again, since nothing of ours answers.
    expect(asItIs.slice(0, 4)).toEqual(['A inband', '3 inband', '4 inband', '# inband']);
  },
  'toneSettings.calleeDtmfSendType': async () => {
    expect(await formsAtCentre({ calleeDtmfSendType: '2833' })).toEqual(['2833']);
  },
  'toneSettings.callerDtmfSendType': async () => {
    const all = await talking('bs8521', { toneSettings: { callerDtmfSendType: '2833' } });
    expect(await louder(all)).toEqual(['3 rfc4733']);
    expect(await formsAtCentre({ callerDtmfSendType: '2833' })).toEqual(['inaudio']);
  },
  'toneSettings.dtmfSendType': async () => {
    expect(await formsAtCentre({ dtmfSendType: '2833' })).toEqual(['2833']);
    const all = await talking('bs8521', { toneSettings: { dtmfSendType: '2833' } });
    expect(await louder(all)).toEqual(['3 rfc4733']);
    expect(await formsAtCentre({})).toEqual(['inaudio']);
  },
  'protocolParameters.resendAlarmInterval': async () => {
    const gap = async (said: Said) => {
      const [first = 0, second = 0] = await saidAt(said, true);
      return second - first;
    };
    const usual = await gap({});
    expect(await gap({ resendAlarmInterval: usual + 700 })).toBeGreaterThan(usual + 100);
  },
  'protocolParameters.sendAlarmStringDelay': async () => {
    const [usual = 0] = await saidAt({});
    const [late = 0] = await saidAt({ sendAlarmStringDelay: 400 });
    expect(late - usual).toBeCloseTo(400 - 80, -2);
  },
  'alarmEvent.eventType': async () => {
    expect(await eventOf({ eventType: 'common' })).toMatchObject({ eventType: 'common' });
    expect(sendAlarmEventSchema.safeParse({ alarmEvent: { ...EVENT, eventType: 'own' } }).success).toBe(
      false,
    );
  },
  'alarmEvent.deviceType': async () => {
    expect(await eventOf({ deviceType: 'smokeDetector' })).toMatchObject({ deviceType: 'smokeDetector' });
  },
  'alarmEvent.controllerId': async () => {
    expect(await eventOf({ controllerId: '87654321' })).toMatchObject({ controllerId: '87654321' });
  },
  'alarmEvent.deviceId': async () => {
    expect(await eventOf({ deviceId: '0077' })).toMatchObject({ deviceId: '0077' });
  },
  'alarmEvent.deviceComponent': async () => {
    expect(await eventOf({ deviceComponent: 'button2' })).toMatchObject({ deviceComponent: 'button2' });
  },
  'alarmEvent.systemConfig': async () => {
    const systemConfig = 'groupedSupervisorOnDuty';
    expect(await eventOf({ systemConfig })).toMatchObject({ systemConfig });
  },
  'alarmEvent.location': async () => {
    expect(await eventOf({ location: 'kitchen' })).toMatchObject({ location: 'kitchen' });
  },
  'alarmEvent.callerId': async () => {
    expect(await sourceOf({ callerId: 'sip:17@care.example', audio: 'duplex' })).toMatchObject({
      crd: ['sip:17@care.example'],
    });
  },
  'alarmEvent.audio': async () => {
    expect(await eventOf({ audio: 'none' })).toMatchObject({ audio: 'none' });
    expect(await eventOf({ audio: 'duplex' })).toMatchObject({ audio: 'duplex' });
    expect(await eventOf({ audio: 'simplex' }, 'nowip')).toMatchObject({ audio: 'simplex' });
  },
  'alarmEvent.priority': async () => {
    expect(await eventOf({ priority: 3 })).toMatchObject({ priority: 3 });
  },
  'alarmEvent.customerSiteId': async () => {
    // The site is part of what the device is looked up by: only then is its protocol known, and commands reach it.
    const receivedWith = async (customerSiteId: string | undefined) => {
      const all = await withPeople('bs8521');
      opened.push(all.made);
      all.made.sender.device({
        deviceId: 'north:12345678:0042',
        authType: 'disabled',
        serviceData: { alarmBridge: { alarmProtocol: 'scaip' } },
      });
      const talk = await speaking(all, { alarmEvent: { customerSiteId } });
      return await louder(talk);
    };
    expect(await receivedWith('north')).toEqual(['3 inband']);
    expect(await receivedWith(undefined)).toEqual([]);
  },
  'alarmEvent.statusCode': async () => {
    expect(await eventOf({ statusCode: 'lowBattery' })).toMatchObject({ statusCode: 'lowBattery' });
  },
  eventReceiver: async () => {
    const made = await plain();
    made.sender.mapper({ protocol: 'nowip', destAddr: AT_CENTRE }, { id: 'mapper-2' });
    const south = { id: 'south', protocol: 'api', name: 'South', destinationMatch: '^south$', order: 1 };
    made.sender.bridge({ ...south, alarmEventMapperId: 'mapper-2' });
    await send(made);
    await send(made, { eventReceiver: 'south' });
    await made.after(60_000);
    const outcomes = made.sender.posted.map(({ call, body }) => `${call.path} ${body.protocol}`);
    // The centre speaks SCAIP.
    expect(outcomes).toEqual(['/alarmSent scaip', '/alarmSendFailure nowip']);
  },
  callbackSipFrom: async () => {
    const all = await withPeople('scaip', 'scaip');
    opened.push(all.made);
    await send(all.made, { ...VOICE, callbackSipFrom: '+4612345' });
    await answerCall(all.made, all.arc);
    await all.made.until(() => all.unit.has('INVITE'), 20_000);
    expect(all.unit.request('INVITE').from.uriText).toBe('sip:+4612345@care.example');
    await all.made.after(60_000);
  },
  protocol: async () => {
    const made = await plain('bs8521', LOGIN);
    centreKnows(made);
    const { sipAuthUser: username, sipAuthPassword: password } = LOGIN;
    const direct = { eventReceiver: undefined, protocol: 'bs8521', destAddr: AT_CENTRE, username, password };
    await send(made, direct);
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ protocol: 'bs8521' }]);
    await made.after(30_000);
  },
  alarmVoiceCallbackDestination: async () => {
    const { made, unit, unitTalk } = await talking('scaip');
    expect(unitTalk.to).toContain('sip:');
    unit.inDialog(unitTalk, 'BYE');
    await made.after(20_000);
    // Without it no party is called.
    const alone = await withPeople('scaip', 'scaip');
    opened.push(alone.made);
    await send(alone.made, { alarmEvent: { audio: 'duplex' } });
    await alone.made.after(10_000);
    expect(alone.unit.has('INVITE')).toBe(false);
    await alone.made.after(70_000);
  },
  destAddr: async () => {
    const made = await plain();
    const direct = { eventReceiver: undefined, protocol: 'scaip', destAddr: `sip:other@${CENTRE}` };
    made.centre.bridge({ id: 'other', name: 'Other', destinationMatch: '^other$', order: 1 });
    await send(made, direct);
    await made.after(1_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toMatchObject([{ calledParty: 'other' }]);
    expect(callbacksOf(made.sender, 'alarmSent')).toMatchObject([{ serviceProvider: 'other' }]);
  },
  username: async () => {
    const outcome = async (login: Said) => {
      const made = await plain('bs8521');
      centreKnows(made);
      await send(made, { eventReceiver: undefined, protocol: 'bs8521', destAddr: AT_CENTRE, ...login });
      await made.after(40_000);
      const failed = callbacksOf(made.sender, 'alarmSendFailure').map(({ warning }) => warning);
      return failed[0] ?? (callbacksOf(made.sender, 'alarmSent').length === 1 ? 'sent' : 'nothing');
    };
    const { sipAuthUser: username, sipAuthPassword: password } = LOGIN;
    expect(await outcome({ username, password })).toBe('sent');
    expect(await outcome({ username: 'somebody', password })).toBe('authFailed');
    expect(await outcome({ username, password: 'wrong' })).toBe('authFailed');
  },
  password: async () => {
    // Seen with the user; here that it is kept from everything that is written.
    const made = await plain();
    const { traceId } = await send(made, {
      eventReceiver: undefined,
      protocol: 'scaip',
      destAddr: AT_CENTRE,
      username: 'carillon',
      password: 'hush-4711',
    });
    await made.after(1_000);
    expect(JSON.stringify([made.sender.trace(traceId), made.sender.logged])).not.toContain('hush-4711');
  },
  defaultEmergencyDestination: async () => {
    const all = await withPeople('scaip', 'scaip');
    opened.push(all.made);
    // CRE 61: the receiver asks for a call and names no number.
    all.made.centre.device({
      deviceId: '12345678:0042',
      authType: 'disabled',
      serviceData: { alarmBridge: { usePredefinedDestination: true } },
    });
    const person = await phoneAt(all.made, 'sender', 'person');
    await send(all.made, { ...VOICE, defaultEmergencyDestination: 'sip:person@care.example' });
    await answerCall(all.made, person);
    await answerCall(all.made, all.unit);
    await all.made.after(1_500);
    person.audio.digits.splice(0);
    all.unit.audio.press('9');
    await all.made.after(800);
    expect(person.audio.digits.map(({ digit }) => digit)).toEqual(['9']);
  },
};

describe('sendalarmevent', () => {
  it.each(Object.keys(FIELDS))('%s', (field) => FIELDS[field]?.());

  it('has a test here for each field of the contract', () => {
    const { alarmEvent, toneSettings, protocolParameters, ...others } = sendAlarmEventSchema.shape;
    const below = (name: string, shape: object) => Object.keys(shape).map((field) => `${name}.${field}`);
    const fields = [
      ...Object.keys(others),
      ...below('alarmEvent', alarmEvent.shape),
      ...below('toneSettings', toneSettings.unwrap().shape),
      ...below('protocolParameters', protocolParameters.unwrap().shape),
    ];
    expect(Object.keys(FIELDS).toSorted()).toEqual(fields.toSorted());
  });
});
