import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  replicatedAlarmEventMapperSchema,
  replicatedMediaServiceSchema,
} from '#shared/contract/provisioning/index.ts';
import {
  AT_CENTRE,
  callbacksOf,
  centreBridge,
  EVENT,
  keptPairs,
  LOGIN,
  phoneAt,
  send,
  sendingPair,
  speaking,
  withPeople,
} from '#test/support/sending.ts';
import { atPhone, elementOf, inviteOf, messageOf, NOWHERE, PHONE_HOST } from '#test/support/sending-phone.ts';

/*
 * Every field of an alarm event mapper (provisioning document 2.3) but those of its target, which are in `mapper-target.test.ts`, by
 * what it does: at the receiver, at the device, or in the callbacks to the application. The last tests know the fields of the contract.
 */

const opened = keptPairs();

type Said = Record<string, unknown>;

const TARGET = { protocol: 'scaip', destAddr: AT_CENTRE };

async function toCentre(mapper: Said = {}) {
  const made = await sendingPair(TARGET, { mapper });
  opened.push(made);
  centreBridge(made, 'scaip');
  return made;
}

/** Controller and unit as SCAIP says them. */
async function identity(mapper: Said, alarmEvent: Said) {
  const message = await messageOf(opened, {}, mapper, { alarmEvent });
  return [elementOf(message, 'cid'), elementOf(message, 'did')];
}

const fromOf = (mapper: Said, body: Said) =>
  messageOf(opened, {}, mapper, body).then(({ from }) => from.uriText);
const callerOf = (mapper: Said, body: Said) =>
  inviteOf(opened, {}, mapper, body).then(({ from }) => from.uriText);

const FIELDS: Readonly<Record<string, () => Promise<void>>> = {
  id: async () => {
    const made = await toCentre();
    made.sender.mapper(
      { protocol: 'callback', partnerUrl: 'https://partner.example/in' },
      { id: 'mapper-2' },
    );
    const south = { id: 'south', protocol: 'api', name: 'South', destinationMatch: '^south$', order: 1 };
    made.sender.bridge({ ...south, alarmEventMapperId: 'mapper-2' });
    for (const eventReceiver of ['north', 'south']) {
      await send(made, { eventReceiver });
      await made.after(1_000);
    }
    expect(callbacksOf(made.sender, 'alarmSent').map(({ protocol }) => protocol)).toEqual([
      'scaip',
      'callback',
    ]);
  },
  name: async () => {
    const { made } = await atPhone(opened, {}, { name: 'Old centre', alarmHandling: 'drop' });
    expect((await send(made)).message).toContain('Old centre');
  },
  alarmHandling: async () => {
    const outcome = async (alarmHandling: string) => {
      const destination = { defaultVoiceDestination: `sip:people@${PHONE_HOST}` };
      const { made, arc } = await atPhone(opened, destination, { alarmHandling });
      await send(made);
      await made.after(1_000);
      const applications = made.sender.posted.filter(({ target }) =>
        target.url.endsWith('/newAlarmbridgeEvent'),
      );
      return [arc.has('MESSAGE'), arc.has('INVITE'), applications.length];
    };
    expect(await outcome('forward')).toEqual([true, false, 0]);
    expect(await outcome('voiceOnly')).toEqual([false, true, 0]);
    expect(await outcome('callback')).toEqual([false, false, 1]);
    expect(await outcome('drop')).toEqual([false, false, 0]);
  },
  deviceIdPadLength: async () => {
    expect(await identity({ deviceIdPadLength: 4 }, { deviceId: '5' })).toEqual(['12345678', '0005']);
    expect(await identity({ deviceIdPadLength: 2 }, { deviceId: '0042' })).toEqual(['12345678', '0042']);
  },
  controllerIdPadLength: async () => {
    expect(await identity({ controllerIdPadLength: 8 }, { controllerId: '77' })).toEqual([
      '00000077',
      '0042',
    ]);
  },
  mapDeviceIdToControllerId: async () => {
    expect(await identity({ mapDeviceIdToControllerId: true }, {})).toEqual(['0042', undefined]);
    const padded = { mapDeviceIdToControllerId: true, controllerIdPadLength: 6 };
    expect(await identity(padded, {})).toEqual(['000042', undefined]);
    expect(await identity({ mapDeviceIdToControllerId: true }, { deviceId: undefined })).toEqual([
      '12345678',
      undefined,
    ]);
  },
  useDeviceIdAsSipFrom: async () => {
    const body = { sipFrom: 'unit-17' };
    expect(await fromOf({ useDeviceIdAsSipFrom: true }, body)).toBe('sip:0042@care.example');
    expect(await fromOf({}, body)).toBe('sip:unit-17@care.example');
  },
  useVoiceCallbackDestinationAsARCSipFrom: async () => {
    const body = { sipFrom: 'unit-17', alarmVoiceCallbackDestination: 'sip:flat-4@care.example' };
    const mapper = { useVoiceCallbackDestinationAsARCSipFrom: true };
    expect(await callerOf(mapper, body)).toBe('sip:flat-4@care.example');
    expect(await callerOf({}, body)).toBe('sip:unit-17@care.example');
    // A call that says the alarm in tones is the voice call, too.
    for (const protocol of ['bs8521', 'tt92', 'ttnew'])
      expect((await inviteOf(opened, { protocol }, mapper, body)).from.uriText).toBe(
        'sip:flat-4@care.example',
      );
    // The event itself comes from the device as ever.
    expect(await fromOf(mapper, body)).toBe('sip:unit-17@care.example');
  },
  fromDomain: async () => {
    const body = { sipFrom: 'unit-17' };
    expect(await fromOf({ fromDomain: 'homes.example' }, body)).toBe('sip:unit-17@homes.example');
    expect(await callerOf({ fromDomain: 'homes.example' }, body)).toBe('sip:unit-17@homes.example');
  },
  callerId: async () => {
    const mapper = { callerId: '+46855511000' };
    const body = { alarmEvent: { audio: 'duplex', callerId: 'sip:own@care.example' } };
    expect(elementOf(await messageOf(opened, {}, mapper, body), 'crd')).toBe('sip:+46855511000');
    const invite = await inviteOf(opened, {}, mapper);
    expect(invite.header('P-Asserted-Identity')).toBe('<sip:+46855511000@care.example>');
    expect((await inviteOf(opened, {})).header('P-Asserted-Identity')).toBeUndefined();
  },
  voiceCallSipFromUserMatch: async () => {
    const mapper = { voiceCallSipFromUserMatch: '^00(\\d+)$', voiceCallSipFromUserRewrite: '+$1' };
    expect(await callerOf(mapper, { sipFrom: '0046123' })).toBe('sip:+46123@care.example');
    expect(await callerOf(mapper, { sipFrom: '4700123' })).toBe('sip:4700123@care.example');
    expect(await fromOf(mapper, { sipFrom: '0046123' })).toBe('sip:0046123@care.example');
  },
  voiceCallSipFromUserRewrite: async () => {
    const mapper = { voiceCallSipFromUserMatch: '(\\d\\d)(\\d+)', voiceCallSipFromUserRewrite: '$2-$1' };
    expect(await callerOf(mapper, { sipFrom: '46123' })).toBe('sip:123-46@care.example');
  },
  unknownAlarmEventVoiceDestination: async () => {
    const mapper = { unknownAlarmEventVoiceDestination: 'sip:person@care.example' };
    const called = async (statusCode: string) => {
      const { made } = await atPhone(opened, { protocol: 'tt92' }, mapper);
      const person = await phoneAt(made, 'sender', 'person');
      await send(made, { alarmEvent: { statusCode } });
      await made.after(1_000);
      return person.has('INVITE');
    };
    // TT has a call code for an alarm, and none for its end.
    expect([await called('restoral'), await called('alarm')]).toEqual([true, false]);
  },
  maxSessionDuration: async () => {
    const failures = async (maxSessionDuration: number) => {
      const { made } = await atPhone(opened, { destAddr: NOWHERE }, { maxSessionDuration });
      await send(made);
      await made.after(4_000);
      return callbacksOf(made.sender, 'alarmSendFailure');
    };
    expect(await failures(3)).toMatchObject([
      { warning: 'timeout', reason: expect.stringContaining('not acknowledged within 3 s') },
    ]);
    expect(await failures(5)).toEqual([]);
    const all = await withPeople('bs8521', 'scaip');
    opened.push(all.made);
    all.made.sender.mapper({ protocol: 'bs8521', destAddr: AT_CENTRE, ...LOGIN }, { maxSessionDuration: 60 });
    const { made, arc, unit } = await speaking(all);
    await made.after(20_000);
    expect([arc.has('BYE'), unit.has('BYE')]).toEqual([false, false]);
    await made.after(50_000);
    expect([arc.has('BYE'), unit.has('BYE')]).toEqual([true, true]);
  },
  preferredCodec: async () => {
    const first = async (preferredCodec: string) => {
      const invite = await inviteOf(opened, {}, { preferredCodec });
      return /m=audio \d+ \S+ (\d+) /.exec(invite.body.toString())?.[1];
    };
    expect([await first('PCMU'), await first('PCMA')]).toEqual(['0', '8']);
  },
  enforceIvrDestination: async () => {
    const asked = async (enforceIvrDestination: boolean) => {
      const target = { protocol: 'voicecall', destAddr: 'sip:menu@care.example' };
      const { made } = await atPhone(opened, target, { enforceIvrDestination });
      const service = { id: 'menu', name: 'Menu', destinationMatch: '^menu$' };
      const row = { ...service, callbackBaseUrl: 'https://app.example/menu' };
      made.sender.tenant.put('mediaservice', 'menu', replicatedMediaServiceSchema.parse(row));
      await send(made);
      await made.after(2_000);
      return callbacksOf(made.sender, 'newCall').map(({ calledParty }) => calledParty);
    };
    expect([await asked(true), await asked(false)]).toEqual([['menu'], []]);
  },
};

describe('alarm event mapper', () => {
  it.each(Object.keys(FIELDS))('%s', (field) => FIELDS[field]?.());
});

describe('mappingRules of an alarm event mapper', () => {
  const CHANGES = {
    deviceType: 'smokeDetector',
    statusCode: 'lowBattery',
    location: 'kitchen',
    deviceComponent: 'button2',
    systemConfig: 'groupedSupervisorOnDuty',
    controllerId: '87654321',
    deviceId: '0077',
    audio: 'duplex',
    priority: 3,
  };

  /** The event as the receiver hears it under these rules; undefined: nothing. */
  async function under(...rules: Said[]): Promise<unknown> {
    const made = await toCentre({ mappingRules: { rules } });
    await send(made);
    await made.after(1_000);
    return callbacksOf(made.centre, 'newAlarmbridgeEvent')[0]?.alarmEvent;
  }
  const KITCHEN = { set: { 'alarmEvent.location': 'kitchen' } };

  it.each(Object.entries(CHANGES))('set alarmEvent.%s: %s', async (field, value) => {
    const event = await under({ set: { [`alarmEvent.${field}`]: value } });
    expect(event).toMatchObject({ ...EVENT, [field]: value });
  });

  it.each([
    ['a literal', { 'alarmEvent.deviceType': 'fallDetector' }, true],
    ['another literal', { 'alarmEvent.deviceType': 'smokeDetector' }, false],
    ['a number', { 'alarmEvent.priority': 7 }, true],
    ['a list', { 'alarmEvent.location': ['kitchen', 'bedRoom'] }, true],
    ['a list without it', { 'alarmEvent.location': ['kitchen', 'garden'] }, false],
    ['an expression', { 'alarmEvent.controllerId': '/^1234/' }, true],
    ['another expression', { 'alarmEvent.controllerId': '/^4321/' }, false],
    ['absence', { 'alarmEvent.deviceComponent': null }, true],
    ['absence of what is there', { 'alarmEvent.deviceId': null }, false],
    ['both of two', { 'alarmEvent.priority': 7, targetAlarmProtocol: 'scaip' }, true],
    ['one of two', { 'alarmEvent.priority': 7, targetAlarmProtocol: 'nowip' }, false],
  ])('when %s', async (_, when, matches) => {
    expect(await under({ when, ...KITCHEN })).toMatchObject({ location: matches ? 'kitchen' : 'bedRoom' });
  });

  it('the first rule that matches decides', async () => {
    const garden = { set: { 'alarmEvent.location': 'garden' } };
    expect(await under({ when: { 'alarmEvent.priority': 1 }, ...garden }, KITCHEN, garden)).toMatchObject({
      location: 'kitchen',
    });
  });

  it('drop: nothing is sent, and the asker is informed', async () => {
    const made = await toCentre({ mappingRules: { rules: [{ drop: true }] } });
    expect((await send(made)).message).toBe('mappingRules drop the event');
    await made.after(1_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toEqual([]);
  });

  it('path, body and headers of a target that takes JSON', async () => {
    const body = {
      unit: '{{alarmEvent.deviceId}}',
      priority: '{{alarmEvent.priority}}',
      text: 'of {{domain}}',
    };
    const rules = [{ path: '/fall', body, headers: { 'X-Kind': '{{alarmEvent.deviceType}}' } }];
    const target = { protocol: 'callback', partnerUrl: 'https://partner.example/in', destAddr: undefined };
    const { made } = await atPhone(opened, target, { mappingRules: { rules } });
    await send(made);
    await made.after(1_000);
    const [posted] = made.sender.posted;
    expect([posted?.target.url, posted?.call.path]).toEqual(['https://partner.example/in', '/fall']);
    expect(posted?.body).toEqual({ unit: '0042', priority: 7, text: 'of care.example' });
    expect(posted?.call.headers).toEqual({ 'X-Kind': 'fallDetector' });
  });
});

/** Fields whose tests need a device on the line, a clock or a profile, by the file that has them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  analogueVoiceNumber: 'sending-forward.test.ts',
  useVoiceBridge: 'sending-forward.test.ts',
  enableDestinationMonitoring: 'sending-watch.test.ts',
  protocolProfile: 'sending-profile.test.ts',
};

it('has a test here for each field of the contract, or names the file of it', () => {
  const {
    targetEndpoint: _,
    description: __,
    mappingRules: ___,
    ...rest
  } = replicatedAlarmEventMapperSchema.shape;
  const tested = [...Object.keys(FIELDS), ...Object.keys(ELSEWHERE)];
  expect(tested.toSorted()).toEqual(Object.keys(rest).toSorted());
  for (const [field, file] of Object.entries(ELSEWHERE))
    expect(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')).toContain(field);
});
