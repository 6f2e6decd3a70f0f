import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeAtm, encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { takesCall } from '#test/support/talking.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * A person is on the line, and the event of his call cannot be written: he is never left in silence (protocols 2.1 and 11).
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let arc: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  site.notify('https://app.example/alarms');
  unit = await net.device('unit', '192.0.2.30');
  arc = await net.device('arc', '192.0.2.31');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
const storable = (yes: boolean): void =>
  site.refuseCommits(yes ? undefined : (writes) => writes.some(({ kind }) => kind === 'event'));

async function calls(protocol: string, challenged = true): Promise<Talk> {
  site.bridge({
    protocol,
    name: 'Units',
    destinationMatch: '^here$',
    defaultEmergencyDestination: 'sip:arc@care.example',
  });
  const talk = await unit.invite('here', net.pump, { challenged });
  storable(false);
  unit.acknowledge(talk, unit.response(200));
  await net.pump();
  return talk;
}

/** Until the appliance has tried to write the event of the call. */
async function tried(): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 500) {
    if (site.posted.some(({ body }) => body.error === 'storeFailed')) return;
    await net.after(500);
  }
  throw new Error('nothing was to be stored');
}

describe.each(['voicecall', 'bs8521', 'cpc-antenna', 'nowip'])(
  'a call of %s that is the event',
  (protocol) => {
    it('and cannot be stored at once: is an alarm when it can, and people are joined', async () => {
      await calls(protocol);
      await tried();
      storable(true);
      await net.after(3_000);
      expect(reported()).toHaveLength(1);
      await takesCall(arc, net);
      expect(site.runtime.load).toMatchObject({ alarms: 1, calls: 1 });
    });

    it('and can never be stored: is ended soon, so that its device goes on', async () => {
      await calls(protocol);
      await tried();
      await net.after(8_000);
      const bye = unit.request('BYE');
      expect(bye.header('Reason')).toContain('could not be stored');
      unit.respond(bye, 200);
      await net.after(40_000);
      expect(site.runtime.load).toMatchObject({ alarms: 0, calls: 0, legs: 0 });
      expect(arc.has('INVITE')).toBe(false);
    });
  },
);

describe('NOW-IP: a message in its call that cannot be stored', () => {
  const OF_SCHEME = '110012345678000101000000';
  beforeEach(() => {
    net.trunk();
    unit = net.stranger('far', '198.51.100.30');
  });
  let messages = 0;
  async function says(data: string): Promise<string[]> {
    unit.send({
      method: 'MESSAGE',
      uri: 'sip:here@care.example',
      headers: [
        ['From', '<sip:far@care.example>;tag=m'],
        ['To', '<sip:here@care.example>'],
        ['Call-ID', `unstored-${++messages}`],
        ['CSeq', '1 MESSAGE'],
        ['Content-Type', 'application/xml'],
      ],
      body: Buffer.from(encodeAtm({ version: '1', type: '1', data, time: '.', mac: '.' })),
    });
    await net.pump();
    const said: string[] = [];
    while (unit.has('MESSAGE')) {
      const request = unit.request('MESSAGE');
      unit.respond(request, 200);
      const atm = decodeAtm(request.body);
      if (atm.ok) said.push(`${atm.value.type} ${atm.value.data}`.trim());
    }
    return said;
  }

  it.each(['nowip', 'nowipcontroller'])(
    '%s: is not acknowledged, nothing is cleared; its repeat is selected and spoken about in that call',
    async (protocol) => {
      await calls(protocol, false);
      expect(await says(OF_SCHEME)).toEqual([]);
      await net.after(3_000);
      storable(true);
      expect(await says(OF_SCHEME)).toEqual(['A', '2 00001']);
      expect(reported()).toHaveLength(1);
      expect(reported()[0]?.body).toMatchObject({ alarmEvent: { deviceId: '0001' } });
      await net.after(10_000);
      await takesCall(arc, net);
      await net.after(70_000);
      expect(site.posted.filter(({ body }) => body.error === 'voiceCallMissing')).toEqual([]);
    },
  );

  it('and does not come again: the call is the event, and people are joined', async () => {
    await calls('nowip', false);
    await says(OF_SCHEME);
    storable(true);
    await net.after(8_000);
    expect(reported()).toHaveLength(1);
    await takesCall(arc, net);
  });
});
