import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * Devices that say their alarm by MESSAGE and call beside it, and hang up at every step: the alarm stays one alarm, and no party is left
 * on a line. Tones: `alarm-input.test.ts`; panels, who have no call: `alarm-frame-input.test.ts`.
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
  arc = await net.device('arc', '192.0.2.31');
  // A device that speaks by message proves itself by its alarm.
  unit = await net.device('unit', '192.0.2.30', { authType: 'deviceid', digest: undefined }, false);
});

afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

const atm = (type: string, data: string): string =>
  encodeAtm({ version: '1', type, data, time: '.', mac: '.' });
const ALARM: Readonly<Record<string, string>> = {
  scaip: '<mrq><ref>R1</ref><cid>unit</cid><dty>0003</dty><stc>0010</stc></mrq>',
  nowip: atm('1', '010012345678000101000000'),
  lacs: '<lacs><ref>R1</ref><id>unit</id><event>E1</event></lacs>',
};
/** No schema of LACS is public: the customer's profile says where everything stands. */
const OUR_LACS = {
  enabled: true,
  requestRoot: 'lacs',
  fieldPaths: { controllerId: 'id', eventCode: 'event', reference: 'ref' },
  eventTable: { E1: { deviceType: 'fixedTrigger', statusCode: 'alarm', audio: 'duplex' } },
};

let messages = 0;
function message(body: string): void {
  unit.send({
    method: 'MESSAGE',
    uri: 'sip:here@care.example',
    headers: [
      ['From', '<sip:unit@care.example>;tag=m'],
      ['To', '<sip:here@care.example>'],
      ['Call-ID', `message-${++messages}`],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/xml'],
    ],
    body: Buffer.from(body),
  });
}

/** The device takes what is said to it, and does nothing. */
function listens(): void {
  while (unit.has('MESSAGE')) unit.respond(unit.request('MESSAGE'), 200);
  while (unit.has('BYE')) unit.respond(unit.request('BYE'), 200);
}

const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');

/** However it ended: every party has left, and there was one alarm. */
async function over(): Promise<void> {
  for (let waited = 0; waited < 200_000; waited += 2_000) {
    await net.after(2_000);
    listens();
    while (arc.has('INVITE')) arc.respond(arc.request('INVITE'), 486);
    while (arc.has('CANCEL')) arc.respond(arc.request('CANCEL'), 200);
    while (arc.has('BYE')) arc.respond(arc.request('BYE'), 200);
  }
  expect(site.runtime.load).toMatchObject({ calls: 0, alarms: 0, legs: 0 });
  expect(site.media.openLegs).toEqual([]);
  expect(reported()).toHaveLength(1);
}

describe.each(Object.entries(ALARM))('%s', (protocol, body) => {
  beforeEach(async () => {
    const row = { name: 'ours', kind: 'xml', extends: 'lacs', content: OUR_LACS };
    site.tenant.put('protocolprofile', 'ours', protocolProfileSchema.parse(row));
    const named = protocol === 'lacs' ? { protocolProfile: 'ours' } : {};
    const defaultEmergencyDestination = 'sip:arc@care.example';
    site.bridge({
      protocol,
      name: 'Units',
      destinationMatch: '^here$',
      defaultEmergencyDestination,
      ...named,
    });
    message(body);
    await net.pump();
    listens();
  });

  async function called() {
    const talk = await unit.invite('here', net.pump, { challenged: false });
    unit.acknowledge(talk, unit.response(200));
    await net.pump();
    return talk;
  }

  async function joined() {
    const talk = await called();
    const invite = arc.request('INVITE');
    arc.hearPort(invite);
    arc.respond(invite, 200, { sdp: arc.describe() });
    await net.pump();
    arc.request('ACK');
    await net.after(500);
    listens();
    return { talk, arcTalk: arc.answeredTalk(invite) };
  }

  it('hangs up as soon as it is answered: its alarm stays the only one', async () => {
    const talk = await unit.invite('here', net.pump, { challenged: false });
    unit.acknowledge(talk, unit.response(200));
    unit.inDialog(talk, 'BYE');
    await net.pump();
    await over();
  });

  it.each([
    ['hangs up before it confirms the call', true],
    ['leaves before it confirms the call', false],
  ])('%s: its alarm stays the only one', async (_, hangsUp) => {
    const talk = await unit.invite('here', net.pump, { challenged: false });
    talk.theirTag = unit.response(200).to.tag ?? '';
    if (hangsUp) unit.inDialog(talk, 'BYE');
    await net.pump();
    await over();
  });

  it('hangs up while people are called: their telephone stops to ring', async () => {
    const talk = await called();
    const invite = arc.request('INVITE');
    arc.respond(invite, 180);
    await net.pump();
    unit.inDialog(talk, 'BYE');
    await net.pump();
    const cancel = arc.request('CANCEL');
    arc.respond(cancel, 200);
    arc.respond(invite, 487);
    await net.pump();
    expect(arc.has('INVITE')).toBe(false);
    await over();
  });

  it('hangs up while it speaks with people: they are notified', async () => {
    const { talk } = await joined();
    unit.inDialog(talk, 'BYE');
    await net.pump();
    arc.respond(arc.request('BYE'), 200);
    await over();
  });

  it('hangs up while it is cleared: that is the end', async () => {
    const { talk, arcTalk } = await joined();
    arc.inDialog(arcTalk, 'BYE');
    await net.after(300);
    unit.inDialog(talk, 'BYE');
    await over();
  });

  it('does not hang up when it is cleared: we do', async () => {
    const { arcTalk } = await joined();
    arc.inDialog(arcTalk, 'BYE');
    await over();
    expect(unit.received.some((each) => each.kind === 'request' && each.method === 'BYE')).toBe(true);
  });

  it('says its alarm and calls again after it hung up: people are called again', async () => {
    const first = await called();
    unit.inDialog(first, 'BYE');
    await net.after(1_000);
    while (arc.has('INVITE')) arc.respond(arc.request('INVITE'), 487);
    await net.pump();
    message(body.replace('R1', 'R2'));
    await net.pump();
    listens();
    const talk = await unit.invite('here', net.pump, { challenged: false });
    unit.acknowledge(talk, unit.response(200));
    // NOW-IP: its old call is over, so that the same message is another alarm.
    await net.after(8_000);
    expect(arc.has('INVITE')).toBe(true);
    expect(reported()).toHaveLength(2);
  });
});
