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

async function begin(messageProtocols = [...MESSAGE_PROTOCOLS, TOY]) {
  site = await testAppliance({ messageProtocols });
  const net = telephones(site);
  site.answerBy(() => answered({ action: 'drop' }));
  site.bridge({ protocol: 'deviceProvisioned', name: 'Units', destinationMatch: '^here$' });
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

/** Commands of the centre that the device hears; it confirms all of them. */
function heard(unit: Telephone): string[] {
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

it('is stored, told to the application and answered; its repeat is answered, and no event', async () => {
  const { unit, net } = await begin();
  say(unit, '<toy n="1">unit</toy>');
  await net.pump();
  await net.after(500);
  expect(heard(unit)).toEqual(['<ok n="1"/>']);
  expect(alarms()).toEqual([['toy', '<toy n="1">unit</toy>']]);

  say(unit, '<toy n="1">unit</toy>');
  say(unit, '<toy n="2">unit</toy>');
  await net.pump();
  await net.after(500);
  expect(heard(unit).toSorted()).toEqual(['<ok n="1"/>', '<ok n="2"/>']);
  expect(alarms()).toHaveLength(2);
});

it('is answered by nobody while its event is not on the disk', async () => {
  const { unit, net } = await begin();
  site.breakDisk(true);
  say(unit, '<toy n="1">unit</toy>');
  await net.pump();
  await net.after(500);
  expect(heard(unit)).toEqual([]);
});

it('is none without its row', async () => {
  const { unit, net } = await begin([...MESSAGE_PROTOCOLS]);
  say(unit, '<toy n="1">unit</toy>');
  await net.pump();
  await net.after(500);
  expect(heard(unit).join()).not.toContain('<ok');
  expect(alarms().filter(([protocol]) => protocol === 'toy')).toEqual([]);
});
