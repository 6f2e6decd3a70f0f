import { createSocket, type Socket } from 'node:dgram';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Arc, type ArcRequest, startArc } from '#appliance/simulator/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { sipMessageReceivedSchema } from '#shared/contract/callback/index.ts';
import { openSite, type Site } from '#test/support/site.ts';
import { freePorts } from '#test/support/site-port.ts';

/*
 * A device and an application that speak by SIP MESSAGE through a site in processes of its own: what the device says comes by callback and
 * by the topics of the command queue, what the application answers goes back by the queue and by HTTP (runtime API document 4.4 and 6).
 */

const WAIT = { timeout: 30_000, interval: 20 };

let site: Site;
let device: Socket;
let queue: MqttClient;
let arc: Arc;
/** Answers to the device, callbacks to the application, and messages that it read in the queue. */
const received: string[] = [];
const posted: ArcRequest[] = [];
const reported: (readonly [topic: string, body: Record<string, unknown>])[] = [];

beforeAll(async () => {
  const [arcPort = 0] = await freePorts('127.0.0.1', 1);
  site = await openSite({
    provision: async ({ api, token, domain }) => {
      const said = await fetch(`${api}/provisioning/notificationsettings/${domain}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messageCallbackBaseUrl: `https://127.0.0.1:${arcPort}` }),
      });
      expect(said.status).toBe(200);
    },
  });
  // Messages come without authorization: an application that asks for none.
  const authority = await demoAuthority(join(site.applianceFolder, '../demo'));
  arc = await startArc({
    host: '127.0.0.1',
    port: arcPort,
    certificate: await authority.issue(['127.0.0.1']),
    publicKeyPem: undefined,
    onRequest: (request) => posted.push(request),
  });
  device = createSocket('udp4');
  device.on('message', (bytes) => received.push(bytes.toString()));
  await new Promise<void>((resolve) => device.bind(0, '127.0.0.1', resolve));
  const username = 'any';
  const login = { username, password: site.token, clientId: 'journey', protocolVersion: 4 } as const;
  queue = connect(site.commandQueue, { ...login, rejectUnauthorized: false, reconnectPeriod: 0 });
  await new Promise<void>((resolve, reject) => {
    queue.once('connect', () => resolve());
    queue.once('error', reject);
  });
  queue.on('message', (topic, payload) => reported.push([topic, JSON.parse(payload.toString())]));
  const { domain } = site;
  for (const topic of [`event/${domain}/message`, `event/${domain}/alarm`, `cmd/${domain}/reply/journey`])
    await queue.subscribeAsync(topic);
}, 90_000);

afterAll(async () => {
  await queue?.endAsync();
  device?.close();
  await arc?.close();
  await site?.close();
}, 60_000);

const port = (): number => (device.address() as AddressInfo).port;

let sent = 0;
/** The device says this; `more`: further header fields. */
function says(method: string, user: string, uri: string, body = '', more: readonly string[] = []): string {
  const branch = `z9hG4bKjourney${++sent}`;
  const head = [
    `${method} ${uri} SIP/2.0`,
    `Via: SIP/2.0/UDP 127.0.0.1:${port()};branch=${branch};rport`,
    'Max-Forwards: 70',
    `From: <sip:${user}@${site.domain}>;tag=j${sent}`,
    `To: <${method === 'REGISTER' ? `sip:${user}@${site.domain}` : uri}>`,
    `Call-ID: journey-${sent}`,
    `CSeq: 1 ${method}`,
    ...more,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const [, sipPort] = site.sip.split(':');
  device.send(`${head.join('\r\n')}\r\n\r\n${body}`, Number(sipPort), '127.0.0.1');
  return `journey-${sent}`;
}

/** The next message of this kind that the device gets. */
async function gets(start: string): Promise<string> {
  return await vi.waitFor(() => {
    const at = received.findIndex((text) => text.startsWith(start));
    expect(at, `${start} among ${received.map((text) => text.split('\r\n')[0]).join(', ')}`).not.toBe(-1);
    return received.splice(at, 1)[0] ?? '';
  }, WAIT);
}

/** The next event or answer of this topic. */
async function reads(topic: string): Promise<Record<string, unknown>> {
  return await vi.waitFor(() => {
    const at = reported.findIndex(([where]) => where === topic);
    expect(at, topic).not.toBe(-1);
    return reported.splice(at, 1)[0]?.[1] ?? {};
  }, WAIT);
}

/** The device takes what came. */
function takes(text: string): void {
  const fields = text.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/.test(line));
  const [, sipPort] = site.sip.split(':');
  const answer = ['SIP/2.0 200 OK', ...fields, 'Content-Length: 0'].join('\r\n');
  device.send(`${answer}\r\n\r\n`, Number(sipPort), '127.0.0.1');
}

const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

function post(body: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' };
    const options = { method: 'POST', headers, rejectUnauthorized: false, agent: false };
    const asked = request(
      `${site.siteBaseUrl}/sipmessage/${site.domain}/message`,
      options,
      async (answer) => {
        let text = '';
        for await (const chunk of answer) text += chunk;
        resolve([answer.statusCode, JSON.parse(text)]);
      },
    );
    asked.on('error', reject);
    asked.end(JSON.stringify(body));
  });
}

/** The device has said something; what the application read of it. */
async function arrived(): Promise<Record<string, unknown>> {
  const uri = `sip:notes@${site.domain}`;
  const callId = says('MESSAGE', 'scaip-0001', uri, 'hello', ['Content-Type: text/plain']);
  await gets('SIP/2.0 200');
  const event = await reads(`event/${site.domain}/message`);
  expect(event.callId).toBe(callId);
  return event;
}

it('a message of a device comes to the callback and to the topic, with every field and the reply path', async () => {
  const event = await arrived();
  expect(event).toEqual({
    event: 'MESSAGE',
    callId: expect.any(String),
    received: '127.0.0.1',
    sourcePort: String(port()),
    fromDomain: site.domain,
    fromUser: 'scaip-0001',
    fromURI: `sip:scaip-0001@${site.domain}`,
    to: `sip:notes@${site.domain}`,
    replyTo: `sip:scaip-0001@127.0.0.1:${port()}`,
    targetDomain: site.domain,
    contentType: 'text/plain',
    body: 'hello',
    protocol: 'udp',
    replyId: expect.any(String),
    commandQueue: `${site.commandQueue}/cmd/${site.domain}/message`,
    commandRegion: expect.stringMatching(/\w/),
  });
  await vi.waitFor(() => expect(posted).toHaveLength(1), WAIT);
  const { event: _, commandQueue: __, commandRegion: ___, ...body } = event;
  expect(posted).toMatchObject([{ path: '/message', body }]);
  expect(Object.keys(posted[0]?.body ?? {}).toSorted()).toEqual(
    Object.keys(sipMessageReceivedSchema.shape).toSorted(),
  );
});

it('the command MESSAGE at commandQueue goes back to it, its JSON as XML, and is answered when the device took it', async () => {
  const { commandQueue, replyTo, to, replyId } = await arrived();
  const topic = new URL(String(commandQueue)).pathname.slice(1);
  const command = { method: 'MESSAGE', id: 'm1', reqUri: replyTo, from: to, replyId };
  const said = { contentType: 'application/json', convertJSONtoXML: true };
  const body = JSON.stringify({ note: { text: 'fall & <rise>', unit: [1, 2] } });
  await queue.publishAsync(topic, JSON.stringify({ ...command, ...said, body }), { qos: 1 });
  const message = await gets('MESSAGE ');
  expect(message).toContain('Content-Type: application/xml');
  expect(message).toMatch(new RegExp(`^From: <${String(to)}>`, 'm'));
  expect(bodyOf(message)).toBe(
    '<note><text>fall &amp; &lt;rise&gt;</text><unit>1</unit><unit>2</unit></note>',
  );
  expect(reported).toEqual([]);
  takes(message);
  expect(await reads(`cmd/${site.domain}/reply/journey`)).toEqual({ id: 'm1', success: true });
});

it('POST /sipmessage/{domain}/message goes back to it, too, as it is without convertJSONtoXML', async () => {
  const { replyTo, to, replyId } = await arrived();
  const reply = { reqUri: replyTo, from: to, replyId, contentType: 'application/json' };
  const answer = post({ ...reply, body: '{"note":1}' });
  const message = await gets('MESSAGE ');
  expect(message).toContain('Content-Type: application/json');
  expect(bodyOf(message)).toBe('{"note":1}');
  takes(message);
  expect(await answer).toEqual([200, { success: true }]);
  const converted = { ...reply, convertJSONtoXML: true };
  expect(await post({ ...converted, body: '[1]' })).toMatchObject([
    400,
    { success: false, error: { code: 'invalid', path: '/body' } },
  ]);
  expect(await post({ ...converted, contentType: 'text/plain', body: '{}' })).toMatchObject([
    400,
    { success: false, error: { code: 'invalid', path: '/contentType' } },
  ]);
});

it('a device that fails to authenticate is reported in the alarm topic', async () => {
  const uri = `sip:${site.domain}`;
  const contact = `Contact: <sip:operator@127.0.0.1:${port()}>`;
  says('REGISTER', 'operator', uri, '', [contact]);
  const nonce = /nonce="([^"]+)"/.exec(await gets('SIP/2.0 401'))?.[1];
  const proof = `Authorization: Digest username="operator", realm="${site.domain}", nonce="${nonce}", uri="${uri}", response="${'0'.repeat(64)}", algorithm=SHA-256, qop=auth, nc=00000001, cnonce="x"`;
  says('REGISTER', 'operator', uri, '', [contact, proof]);
  expect(await reads(`event/${site.domain}/alarm`)).toEqual({
    event: 'authError',
    domain: site.domain,
    deviceId: 'operator',
    reason: 'wrongCredentials',
    method: 'REGISTER',
    requestUri: uri,
  });
});
