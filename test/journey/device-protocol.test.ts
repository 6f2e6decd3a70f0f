import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * Bridges that leave the protocol to their devices (`deviceProvisioned`, `multiprotocol`), by MESSAGE and by the call beside it: each
 * device is read and answered in its own, and the alarm of one that is provisioned otherwise or not at all is taken, too.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  site.notify('https://app.example/alarms');
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const atm = (type: string, data: string) => encodeAtm({ version: '1', type, data, time: '.', mac: '.' });
/** No schema of LACS is public: the customer's profile says where everything stands. */
const OUR_LACS = {
  enabled: true,
  fieldPaths: { controllerId: 'id', eventCode: 'event' },
  eventTable: { E1: { deviceType: 'fixedTrigger', statusCode: 'alarm', audio: 'duplex' } },
  reply: { template: '<taken/>' },
};

/** Alarm of a device of each protocol, and its answer once the alarm is on the disk. */
const SAID: Readonly<Record<string, { readonly body: string; readonly taken: RegExp }>> = {
  nowip: { body: atm('1', '010012345678000101000000'), taken: /<type>A<\/type>/ },
  lacs: { body: '<lacs><id>unit</id><event>E1</event></lacs>', taken: /<taken\/>/ },
  scaip: {
    body: '<mrq><ref>R1</ref><cid>unit</cid><dty>0003</dty><stc>0010</stc></mrq>',
    taken: /<ref>R1<\/ref><snu>0<\/snu>/,
  },
};
const of = (protocol: string) => SAID[protocol] ?? { body: '', taken: /$^/ };

function bridge(protocol: string): void {
  const row = { name: 'ours', kind: 'xml', extends: 'lacs', content: OUR_LACS };
  site.tenant.put('protocolprofile', 'ours', protocolProfileSchema.parse(row));
  site.bridge({
    protocol,
    name: 'Units',
    destinationMatch: '^here$',
    protocolProfile: 'ours',
    defaultEmergencyDestination: 'sip:arc@care.example',
  });
}

/** A device that proves itself by its alarm. */
const deviceOf = (alarmProtocol: string | undefined): Promise<Telephone> =>
  net.device(
    'unit',
    '192.0.2.30',
    {
      authType: 'deviceid',
      digest: undefined,
      ...(alarmProtocol !== undefined && { serviceData: { alarmBridge: { alarmProtocol } } }),
    },
    false,
  );

function say(unit: Telephone, body: string): void {
  unit.send({
    method: 'MESSAGE',
    uri: 'sip:here@care.example',
    headers: [
      ['From', '<sip:unit@care.example>;tag=m'],
      ['To', '<sip:here@care.example>'],
      ['Call-ID', 'alarm'],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/xml'],
    ],
    body: Buffer.from(body),
  });
}

/** Commands of the centre that the device hears; it confirms all of them. */
function received(unit: Telephone): string {
  let bodies = '';
  while (unit.has('MESSAGE')) {
    const request = unit.request('MESSAGE');
    unit.respond(request, 200);
    bodies += request.body.toString();
  }
  return bodies;
}

const events = () =>
  site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent').map(({ body }) => body);
const errors = () => site.posted.flatMap(({ body }) => body.error ?? []);

describe.each(['deviceProvisioned', 'multiprotocol'])('a bridge of protocol %s', (protocol) => {
  it.each([
    ['nowip', 'nowip'],
    ['nowip', 'nowipcontroller'],
    ['nowip', 'bs8521'],
    ['nowip', undefined],
    ['scaip', 'scaip'],
    ['scaip', 'nowip'],
    ['scaip', undefined],
  ])('takes %s of a device that is provisioned with %s', async (spoken, provisioned) => {
    bridge(protocol);
    const unit = await deviceOf(provisioned);
    say(unit, of(spoken).body);
    await net.pump();
    await net.after(500);
    expect(received(unit)).toMatch(of(spoken).taken);
    expect(events()).toMatchObject([{ sourceAlarmProtocol: spoken, sipFrom: 'unit' }]);
    expect(errors()).toEqual([]);
  });

  it('joins the call of a NOW-IP device, and asks nothing in tones', async () => {
    bridge(protocol);
    const arc = await net.device('arc', '192.0.2.31');
    const unit = await deviceOf(protocol === 'multiprotocol' ? undefined : 'nowip');
    say(unit, of('nowip').body);
    await net.pump();
    received(unit);
    const talk = await unit.invite('here', net.pump, { challenged: false });
    unit.acknowledge(talk, unit.response(200));
    await net.after(4_000);
    expect(arc.has('INVITE')).toBe(true);
    expect(unit.audio.digits).toEqual([]);
    expect(events()).toHaveLength(1);
  });
});

it('deviceProvisioned takes LACS of a device that is provisioned with it', async () => {
  bridge('deviceProvisioned');
  const unit = await deviceOf('lacs');
  say(unit, of('lacs').body);
  await net.pump();
  await net.after(500);
  expect(received(unit)).toMatch(of('lacs').taken);
  expect(events()).toMatchObject([{ sourceAlarmProtocol: 'lacs' }]);
});
