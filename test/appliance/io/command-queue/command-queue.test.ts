import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CommandQueueBroker, type QueueCommand } from '#appliance/io/command-queue/index.ts';
import { demoAuthority } from '#installer/io/demo-authority.ts';
import { freePorts } from '#test/support/site-port.ts';

const HOSTS = ['127.0.0.1', '::1'];
const folder = mkdtempSync(join(tmpdir(), 'carillon-queue-'));
const asked: QueueCommand[] = [];
const refused: string[] = [];
let ca: string;
let broker: CommandQueueBroker;
let issue: () => Promise<{ cert: string; key: string }>;
const clients: MqttClient[] = [];

beforeAll(async () => {
  const authority = await demoAuthority(folder);
  ca = readFileSync(authority.file, 'utf8');
  issue = () => authority.issue([...HOSTS]);
  broker = new CommandQueueBroker({
    listen: HOSTS.map((host) => ({ host, port: 0 })),
    domain: () => 'care.example',
    admit: async (token) => (token === 'right' ? undefined : 'the token is not known'),
    perform: async (command) => {
      asked.push(command);
      return { success: true };
    },
    onRefused: (reason) => refused.push(reason),
  });
  await broker.secure(await issue());
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.endAsync(true);
  asked.splice(0);
  refused.splice(0);
});
afterAll(async () => {
  await broker.close();
  rmSync(folder, { recursive: true });
});

async function connected(options: IClientOptions = {}, at = broker.bound[0]): Promise<MqttClient> {
  const client = connect(`mqtts://${at?.host.includes(':') ? `[${at.host}]` : at?.host}:${at?.port}`, {
    ca,
    clientId: 'app-1',
    username: 'any',
    password: 'right',
    protocolVersion: 4,
    reconnectPeriod: 0,
    ...options,
  });
  clients.push(client);
  // A connection that is cut ends with an error or without one: what counts is that it ends.
  client.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('close', () => reject(new Error('the connection was closed')));
  });
  return client;
}

const closed = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()));

/** The next message a client is given, as topic and JSON. */
const received = (client: MqttClient): Promise<readonly [string, unknown]> =>
  new Promise((resolve) =>
    client.once('message', (topic, payload) => resolve([topic, JSON.parse(payload.toString())])),
  );

describe('a command', () => {
  it('is done with the token of who asked, and answered to him alone, with its id', async () => {
    const client = await connected();
    const other = await connected({ clientId: 'app-2' });
    await client.subscribeAsync('cmd/care.example/reply/app-1', { qos: 1 });
    await other.subscribeAsync('cmd/care.example/reply/app-2', { qos: 1 });
    const strays: string[] = [];
    other.on('message', (topic) => strays.push(topic));
    const answer = received(client);
    const command = { method: 'MESSAGE', id: 'c-7', reqUri: 'sip:a@b', body: 'x' };
    await client.publishAsync('cmd/care.example/message', JSON.stringify(command), { qos: 1 });
    expect(await answer).toEqual(['cmd/care.example/reply/app-1', { id: 'c-7', success: true }]);
    expect(asked).toEqual([{ kind: 'message', command, token: 'right' }]);
    expect(strays).toEqual([]);
  });

  it('that is no JSON is handed on as nothing, and answered', async () => {
    const client = await connected();
    await client.subscribeAsync('cmd/care.example/reply/app-1');
    const answer = received(client);
    await client.publishAsync('cmd/care.example/callrecording', '{', { qos: 1 });
    expect(await answer).toEqual(['cmd/care.example/reply/app-1', { success: true }]);
    expect(asked).toMatchObject([{ kind: 'callrecording', command: undefined }]);
  });
});

it('is one queue at several addresses, each of which shows the newest certificate', async () => {
  const [v4, v6] = broker.bound;
  expect([v4?.host, v6?.host]).toEqual(HOSTS);
  expect(broker.port).toBe(v4?.port);
  const { cert, key } = await issue();
  // Two at once, as after a renewal while the start is not over.
  await Promise.all([broker.secure(await issue()), broker.secure({ cert, key })]);
  const [one, two] = [await connected({}, v4), await connected({ clientId: 'app-2' }, v6)];
  for (const client of [one, two]) {
    await client.subscribeAsync('event/care.example/message');
    const shown = (client.stream as TLSSocket).getPeerX509Certificate();
    expect(shown?.serialNumber).toBe(new X509Certificate(cert).serialNumber);
  }
  const both = [received(one), received(two)];
  broker.tell('message', { event: 'MESSAGE' });
  expect((await Promise.all(both)).map(([topic]) => topic)).toEqual(
    Array(2).fill('event/care.example/message'),
  );
});

it('that cannot have an address says which setting names it, and opens there later', async () => {
  const [free = 0] = await freePorts('127.0.0.1', 1);
  const holder = createServer().listen(free, '127.0.0.1');
  await once(holder, 'listening');
  const more = new CommandQueueBroker({
    listen: [
      { host: '::1', port: free },
      { host: '127.0.0.1', port: free },
    ],
    domain: () => 'care.example',
    admit: async () => undefined,
    perform: async () => ({}),
    onRefused: () => undefined,
  });
  try {
    await expect(more.secure(await issue())).rejects.toThrow(
      new RegExp(`127.0.0.1:${free}: .*EADDRINUSE.*another address in CARILLON_COMMAND_QUEUE`),
    );
    holder.close();
    await once(holder, 'close');
    await more.secure(await issue());
    expect(more.bound).toHaveLength(2);
  } finally {
    await more.close();
  }
});

it('sends events to each reader of their topic', async () => {
  const [one, two] = [await connected(), await connected({ clientId: 'app-2' })];
  await one.subscribeAsync('event/care.example/message');
  await two.subscribeAsync('event/care.example/alarm');
  const both = [received(one), received(two)];
  broker.tell('message', { event: 'MESSAGE', callId: 'x' });
  broker.tell('alarm', { event: 'authError' });
  expect(await Promise.all(both)).toEqual([
    ['event/care.example/message', { event: 'MESSAGE', callId: 'x' }],
    ['event/care.example/alarm', { event: 'authError' }],
  ]);
});

describe('refusal at the command queue', () => {
  it.each([
    ['comes in with a wrong token', { password: 'wrong' }],
    ['comes in by MQTT 5', { protocolVersion: 5 }],
    ['keeps a session', { clean: false }],
    ['leaves a will', { will: { topic: 'cmd/care.example/message', payload: Buffer.from('{}') } }],
    ['has a name that stands for many', { clientId: 'app/#' }],
  ] as const)('%s', async (_, options) => {
    await expect(connected(options as IClientOptions)).rejects.toThrow();
    expect(refused.length).toBeGreaterThan(0);
  });

  it.each([
    'cmd/care.example/reply/app-2',
    'cmd/care.example/message',
    'cmd/care.example/reply/+',
    'event/care.example/#',
    'event/other.example/message',
    '#',
    '$SYS/#',
  ])('reads %s', async (topic) => {
    const client = await connected();
    const whenClosed = closed(client);
    client.subscribe(topic);
    await whenClosed;
    expect(refused[0]).toBe(`subscribe to ${topic}`);
  });

  it.each([
    ['cmd/other.example/message', {}],
    ['cmd/care.example/reply/app-1', {}],
    ['event/care.example/message', {}],
    ['cmd/care.example/message', { retain: true }],
    ['cmd/care.example/message', { qos: 2 }],
  ] as const)('publishes to %s as %j', async (topic, options) => {
    const client = await connected();
    const whenClosed = closed(client);
    client.publish(topic, '{}', { qos: 1, ...options });
    await whenClosed;
    expect(asked).toEqual([]);
  });

  it('says more than 72 KiB at once', async () => {
    const client = await connected();
    const whenClosed = closed(client);
    client.publish('cmd/care.example/message', 'x'.repeat(73 * 1024), { qos: 1 });
    await whenClosed;
    expect(asked).toEqual([]);
  });
});

it('shows a new certificate to new connections, and those that are there stay', async () => {
  const before = await connected();
  await broker.secure(await issue());
  await connected({ clientId: 'app-2' });
  expect(before.connected).toBe(true);
});
