import { describe, expect, it } from 'vitest';
import { ProfileTables } from '#appliance/alarm/profile/index.ts';
import { protocolFor } from '#appliance/alarm/receiver/index.ts';
import { toneSteps } from '#appliance/alarm/voice/tone-steps.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import {
  ALARM_PROTOCOLS,
  protocolProfileRequestSchema,
  replicatedAlarmBridgeSchema,
} from '#shared/contract/provisioning/index.ts';

/** The question that a call to a bridge of each protocol gets; 'call': the call itself is the event. */
const BY_CALL: Readonly<Record<(typeof ALARM_PROTOCOLS)[number], readonly string[] | 'call'>> = {
  scaip: ['bs8521'],
  nowip: ['bs8521'],
  nowipcontroller: ['bs8521'],
  lacs: ['bs8521'],
  bs8521: ['bs8521'],
  tt92: ['tt92'],
  ttnew: ['ttnew'],
  rb2000: 'call',
  p100: ['p100'],
  'cpc-antenna': ['cpc-antenna'],
  contactId: ['contactId'],
  multiprotocol: ['bs8521', 'ttnew', 'tt92', 'contactId', 'p100', 'cpc-antenna'],
  deviceProvisioned: ['bs8521', 'ttnew', 'tt92', 'contactId', 'p100', 'cpc-antenna'],
  dc09: ['bs8521'],
  api: ['bs8521'],
  voicecall: 'call',
  call: 'call',
};

/** The reader that takes a MESSAGE to it; undefined: it is no alarm of this bridge. */
const BY_MESSAGE: Readonly<Record<string, string>> = {
  scaip: 'scaip',
  nowip: 'nowip',
  nowipcontroller: 'nowipcontroller',
  lacs: 'lacs',
  multiprotocol: 'scaip',
  deviceProvisioned: 'scaip',
};

const bridge = (protocol: string, more: object = {}) =>
  replicatedAlarmBridgeSchema.parse({ id: 'b', protocol, name: 'B', destinationMatch: 'x', ...more });
const tenant = new TenantModel('care.example');
const profiles = new ProfileTables({ tenant: () => tenant, log: () => undefined });
const asked = (protocol: string, more: object = {}, remembered?: string) =>
  toneSteps(bridge(protocol, more), undefined, remembered, profiles)?.steps.map((step) => step.protocol.name);

describe('every protocol of a bridge', () => {
  it.each(ALARM_PROTOCOLS)('%s has what takes a call, and what takes a MESSAGE', (protocol) => {
    const expected = BY_CALL[protocol];
    const own = ['scaip', 'nowip', 'nowipcontroller', 'lacs', 'dc09', 'api'].includes(protocol);
    // A call to a bridge that speaks otherwise is asked only what its fallback says; else it is an event by itself.
    const steps = asked(protocol, own ? { fallbackAlarmProtocol: 'bs8521' } : {});
    expect(steps ?? 'call').toEqual(expected);
    expect(protocolFor(bridge(protocol), undefined, 'message')).toBe(BY_MESSAGE[protocol]);
    expect(protocolFor(bridge(protocol), undefined, 'frame') === 'dc09').toBe(
      ['dc09', 'multiprotocol', 'deviceProvisioned'].includes(protocol),
    );
  });

  it('deviceProvisioned takes the protocol of the device', () => {
    const device = { serviceData: { alarmBridge: { alarmProtocol: 'p100' } } };
    const steps = toneSteps(bridge('deviceProvisioned'), device as never, undefined, profiles);
    expect(steps?.steps.map(({ protocol }) => protocol.name)).toEqual(['p100']);
  });

  it.each([
    ['a unit', 'alarmUnit', 600, 1_600],
    ['the controller of a scheme', 'alarmbridgeGroupSchemeController', 1_000, 2_000],
    ['a unit behind one', 'alarmbridgeGroupSchemeUnit', 1_000, 2_000],
  ])('%s of BS 8521 is asked as long as it listens', (_, deviceType, ms, repeatEveryMs) => {
    for (const protocol of ['bs8521', 'multiprotocol']) {
      const steps = toneSteps(bridge(protocol), { deviceType } as never, undefined, profiles);
      expect(steps?.steps[0]?.protocol.profile.trigger).toMatchObject({
        send: [{ digit: 'B', ms }],
        repeatEveryMs,
      });
    }
  });

  it('multiprotocol begins with what the number spoke last time', () => {
    expect(asked('multiprotocol', {}, 'tt92')?.slice(0, 2)).toEqual(['tt92', 'bs8521']);
  });

  it('multiprotocol asks in the order and as often as the profile says, of the tenant or of the bridge', () => {
    const put = (name: string, content: object) =>
      tenant.put(
        'protocolprofile',
        name,
        protocolProfileRequestSchema.parse({ name, kind: 'tone', extends: 'multiprotocol', content }),
      );
    put('multiprotocol', { listenMs: 3_000 });
    const steps = [
      { profile: 'tt92', tries: 3 },
      { profile: 'bs8521', tries: 1 },
    ];
    put('tunstall', { steps });
    const own = toneSteps(
      bridge('multiprotocol', { protocolProfile: 'tunstall' }),
      undefined,
      undefined,
      profiles,
    );
    expect(own?.steps.map(({ protocol, tries }) => [protocol.name, tries])).toEqual([
      ['tt92', 3],
      ['bs8521', 1],
    ]);
    expect(own?.listenMs).toBe(3_000);
    expect(asked('multiprotocol')).toEqual(BY_CALL.multiprotocol);
    tenant.remove('protocolprofile', 'multiprotocol');
  });

  it('a profile that is switched off is not tried', () => {
    tenant.put('protocolprofile', 'p100', {
      name: 'p100',
      kind: 'tone',
      extends: 'p100',
      content: { enabled: false },
    });
    expect(asked('multiprotocol')).not.toContain('p100');
    expect(asked('p100')).toBeUndefined();
  });
});
