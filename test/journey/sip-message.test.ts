import { afterEach, describe, expect, it } from 'vitest';
import { writeRequest } from '#appliance/sip/message/index.ts';
import { sipMessageReceivedSchema } from '#shared/contract/callback/index.ts';
import { plainRecord } from '#test/appliance/record/test-records.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { hash } from '#test/support/sip-telephone.ts';

const HA1 = hash('SHA-256', 'door-1:care.example:secret of the door');

type Site = Awaited<ReturnType<typeof testAppliance>>;
const open: Site[] = [];
afterEach(async () => {
  for (const site of open.splice(0)) await site.close();
});

const reported: { topic: string; event: Record<string, unknown> }[] = [];

async function appliance(): Promise<Site> {
  reported.splice(0);
  const site = await testAppliance({
    queue: {
      urlOf: (kind) => `mqtts://box:8883/cmd/care.example/${kind}`,
      tell: (topic, event) => reported.push({ topic, event }),
    },
  });
  open.push(site);
  site.answerBy(() => answered({}));
  site.device({ deviceId: 'unit-1' });
  site.tenant.put('notificationsettings', 'care.example', {
    alarmFromEdge: true,
    messageCallbackBaseUrl: 'https://app.example/tenant',
  });
  return site;
}

const say = (site: Site, user = 'unit-1', uri = 'sip:notes@care.example', body = 'hello') =>
  site.request('MESSAGE', user, { uri, body, headers: [] });

const MESSAGE = {
  reqUri: 'sip:unit-1@192.0.2.50:5060',
  from: 'sip:notes@care.example',
  contentType: 'text/plain',
  body: 'hi',
};

const requests = (site: Site) => site.take().flatMap((message) => ('method' in message ? [message] : []));

describe('a MESSAGE that no alarm bridge takes', () => {
  it('is delivered to the tenant and to the command queue, with the reply path', async () => {
    const site = await appliance();
    say(site);
    await site.quiet();
    expect(site.take()).toMatchObject([{ status: 200 }]);
    const [posted] = site.posted;
    expect([posted?.target.url, posted?.call.path]).toEqual(['https://app.example/tenant', '/message']);
    const body = sipMessageReceivedSchema.parse(posted?.body);
    expect(body).toMatchObject({
      received: '192.0.2.50',
      sourcePort: '5060',
      fromDomain: 'care.example',
      fromUser: 'unit-1',
      fromURI: 'sip:unit-1@care.example',
      to: 'sip:notes@care.example',
      replyTo: 'sip:unit-1@192.0.2.50:5060',
      targetDomain: 'care.example',
      body: 'hello',
      protocol: 'udp',
    });
    const commandQueue = 'mqtts://box:8883/cmd/care.example/message';
    const event = { event: 'MESSAGE', ...body, commandQueue, commandRegion: 'north' };
    expect(reported).toEqual([{ topic: 'message', event }]);
    expect((await site.recorded()).map(plainRecord)).toMatchInlineSnapshot(`
      [
        {
          "configRevision": 7,
          "deliveries": {
            "count": 1,
            "failed": 0,
          },
          "deviceId": "unit-1",
          "durationMs": 0,
          "from": "unit-1",
          "kind": "message",
          "named": [
            true,
            true,
            true,
          ],
          "program": "test",
          "reason": "The message was taken",
          "requestUri": "sip:notes@care.example",
          "result": "done",
          "rule": "message",
          "source": "192.0.2.50",
          "times": {
            "arrived": 0,
            "deviceAnswered": 0,
            "ended": 0,
            "stored": 0,
          },
          "to": "notes",
          "v": 1,
        },
      ]
    `);
  });

  it.each([
    ['TCP', '192.0.2.50', '192.0.2.50'],
    ['TLS', '192.0.2.50', '192.0.2.50'],
    ['TCP', '2001:db8::50', '[2001:db8::50]'],
  ] as const)(
    'over %s from %s names its transport and the reply path over it',
    async (transport, from, host) => {
      const site = await appliance();
      const flow = { reliable: true, localAddress: '192.0.2.10', localPort: 5060, connection: 7 } as const;
      const bytes = writeRequest({
        method: 'MESSAGE',
        uri: 'sip:notes@care.example',
        headers: [
          ['Via', `SIP/2.0/${transport} ${host}:49152;branch=z9hG4bKway;rport`],
          ['Max-Forwards', '70'],
          ['From', '<sip:unit-1@care.example>;tag=a'],
          ['To', '<sip:notes@care.example>'],
          ['Call-ID', 'way'],
          ['CSeq', '1 MESSAGE'],
          ['Content-Type', 'text/plain'],
        ],
        body: Buffer.from('hello'),
      });
      site.runtime.message({ ...flow, transport, remoteAddress: from, remotePort: 49_152 }, bytes);
      await site.quiet();
      const protocol = transport.toLowerCase();
      expect(site.posted.map(({ body }) => body)).toMatchObject([
        { received: from, sourcePort: '49152', protocol, callId: 'way', contentType: 'text/plain' },
      ]);
      expect(site.posted[0]?.body.replyTo).toBe(`sip:unit-1@${host}:49152;transport=${protocol}`);
    },
  );

  it('to a bridge of events by API goes to the callback of that bridge, without authorization', async () => {
    const site = await appliance();
    site.bridge({
      protocol: 'api',
      destinationMatch: '^notes$',
      restAuthentication: [{ sub: 'a', scope: 'b', secret: 's'.repeat(40), type: 'HS256' }],
    });
    say(site);
    await site.quiet();
    expect(site.posted.map(({ target, call }) => [target.url, target.restAuthentication, call.path])).toEqual(
      [['https://app.example/cb', [], '/message']],
    );
  });

  it('is not answered 200 before it is on the disk', async () => {
    const site = await appliance();
    site.breakDisk(true);
    say(site);
    await site.quiet();
    expect(site.take()).toMatchObject([{ status: 503 }]);
    expect([site.posted, reported]).toEqual([[], []]);
  });

  it('over 1300 bytes is taken like any other', async () => {
    const site = await appliance();
    say(site, 'unit-1', undefined, 'x'.repeat(5_000));
    await site.quiet();
    expect(site.posted.map(({ body }) => String(body.body).length)).toEqual([5_000]);
  });
});

describe('an application', () => {
  it('answers over the flow of the message, in the name it was sent to', async () => {
    const site = await appliance();
    say(site);
    await site.quiet();
    site.take();
    const sent = site.runtime.messages.send(MESSAGE);
    const [message] = requests(site);
    expect(message).toMatchObject({ method: 'MESSAGE', uriText: 'sip:unit-1@192.0.2.50:5060' });
    expect(message?.from.uriText).toBe('sip:notes@care.example');
    expect([message?.header('Content-Type'), message?.body.toString()]).toEqual(['text/plain', 'hi']);
    if (message !== undefined) site.confirm(message);
    expect(await sent).toEqual({ ok: true, value: undefined });
  });

  it('reaches a registered device by its name, where it registered', async () => {
    const site = await appliance();
    site.request('REGISTER', 'unit-1', {
      uri: 'sip:unit-1@care.example',
      headers: [['Contact', '<sip:unit-1@192.0.2.50:5071>']],
    });
    await site.quiet();
    site.take();
    void site.runtime.messages.send({
      ...MESSAGE,
      reqUri: 'sip:unit-1@care.example',
      from: 'sip:unit-1@care.example',
    });
    await site.quiet();
    expect(requests(site).map(({ uriText }) => uriText)).toEqual(['sip:unit-1@192.0.2.50:5071']);
  });

  it.each([
    ['a name that is no device', MESSAGE, 'forbidden'],
    [
      'a device by the address of another tenant',
      { ...MESSAGE, from: 'sip:unit-1@other.example' },
      'forbidden',
    ],
    ['a device by the address of the host', { ...MESSAGE, from: 'sip:unit-1@192.0.2.10:5060' }, 'forbidden'],
    [
      'an unknown address',
      { ...MESSAGE, from: 'sip:unit-1@care.example', reqUri: 'sip:x@nowhere.example' },
      'noRoute',
    ],
  ])('is refused %s', async (_, message, code) => {
    const site = await appliance();
    expect(await site.runtime.messages.send(message)).toMatchObject({ ok: false, error: { code } });
    expect(requests(site)).toEqual([]);
  });

  it('hears what became of it: a refusal, or nothing for 15 s', async () => {
    const site = await appliance();
    say(site);
    await site.quiet();
    site.take();
    const silent = site.runtime.messages.send(MESSAGE);
    await site.after(15_000);
    expect(await silent).toMatchObject({
      ok: false,
      error: {
        code: 'deviceSilent',
        reason: 'the device did not answer the MESSAGE within 15 s (SIP 408 Request Timeout)',
      },
    });
  });

  it('speaks in the name that the device spoke to, by the address of the tenant or by that name, and by no other', async () => {
    const site = await appliance();
    say(site, 'unit-1', 'sip:notes@192.0.2.10');
    await site.quiet();
    site.take();
    const from = (address: string) => site.runtime.messages.send({ ...MESSAGE, from: address });
    expect(await from('sip:notes@other.example')).toMatchObject({ error: { code: 'forbidden' } });
    expect(requests(site)).toEqual([]);
    for (const address of ['sip:notes@192.0.2.10', 'sip:notes@Care.Example']) {
      const sent = from(address);
      const [message] = requests(site);
      expect(message?.from.uriText).toBe(address);
      if (message !== undefined) site.confirm(message);
      expect(await sent).toMatchObject({ ok: true });
    }
  });

  it('is not asked when the device wants to know who speaks: the password of the device answers, once', async () => {
    const site = await appliance();
    site.device({ deviceId: 'door-1', authType: 'credentials', digest: { sha256: HA1 } });
    site.request('MESSAGE', 'unit-1', { uri: 'sip:notes@care.example', body: 'hello', headers: [] });
    await site.quiet();
    site.take();
    const to = { ...MESSAGE, reqUri: 'sip:door-1@192.0.2.50:5060', from: 'sip:unit-1@care.example' };
    const sent = site.runtime.messages.send(to);
    await site.quiet();
    const [first] = requests(site);
    const challenge = 'Digest realm="care.example", nonce="n1", qop="auth", algorithm=SHA-256';
    if (first !== undefined) site.confirm(first, 401, [['WWW-Authenticate', challenge]]);
    await site.quiet();
    const [second] = requests(site);
    expect([second?.callId, second?.header('CSeq')]).toEqual([first?.callId, '2 MESSAGE']);
    const field = second?.header('Authorization') ?? '';
    const value = (name: string) => new RegExp(`\\b${name}="?([^",]+)`).exec(field)?.[1] ?? '';
    expect([value('username'), value('realm'), value('nonce')]).toEqual(['door-1', 'care.example', 'n1']);
    const ha2 = hash('SHA-256', 'MESSAGE:sip:door-1@192.0.2.50:5060');
    expect(value('response')).toBe(
      hash('SHA-256', `${HA1}:n1:${value('nc')}:${value('cnonce')}:auth:${ha2}`),
    );
    if (second !== undefined) site.confirm(second, 401, [['WWW-Authenticate', challenge]]);
    expect(await sent).toMatchObject({ ok: false, error: { code: 'messageRefused' } });
    await site.after(1_000);
    expect(requests(site)).toEqual([]);
  });

  it('learns of a challenge that nothing here answers', async () => {
    const site = await appliance();
    site.device({ deviceId: 'door-1', authType: 'credentials', digest: { sha256: HA1 } });
    const to = { ...MESSAGE, reqUri: 'sip:door-1@192.0.2.50:5060', from: 'sip:unit-1@care.example' };
    const sent = site.runtime.messages.send(to);
    await site.quiet();
    const [first] = requests(site);
    const challenge = 'Digest realm="elsewhere.example", nonce="n1", qop="auth", algorithm=SHA-256';
    if (first !== undefined) site.confirm(first, 401, [['WWW-Authenticate', challenge]]);
    expect(await sent).toMatchObject({ ok: false, error: { code: 'messageRefused' } });
  });

  it('is carried by TCP where UDP does not, and learns that nothing does', async () => {
    const site = await appliance();
    const long = {
      ...MESSAGE,
      from: 'sip:unit-1@care.example',
      reqUri: 'sip:desk@192.0.2.77',
      body: 'x'.repeat(1_300),
    };
    void site.runtime.messages.send({ ...long, body: 'short' });
    void site.runtime.messages.send(long);
    await site.quiet();
    expect(site.sent.map(({ flow, bytes }) => [flow.transport, bytes.length > 1_300])).toEqual([
      ['UDP', false],
      ['TCP', true],
    ]);
    site.sent.splice(0);
    site.network.noTransport.add('TCP');
    expect(await site.runtime.messages.send(long)).toMatchObject({
      ok: false,
      error: { code: 'tooLarge', path: '/body' },
    });
    expect(site.sent).toEqual([]);
  });

  it('learns that UDP does not carry what it wants to say', async () => {
    const site = await appliance();
    say(site);
    await site.quiet();
    site.take();
    const sent = await site.runtime.messages.send({ ...MESSAGE, body: 'x'.repeat(1_300) });
    expect(sent).toMatchObject({ ok: false, error: { code: 'tooLarge', path: '/body' } });
    expect(requests(site)).toEqual([]);
  });
});

it('a device that fails to authenticate is reported once in its window, to the queue too', async () => {
  const site = await appliance();
  site.notify('https://app.example/alarms');
  site.device({ deviceId: 'unit-2', authType: 'disabled' });
  for (let tries = 0; tries < 3; tries++) {
    site.request('REGISTER', 'unit-2', {
      uri: 'sip:care.example',
      headers: [['Contact', '<sip:unit-2@192.0.2.50>']],
    });
    await site.quiet();
  }
  const events = reported.filter(({ topic }) => topic === 'alarm').map(({ event }) => event);
  expect(events).toMatchObject([
    { event: 'authError', domain: 'care.example', deviceId: 'unit-2', method: 'REGISTER' },
  ]);
  expect(site.posted.filter(({ body }) => body.type === 'authError')).toHaveLength(1);
});
