import { describe, expect, it } from 'vitest';
import { ProfileTables } from '#appliance/alarm/profile/index.ts';
import { BS8521_PROFILE } from '#appliance/alarm/protocol/bs8521/index.ts';
import { SCAIP_PROFILE } from '#appliance/alarm/protocol/scaip/index.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import { type ProfileKind, protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { at, TABLE_OF } from '#test/shared/contract/profile/content-table.ts';

function table() {
  const tenant = new TenantModel('care.example');
  const logged: string[] = [];
  const profiles = new ProfileTables({
    tenant: () => tenant,
    log: (_, event, __, detail) => logged.push(`${event} ${JSON.stringify(detail)}`),
  });
  const put = (name: string, kind: string, from: string, content: unknown) =>
    tenant.put(
      'protocolprofile',
      name,
      protocolProfileSchema.parse({ name, kind: kind as ProfileKind, extends: from, content }),
    );
  return { tenant, profiles, put, logged };
}

/** The profile that an engine gets for a built-in one. */
const READ: Readonly<Record<string, (profiles: ProfileTables, named: string) => unknown>> = {
  bs8521: (profiles, named) => profiles.bs8521(named),
  tt92: (profiles, named) => profiles.tt92(named),
  ttnew: (profiles, named) => profiles.ttnew(named),
  rb2000: (profiles, named) => profiles.rb2000(named),
  p100: (profiles, named) => profiles.p100(named),
  'cpc-antenna': (profiles, named) => profiles.cpc(named),
  'twon-text': (profiles, named) => profiles.twon(named),
  contactId: (profiles, named) => profiles.contactId(named),
  scaip: (profiles, named) => profiles.scaip(named),
  nowip: (profiles, named) => profiles.nowip(named),
  nowipcontroller: (profiles, named) => profiles.nowIpController(named),
  lacs: (profiles, named) => profiles.lacs(named),
  dc09: (profiles, named) => profiles.dc09(named),
  dc07: (profiles, named) => profiles.dc07(named),
};

/** Fields that concern the callback, not the protocol; said by a file about itself; which width an identity may have is said for people; the answer names one source only. */
const WITHOUT_EFFECT = ['unknownDeviceType', 'confidence', 'unconfirmed', 'reply.callbackFrom'];

for (const [root, read] of Object.entries(READ)) {
  const [kind, rows] = TABLE_OF[root] ?? ['', []];
  const keys = rows.filter(([path]) => !WITHOUT_EFFECT.includes(path) && path !== 'enabled');
  describe(`every key of ${root}`, () => {
    it.each(keys)('%s changes what the engine is given', (path, taken) => {
      const { profiles } = table();
      const built = JSON.stringify(read(profiles, 'mine'));
      const changed = taken.some((value) => {
        const one = table();
        one.put('mine', kind, root, at(path, value));
        return JSON.stringify(read(one.profiles, 'mine')) !== built;
      });
      expect(changed).toBe(true);
    });

    it('unknownDeviceType is reported by those that name it, and where the tenant changes the built-in one', () => {
      const { profiles, put } = table();
      expect(profiles.unknownDeviceType(root, 'mine')).toBeUndefined();
      put('mine', kind, root, { unknownDeviceType: 'specialFunction' });
      expect(profiles.unknownDeviceType(root, 'mine')).toBe('specialFunction');
      expect(profiles.unknownDeviceType('voicecall', 'mine')).toBe('specialFunction');
      expect(profiles.unknownDeviceType(root, undefined)).toBeUndefined();
      put(root, kind, root, { unknownDeviceType: 'auxInput' });
      expect(profiles.unknownDeviceType(root, undefined)).toBe('auxInput');
    });

    it('enabled switches it', () => {
      for (const enabled of [true, false]) {
        const { profiles, put } = table();
        put('mine', kind, root, { enabled });
        expect(profiles.isOn(root as 'bs8521', 'mine')).toBe(enabled);
      }
    });
  });
}

describe('levels', () => {
  it('are the built-in file, the row of its name, and the row that a destination names with what it extends', () => {
    const { profiles, put } = table();
    put('bs8521', 'tone', 'bs8521', { settleMs: 11, commands: { max: 11, onMs: 111 } });
    put('slow', 'tone', 'bs8521', { commands: { max: 12, offMs: 112 } });
    put('slower', 'tone', 'slow', { commands: { offMs: 113 } });
    expect(profiles.bs8521()).toMatchObject({ settleMs: 11, commands: { max: 11, onMs: 111, offMs: 80 } });
    expect(profiles.bs8521('slower')).toMatchObject({
      settleMs: 11,
      commands: { max: 12, onMs: 111, offMs: 113, longAMs: 250 },
    });
  });

  it('stay as they are when another protocol changes its own', () => {
    const { profiles, put } = table();
    put('mine', 'tone', 'tt92', { settleMs: 11 });
    expect(profiles.bs8521('mine')).toEqual(BS8521_PROFILE);
    expect([profiles.rootOf('mine'), profiles.rootOf('dc07'), profiles.rootOf('nobody')]).toEqual([
      'tt92',
      'dc07',
      undefined,
    ]);
  });

  it('that run in a circle, or are not understood, are left out', () => {
    const { profiles, put, logged } = table();
    put('one', 'tone', 'two', { settleMs: 1 });
    put('two', 'tone', 'one', { settleMs: 2 });
    expect(profiles.bs8521('one')).toEqual(BS8521_PROFILE);
    put('strange', 'xml', 'scaip', { holdAfterMs: 'soon' });
    expect(profiles.scaip('strange')).toBe(SCAIP_PROFILE);
    expect(logged).toEqual(['protocol_profile.content_ignored {"name":"strange"}']);
  });

  it('are looked at again when a row has changed, and the same object until then', () => {
    const { profiles, put } = table();
    put('mine', 'tone', 'bs8521', { settleMs: 1 });
    const before = profiles.bs8521('mine');
    expect(profiles.bs8521('mine')).toBe(before);
    put('mine', 'tone', 'bs8521', { settleMs: 2 });
    expect([before.settleMs, profiles.bs8521('mine').settleMs]).toEqual([1, 2]);
  });
});

it('a check that is known to no one is learned and not asked for', () => {
  const { profiles, put } = table();
  put('mine', 'tone', 'tt92', { check: { policy: 'verify' } });
  expect(profiles.tt92('mine').check.policy).toBe('learn');
});

it.each(['rb2000', 'twon-text', 'lacs', 'dc07', 'tt-burst', 'siaFsk', 'bsiaFastFormat'] as const)(
  '%s is off until a tenant switches it on',
  (root) => expect(table().profiles.isOn(root, undefined)).toBe(false),
);
