import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';
import { MESSAGE, messageOf } from '#test/support/voice-alarm.ts';
import { entry, raisesAlarm, rings } from './people.ts';

/* A destination of a list that is forwarded to a receiver of ours, and one alarm that comes from two addresses. */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let carrier: Telephone;
let bo: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.notify('https://app.example/alarms');
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  net.trunk();
  carrier = net.stranger('+46700', '198.51.100.1');
  bo = await net.device('bo', '192.0.2.42');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const progress = () =>
  site.posted.filter(({ call }) => call.path === '/emergencyProgress').map(({ body }) => body);
const alarms = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');

/** A list whose first destination is a number by the trunk, and the INVITE that the carrier gets. */
async function called(): Promise<SipRequest> {
  const steps = [{ entries: [{ destination: '+46855511001' }] }, { entries: [entry('bo')] }];
  await raisesAlarm(site, net, 'call', { emergencyCallList: { steps } });
  expect(await rings(net, carrier)).toBe(true);
  return carrier.request('INVITE');
}

describe('a call of a list that comes back by a trunk', () => {
  it.each(['X-Carillon-List', 'Session-ID'])(
    'is known by %s: it is refused, and the list goes on at once',
    async (name) => {
      const invite = await called();
      const [value = ''] = invite.list(name);
      expect(value).not.toBe('');
      carrier.respond(invite, 180);
      const before = alarms().length;
      await carrier.invite('here', net.pump, { headers: [[name, value]], challenged: false });
      await net.after(500);
      expect(carrier.has('CANCEL')).toBe(true);
      expect(carrier.response(482).status).toBe(482);
      expect(alarms()).toHaveLength(before);
      expect(await rings(net, bo, 1_000)).toBe(true);
      const missed = progress().find(({ step }) => step === 'notReached');
      expect(missed?.reason).toMatch(/^it leads back to a receiver of this platform/);
    },
  );

  it('is none when it bears the list of another tenant, or nothing of ours', async () => {
    await called();
    const before = alarms().length;
    const headers: [string, string][] = [
      ['X-Carillon-List', 'other.example;id=1'],
      ['Session-ID', 'ab'.repeat(16)],
    ];
    const talk = await carrier.invite('here', net.pump, { headers, challenged: false });
    carrier.acknowledge(talk, carrier.response(200));
    await net.after(2_000);
    expect(alarms().length).toBeGreaterThan(before);
  });
});

describe('one alarm from two addresses', () => {
  const twice = async (fields: Record<string, unknown>): Promise<void> => {
    site.bridge({
      destinationMatch: '^here$',
      defaultEmergencyDestination: 'sip:arc@care.example',
      emergencyCallList: { steps: [{ entries: [entry('bo')] }] },
    });
    const unit = await net.device('unit', '192.0.2.30', fields, false);
    messageOf(unit, MESSAGE.scaip ?? '', 'here', 'alarm');
    await net.pump();
    unit.flow = { ...unit.flow, remoteAddress: '192.0.2.31' };
    messageOf(unit, MESSAGE.scaip ?? '', 'here', 'alarm again');
    await net.pump();
    await net.after(1_000);
  };

  it('has two lists where no secret proves the device, and the second one says so', async () => {
    await twice({ authType: 'deviceid', digest: undefined });
    const rounds = progress().filter(({ step }) => step === 'roundStarted');
    expect(rounds.map(({ reason }) => reason?.toString().replace(/session \S+/, 'session S'))).toEqual([
      undefined,
      'session S has a list, too: it may be the same alarm from another address',
    ]);
    expect(
      site
        .trace(String(alarms()[1]?.body.traceId))
        .some(({ detail }) => String(detail.reason).includes('has a list, too')),
    ).toBe(true);
  });
});
