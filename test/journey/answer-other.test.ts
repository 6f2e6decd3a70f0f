import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { sendsAlarm } from '#test/support/talking.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/* A device without a secret, and a stranger who registers in its name: calls and messages of applications. */

const DEVICE = '192.0.2.30';
const STRANGER = '203.0.113.66';
const WITHOUT_SECRET = { authType: 'deviceid', digest: undefined };

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let unit: Telephone;
let thief: Telephone;
let sequence = 0;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  site.bridge({ defaultEmergencyDestination: 'sip:arc@care.example' });
  site.tenant.put('notificationsettings', 'care.example', {
    alarmFromEdge: true,
    alarmEventsRestEndpoint: 'https://app.example/alarms',
    messageCallbackBaseUrl: 'https://app.example/tenant',
  });
  site.answerBy(() => answered({ action: 'callEmergencyCenter' }));
  await net.device('arc', '192.0.2.31');
  unit = await net.device('unit', DEVICE, WITHOUT_SECRET, false);
  thief = net.stranger('unit', STRANGER);
});
afterEach(async () => {
  expect(site.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

async function registers(phone: Telephone, user = 'unit', contact = phone.contact): Promise<number> {
  const me = `<sip:${user}@care.example>`;
  const headers: [string, string][] = [
    ['From', `${me};tag=reg`],
    ['To', me],
    ['Call-ID', `reg-${++sequence}`],
    ['CSeq', '1 REGISTER'],
    ['Contact', contact],
    ['Expires', contact === '*' ? '0' : '3600'],
  ];
  phone.send({ method: 'REGISTER', uri: 'sip:care.example', headers });
  await net.pump();
  const arrived = phone.inbox.splice(0).at(-1);
  return arrived?.kind === 'response' ? arrived.status : 0;
}

function says(phone: Telephone): Promise<void> {
  const headers: [string, string][] = [
    ['From', '<sip:unit@care.example>;tag=m'],
    ['To', '<sip:notes@care.example>'],
    ['Call-ID', `say-${++sequence}`],
    ['CSeq', '1 MESSAGE'],
    ['Content-Type', 'text/plain'],
  ];
  phone.send({ method: 'MESSAGE', uri: 'sip:notes@care.example', headers, body: Buffer.from('hello') });
  return net.pump();
}

const requestsOf = ({ received }: Telephone, method: string): SipRequest[] =>
  received.flatMap((each) => (each.kind === 'request' && each.method === method ? [each] : []));
const uris = (phone: Telephone, method: string) =>
  new Set(requestsOf(phone, method).map(({ uriText }) => uriText));

describe('the call back to a device that wants to be called', () => {
  it.each([
    ['that is registered goes to its contact', 'sip:unit@192.0.2.30:5070'],
    ['that never registered goes to where its alarm came from', 'sip:unit@192.0.2.30:5060'],
  ])('%s, whoever has registered in its name', async (how, expected) => {
    if (how.includes('is registered')) await registers(unit, 'unit', '<sip:unit@192.0.2.30:5070>');
    await registers(thief);
    await registers(thief, 'unit', '<sip:unit@192.0.2.30:5070>');
    sendsAlarm(unit, '<cha>1</cha>');
    await net.pump();
    expect([...uris(unit, 'INVITE')]).toEqual([expected]);
    expect(requestsOf(thief, 'INVITE')).toEqual([]);
  });

  it('goes to its new address after a change, and not to where it registered before', async () => {
    await registers(unit);
    const moved = net.stranger('unit', '198.51.100.44');
    sendsAlarm(moved, '<cha>1</cha>');
    await net.pump();
    expect([...uris(moved, 'INVITE')]).toEqual(['sip:unit@198.51.100.44:5060']);
    expect(requestsOf(unit, 'INVITE')).toEqual([]);
  });
});

describe('a message of an application', () => {
  const send = (reqUri: string) =>
    site.runtime.messages.send({
      reqUri,
      from: 'sip:unit@care.example',
      contentType: 'text/plain',
      body: 'hi',
    });

  it.each([
    ['a registered device', registers],
    ['a device that has spoken', says],
  ])(
    'goes, for the name of %s, to the device that was there before a stranger took the name',
    async (_name, begins) => {
      await begins(unit);
      await net.after(500);
      await registers(thief);
      await says(thief);
      const sent = send('sip:unit@care.example');
      await net.pump();
      expect(requestsOf(thief, 'MESSAGE')).toEqual([]);
      unit.respond(unit.request('MESSAGE'), 200);
      await net.pump();
      expect(await sent).toEqual({ ok: true, value: undefined });
    },
  );

  it('that answers one goes to where that came from, and nowhere else though it is silent', async () => {
    await registers(thief);
    await says(unit);
    const sent = send(String(site.posted.find(({ call }) => call.path === '/message')?.body.replyTo));
    await net.after(15_000);
    expect(await sent).toMatchObject({ ok: false, error: { code: 'deviceSilent' } });
    expect([...uris(unit, 'MESSAGE')]).toEqual(['sip:unit@192.0.2.30:5060']);
    expect(requestsOf(thief, 'MESSAGE')).toEqual([]);
  });

  it('for a name whose first holder is silent reaches the next one after two seconds', async () => {
    await registers(unit);
    const moved = net.stranger('unit', '198.51.100.44');
    await registers(moved);
    const sent = send('sip:unit@care.example');
    await net.after(1_500);
    expect(requestsOf(moved, 'MESSAGE')).toEqual([]);
    await net.after(1_000);
    moved.respond(moved.request('MESSAGE'), 200);
    await net.pump();
    expect(await sent).toEqual({ ok: true, value: undefined });
  });
});

describe('a REGISTER from another address', () => {
  const reported = () => site.posted.filter(({ body }) => body.type === 'authError').map(({ body }) => body);

  it('is reported once in an hour for each device, and for no more than fifty devices', async () => {
    for (let i = 0; i < 60; i++) {
      const deviceId = `many-${i}`;
      site.device({ deviceId });
      expect(await registers(unit, deviceId)).toBe(200);
      for (let again = 0; again < 2; again++) expect(await registers(thief, deviceId, '*')).toBe(200);
    }
    expect(reported()).toHaveLength(51);
    expect(reported()[0]).toMatchObject({
      deviceId: 'many-0',
      reason: 'heldByAnotherAddress',
      method: 'REGISTER',
      sourceIp: STRANGER,
    });
    expect(reported().at(-1)?.reason).toContain('further devices');
    await net.after(3_600_000, 600_000);
    await registers(unit, 'many-0');
    await registers(thief, 'many-0');
    expect(reported()).toHaveLength(52);
  });

  it('hears nothing of what others hold', async () => {
    await registers(unit);
    await registers(thief);
    const answer = thief.received.findLast((each) => each.kind === 'response');
    expect(answer?.headers('Contact').join()).not.toContain(DEVICE);
  });

  it('with the password of the device moves it, and no one is notified', async () => {
    const phone = await net.device('phone', '192.0.2.40');
    phone.flow = { ...phone.flow, remoteAddress: '198.51.100.44' };
    await phone.register(net.pump);
    expect(site.runtime.registrations.contactsOf('phone')).toMatchObject([{ source: '198.51.100.44' }]);
    expect(reported()).toEqual([]);
  });
});
