import { describe, expect, it } from 'vitest';
import { passInfo } from '#appliance/alarm/sending/speech/info-digit-relay.ts';
import type { Talk } from '#appliance/alarm/sending/speech/speech-relay.ts';
import { numbersOf, providerUser, relayOf, speechAlarm } from '#appliance/alarm/sending/speech/talk-relay.ts';
import { planOf } from '../attempt/attempt-room.ts';

const planFor = (protocol: string, voice: object = {}, order: object = {}) =>
  planOf({
    order: {
      event: { audio: 'duplex' },
      callingParty: 'unit',
      voice: { transparent: false, tones: { towardsReceiver: 'inaudio', towardsDevice: '2833' }, ...voice },
      ...order,
    },
    target: { protocol, headers: [] },
  });

describe('digits between a device and its receiver', () => {
  it.each<[string, string | undefined, object]>([
    ['voicecall', undefined, { aToB: { as: 'inband' }, bToA: { as: 'rfc4733' } }],
    ['scaip', undefined, { aToB: { as: 'inband' }, bToA: { as: 'rfc4733' } }],
    ['scaip', 'scaip', { aToB: { as: 'inband' }, bToA: { as: 'rfc4733' } }],
    ['scaip', 'bs8521', { aToB: { as: 'inband' }, bToA: { as: 'none' } }],
    ['bs8521', undefined, { aToB: { as: 'inband' }, bToA: { as: 'none' } }],
    ['tt92', undefined, { aToB: { as: 'inband' }, bToA: { as: 'none' } }],
    ['ttnew', undefined, { aToB: { as: 'inband' }, bToA: { as: 'none' } }],
  ])('pass from %s with a device of %s', (protocol, device, expected) => {
    expect(relayOf(planFor(protocol), device)).toEqual(expected);
  });

  it('pass as they are where the speech is transparent', () => {
    expect(relayOf(planFor('bs8521', { transparent: true }), 'bs8521')).toEqual({});
  });

  it('by INFO are put into the audio of the other side where the speech is transparent', () => {
    const sent: string[] = [];
    const hear: Record<string, (digits: string, ms: number) => void> = {};
    const side = (leg: string) => ({
      leg,
      hearInfo: (pass: (digits: string, ms: number) => void) => {
        hear[leg] = pass;
      },
    });
    const talkOf = (transparent: boolean, joined: boolean) =>
      ({
        plan: planFor('scaip', { transparent }),
        receiver: side('receiver'),
        device: side('device'),
        joined,
      }) as unknown as Talk;
    const media = {
      sendDigits: async (
        leg: string,
        _name: string,
        { digits, mode, onMs }: { digits: string; mode: string; onMs: number },
      ) => {
        sent.push(`${digits} to ${leg} ${mode} ${onMs} ms`);
        return { ok: true };
      },
    };
    const pass = (talk: Talk) => passInfo(() => undefined, media as never, talk);
    pass(talkOf(false, true));
    expect(hear).toEqual({});
    const talk = talkOf(true, true);
    pass(talk);
    hear.receiver?.('5', 120);
    hear.device?.('7', 80);
    expect(sent).toEqual(['5 to device auto 120 ms', '7 to receiver inband 80 ms']);
    talk.joined = false;
    hear.receiver?.('5', 120);
    expect(sent).toHaveLength(2);
  });
});

describe('the numbers of a talk', () => {
  it('that a receiver may call back are each that it has seen, in small letters', () => {
    const plan = planFor(
      'scaip',
      {},
      { event: { callerId: 'sip:House@care.example' }, callingParty: 'Unit7' },
    );
    expect(numbersOf(plan)).toEqual(['unit', 'house', 'unit7']);
    expect(numbersOf(planFor('scaip', {}, { callingParty: '' }))).toEqual(['unit']);
  });

  it('that a device sees is the receiver, or ours where that has no user', () => {
    expect(providerUser(planFor('scaip'))).toBe('arc');
    const plan = planOf({ address: { destination: '', from: { user: 'unit' } } });
    expect(providerUser(plan)).toBe('unit');
  });
});

it('an alarm about speech names session, device and bridge, as far as they are known', () => {
  const plan = planFor('scaip', {}, { deviceId: 'unit', bridgeId: 'bridge-1' });
  expect(speechAlarm(plan, 'callLost', 'it broke off', 'sip:arc@example.com')).toEqual({
    type: 'serviceAlarm',
    error: 'callLost',
    errorDetails: { reason: 'it broke off', destination: 'sip:arc@example.com' },
    sessionId: 's',
    deviceId: 'unit',
    alarmBridgeId: 'bridge-1',
  });
  expect(speechAlarm(planFor('scaip'), 'callLost', '', '')).not.toHaveProperty('deviceId');
});
