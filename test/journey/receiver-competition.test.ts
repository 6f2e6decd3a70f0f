import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { protocolProfileSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

/*
 * Receivers beside each other, through the whole appliance: one that cannot take what arrives is passed over whatever its order,
 * and an alarm that finds no receiver raises a platform alarm, however its device is answered.
 */

let site: Awaited<ReturnType<typeof testAppliance>>;

beforeEach(async () => {
  site = await testAppliance();
  site.answerBy(() => answered({ action: 'drop' }));
  site.notify('https://app.example/alarms');
});
afterEach(() => site.close());

const SCAIP = '<mrq><ref>R1</ref><cid>c-1</cid><dty>0003</dty><stc>0010</stc></mrq>';
const NOWIP = encodeAtm({ version: '1', type: '1', data: '010012345678001100110000', time: '.', mac: '.' });
const LACS = '<lacs><id>lift-9</id></lacs>';

const wide = (protocol: string, fields: Record<string, unknown> = {}) =>
  site.bridge({ id: 'wide', protocol, name: 'Wide', destinationMatch: '.*', order: 1, ...fields });
const works = (protocol: string, fields: Record<string, unknown> = {}) =>
  site.bridge({ id: 'works', protocol, name: 'Works', destinationMatch: '^here$', ...fields });
const send = (user: string, body: string, contentType = 'application/scaip+xml') =>
  site.request('MESSAGE', user, { body, uri: 'sip:here@care.example', contentType });
const statuses = () => site.take().flatMap((message) => ('status' in message ? [message.status] : []));

const reported = () => site.posted.filter(({ call }) => call.path === '/newAlarmbridgeEvent');
const errors = () => site.posted.flatMap(({ body }) => body.error ?? []);

describe('an alarm by MESSAGE beside a wide receiver of lower order', () => {
  const others = ['dc09', 'bs8521', 'tt92', 'contactId', 'voicecall', 'call', 'api', 'nowip'];

  it.each(others)('SCAIP passes %s over', async (protocol) => {
    wide(protocol);
    works('scaip');
    site.device({ deviceId: 'one' });
    send('one', SCAIP);
    send('stranger', SCAIP.replace('R1', 'R2').replace('c-1', 'c-2'));
    await site.quiet();
    expect(statuses()).toEqual([200, 200]);
    expect(reported().map(({ body }) => body.sourceAlarmProtocol)).toEqual(['scaip', 'scaip']);
    expect(errors()).toEqual([]);
  });

  it.each(['dc09', 'scaip', 'bs8521'])('NOW-IP passes %s over', async (protocol) => {
    wide(protocol);
    works('nowip');
    send('one', NOWIP);
    await site.quiet();
    expect(reported().map(({ body }) => body.sourceAlarmProtocol)).toEqual(['nowip']);
    expect(errors()).toEqual([]);
  });

  it.each(['dc09', 'scaip', 'nowip', 'multiprotocol'])('LACS passes %s over', async (protocol) => {
    const content = { enabled: true, requestRoot: 'lacs', fieldPaths: { controllerId: 'id' } };
    const row = { name: 'ours', kind: 'xml', extends: 'lacs', content };
    site.tenant.put('protocolprofile', 'ours', protocolProfileSchema.parse(row));
    wide(protocol);
    works('lacs', { protocolProfile: 'ours' });
    send('one', LACS);
    await site.quiet();
    expect(reported()).toMatchObject([{ body: { alarmEvent: { controllerId: 'lift-9' } } }]);
    expect(errors()).toEqual([]);
  });

  it('SCAIP goes before a LACS receiver that takes any element', async () => {
    const row = { name: 'ours', kind: 'xml', extends: 'lacs', content: { enabled: true, requestRoot: '' } };
    site.tenant.put('protocolprofile', 'ours', protocolProfileSchema.parse(row));
    wide('lacs', { protocolProfile: 'ours' });
    works('scaip');
    send('one', SCAIP);
    await site.quiet();
    expect(reported().map(({ body }) => body.sourceAlarmProtocol)).toEqual(['scaip']);
  });
});

describe('an alarm that finds no receiver', () => {
  it.each([
    ['of a known device, answered 404', 'one', 404],
    ['of a stranger, answered 401', 'stranger', 401],
  ])('%s, is reported to a person', async (_, user, status) => {
    wide('dc09');
    site.device({ deviceId: 'one' });
    send(user, SCAIP);
    await site.quiet();
    expect(statuses()).toEqual([status]);
    expect(errors()).toEqual(['noReceiver']);
    expect(site.posted[0]?.body).toMatchObject({
      errorDetails: { sipFrom: user, reason: expect.stringContaining('"here"') },
    });
  });

  it.each([SCAIP, NOWIP, `<?xml version="1.0"?><!-- x --><s:mrq xmlns:s="y">`])(
    'in the form %s, from a stranger',
    async (body) => {
      send('stranger', body);
      await site.quiet();
      expect([statuses(), errors()]).toEqual([[401], ['noReceiver']]);
    },
  );

  it('is reported once in ten minutes for a stranger, and for each stranger', async () => {
    for (const user of ['a', 'a', 'b']) send(user, SCAIP);
    await site.quiet();
    expect(errors()).toEqual(['noReceiver', 'noReceiver']);
    await site.after(601_000);
    send('a', SCAIP);
    await site.quiet();
    expect(errors()).toHaveLength(3);
  });

  it('is reported where its text goes to an application as a message', async () => {
    site.tenant.put('notificationsettings', 'care.example', {
      alarmFromEdge: true,
      alarmEventsRestEndpoint: 'https://app.example/alarms',
      messageCallbackBaseUrl: 'https://app.example/chat',
    });
    site.device({ deviceId: 'one' });
    send('one', SCAIP);
    send('one', 'hello', 'text/plain');
    await site.quiet();
    expect(statuses()).toEqual([200, 200]);
    expect(errors()).toEqual(['noReceiver']);
  });

  it('is no message of a stranger who chats', async () => {
    send('stranger', 'hello', 'text/plain');
    send('stranger', '<isComposing/>', 'application/im-iscomposing+xml');
    await site.quiet();
    expect([statuses(), errors()]).toEqual([[401, 401], []]);
  });
});
