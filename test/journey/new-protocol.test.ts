import { afterEach, expect, it } from 'vitest';
import { MESSAGE_PROTOCOLS } from '#appliance/alarm/receiving/message-protocol.ts';
import { TOY } from '#test/appliance/alarm/protocol/toy/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * A new protocol of messages is one folder and one row: `TOY` beside the rows of the product is stored, delivered, answered and known
 * again by the whole appliance.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;

afterEach(() => site.close());

async function begin(messageProtocols = [...MESSAGE_PROTOCOLS, TOY], fields: Record<string, unknown> = {}) {
  site = await testAppliance({ messageProtocols });
  const net = telephones(site);
  site.answerBy(() => answered({ action: 'drop' }));
  site.bridge({ protocol: 'deviceProvisioned', name: 'Units', destinationMatch: '^here$', ...fields });
  const unit = await net.device('unit', '192.0.2.30', { authType: 'deviceid', digest: undefined }, false);
  return { unit, net };
}

let sequence = 0;

function say(unit: Telephone, body: string): void {
  unit.send({
    method: 'MESSAGE',
    uri: 'sip:here@care.example',
    headers: [
      ['From', '<sip:unit@care.example>;tag=m'],
      ['To', '<sip:here@care.example>'],
      ['Call-ID', `alarm-${++sequence}`],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/toy+xml'],
    ],
    body: Buffer.from(body),
  });
}

/** The toy of a unit that speaks: its alarm offers a call. */
const SPEAKING_TOY: typeof TOY = {
  ...TOY,
  read(...said) {
    const message = TOY.read(...said);
    if (message === undefined) return undefined;
    return {
      ...message,
      event: (user) => {
        const given = message.event(user);
        return { ...given, event: { ...given.event, audio: 'duplex' }, offer: { voice: true } };
      },
    };
  },
};

/** Commands of the centre that the device hears; it confirms all of them. */
function received(unit: Telephone): string[] {
  const bodies: string[] = [];
  while (unit.has('MESSAGE')) {
    const request = unit.request('MESSAGE');
    unit.respond(request, 200);
    bodies.push(request.body.toString());
  }
  return bodies;
}

const alarms = () =>
  site.posted
    .filter(({ call }) => call.path === '/newAlarmbridgeEvent')
    .map(({ body }) => [body.sourceAlarmProtocol, (body.sourceAlarmEvent as { raw: unknown }).raw]);

it('is stored, reported to the application and answered; its repeat is answered, and no event', async () => {
  const { unit, net } = await begin();
  say(unit, '<toy n="1">unit</toy>');
  await net.pump();
  await net.after(500);
  expect(received(unit)).toEqual(['<ok n="1"/>']);
  expect(alarms()).toEqual([['toy', '<toy n="1">unit</toy>']]);

  say(unit, '<toy n="1">unit</toy>');
  say(unit, '<toy n="2">unit</toy>');
  await net.pump();
  await net.after(500);
  expect(received(unit).toSorted()).toEqual(['<ok n="1"/>', '<ok n="2"/>']);
  expect(alarms()).toHaveLength(2);
});

it('has the call of its device joined with the destination of its alarm', async () => {
  const { unit, net } = await begin([...MESSAGE_PROTOCOLS, SPEAKING_TOY], {
    defaultEmergencyDestination: 'sip:arc@care.example',
  });
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  const arc = await net.device('arc', '192.0.2.31');
  say(unit, '<toy n="1">unit</toy>');
  await net.pump();
  await net.after(500);
  expect(received(unit)).toEqual(['<ok n="1"/>']);
  const call = await unit.invite('here', net.pump, { challenged: false });
  unit.acknowledge(call, unit.response(200));
  await net.after(2_000);
  expect(arc.has('INVITE')).toBe(true);
  expect(alarms()).toEqual([['toy', '<toy n="1">unit</toy>']]);
});

it('gets no answer while its event is not on the disk', async () => {
  const { unit, net } = await begin();
  site.breakDisk(true);
  say(unit, '<toy n="1">unit</toy>');
  await net.pump();
  await net.after(500);
  expect(received(unit)).toEqual([]);
});

it('is none without its row', async () => {
  const { unit, net } = await begin([...MESSAGE_PROTOCOLS]);
  say(unit, '<toy n="1">unit</toy>');
  await net.pump();
  await net.after(500);
  expect(received(unit).join()).not.toContain('<ok');
  expect(alarms().filter(([protocol]) => protocol === 'toy')).toEqual([]);
});
