import { describe, expect, it } from 'vitest';
import { alarmBridgeRequestSchema, emergencyCallListSchema } from '#shared/contract/provisioning/index.ts';

const entry = { destination: '+46855511001' };
const listWith = (more: object) => ({ steps: [{ entries: [{ ...entry, ...more }] }] });

const refused = (list: unknown): string | undefined => {
  const parsed = emergencyCallListSchema.safeParse(list);
  return parsed.success ? undefined : `/${parsed.error.issues[0]?.path.join('/')}`;
};

describe('emergencyCallList', () => {
  it('fills in its defaults', () => {
    expect(emergencyCallListSchema.parse(listWith({}))).toEqual({
      steps: [{ entries: [{ ...entry, ringTime: 25_000, accept: 'key' }] }],
      rounds: 3,
      pause: 60_000,
      maxDuration: 1_800_000,
    });
  });

  it.each([
    { ringTime: 5_000 },
    { accept: 'answer' },
    { pin: '0815' },
    { pin: '<secret>' },
    { language: 'sv-SE' },
    { destination: 'sip:arc@care.example' },
  ])('takes an entry with %j', (more) => {
    expect(refused(listWith(more))).toBeUndefined();
  });

  it.each([
    [{ ringTime: 4_999 }, 'ringTime'],
    [{ accept: 'machine' }, 'accept'],
    [{ pin: '12' }, 'pin'],
    [{ pin: '12ab' }, 'pin'],
    [{ language: 'a language nobody speaks' }, 'language'],
    [{ destination: '' }, 'destination'],
    [{ destination: ' ' }, 'destination'],
    [{ destination: `+${'4'.repeat(512)}` }, 'destination'],
  ])('refuses an entry with %j', (more, field) => {
    expect(refused(listWith(more))).toBe(`/steps/0/entries/0/${field}`);
  });

  it('refuses an empty list, an empty step, and more than a hundred entries', () => {
    expect(refused({ steps: [] })).toBe('/steps');
    expect(refused({ steps: [{ entries: [] }] })).toBe('/steps/0/entries');
    const full = { entries: Array.from({ length: 20 }, () => entry) };
    expect(refused({ steps: Array.from({ length: 5 }, () => full) })).toBeUndefined();
    expect(refused({ steps: Array.from({ length: 6 }, () => full) })).toBe('/steps');
  });

  it('needs the string of a bridge beside it', () => {
    const bridge = {
      protocol: 'scaip',
      name: 'Units',
      destinationMatch: '^scaip$',
      emergencyCallList: listWith({}),
    };
    const parsed = alarmBridgeRequestSchema.safeParse(bridge);
    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([['emergencyCallList']]);
    expect(
      alarmBridgeRequestSchema.safeParse({ ...bridge, defaultEmergencyDestination: '+46855511000' }).success,
    ).toBe(true);
  });
});
