import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import type { MqttClient } from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openMqtt } from '#appliance/io/mqtt/index.ts';
import { downFilter, topicOf } from '#shared/contract/feed/index.ts';
import {
  attempt,
  connected,
  ended,
  eventually,
  goodConnect,
  openStage,
  type Stage,
  type StageHost,
  tokenOf,
} from '#test/cloud/io/broker/stage.ts';
import { connectPacket, packet, publishPacket, subscribePacket } from './support/mqtt-bytes.ts';

/* Inputs of public reports about brokers and their clients, at the embedded broker and at the host's connection; README.md names each. */

/** The keepalive of a host would end its connection after 45 s. */
const ENDED_WITHIN_MS = 30_000;

let stage: Stage;
const opened: { end: () => unknown }[] = [];
beforeAll(async () => {
  stage = await openStage('plain', false);
});
afterEach(() => {
  for (const each of opened.splice(0)) each.end();
});
afterAll(() => stage.close());

const url = () => `mqtt://127.0.0.1:${stage.port}`;

async function comesIn(host: StageHost): Promise<MqttClient> {
  const client = await connected(url(), { ...goodConnect(host), password: await tokenOf(host) });
  opened.push({ end: () => client.end(true) });
  return client;
}

/** A host that is served before and after. */
async function witness() {
  const host = await stage.createHost();
  const client = await comesIn(host);
  const received: string[] = [];
  client.on('message', (topic, payload) =>
    received.push(`${topic.split('/').slice(6).join('/')} ${payload}`),
  );
  await client.subscribeAsync(downFilter(host.place), { qos: 1 });
  return {
    host,
    client,
    heard: received,
    isServed: async () => {
      await stage.broker.publish(topicOf(host.place, 'dn/req'), 'still there?');
      await eventually(() => received.includes('dn/req still there?'), 'a request to the witness');
      expect(client.connected).toBe(true);
    },
  };
}

/** A socket that sends bytes; `over` resolves when the broker has ended it. */
async function raw(port = stage.port): Promise<{ socket: Socket; over: Promise<unknown> }> {
  const socket = dial(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  opened.push({ end: () => socket.destroy() });
  const over = once(socket, 'close');
  await once(socket, 'connect');
  return { socket, over };
}

/** A host over raw bytes, behind its CONNACK. */
async function rawHost() {
  const host = await stage.createHost();
  const { socket, over } = await raw();
  const accepted = once(socket, 'data');
  socket.write(connectPacket(host.place.uid, await tokenOf(host)));
  await accepted;
  return { host, socket, over };
}

describe('the broker, at what is no packet', () => {
  it.each<[string, Buffer]>([
    ['a TLS client hello on the plain port', Buffer.from('160301020001000', 'latin1')],
    ['a CONNECT whose name of the protocol is cut', Buffer.from([0x10, 0x02, 0x00, 0x04])],
    ['a PUBLISH before CONNECT', publishPacket('a', 'b')],
    ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')],
  ])('ends %s, and serves the others', async (_, bytes) => {
    const other = await witness();
    const { socket, over } = await raw();
    socket.write(bytes);
    socket.end();
    await over;
    await other.isServed();
  });

  it.each<[string, (host: StageHost) => Buffer]>([
    ['a PINGREQ whose two bytes are 0x0a 0xc0', () => Buffer.from([0x0a, 0xc0])],
    ['a SUBSCRIBE with wrong flags', ({ place }) => subscribePacket(downFilter(place), 0)],
    ['a PUBLISH to a topic with #', ({ place }) => publishPacket(`${topicOf(place, 'up/state')}/#`, 'x')],
    [
      'a PUBLISH to a topic with +',
      ({ place }) => publishPacket(topicOf({ ...place, siteId: '+' }, 'up/hb'), 'x'),
    ],
    ['a PUBLISH to an empty topic', () => publishPacket('', 'x')],
    ['a SUBSCRIBE to an empty filter', () => subscribePacket('')],
    ['a SUBSCRIBE with # in the middle', ({ place }) => subscribePacket(`${downFilter(place)}/#/x`)],
    ['a SUBSCRIBE with +x', ({ place }) => subscribePacket(topicOf({ ...place, uid: '+x' }, 'dn/req'))],
    ['a SUBSCRIBE to everything', () => subscribePacket('#')],
    ['a SUBSCRIBE to $SYS/#', () => subscribePacket('$SYS/#')],
  ])('ends a host that sends %s, and serves the others', { timeout: ENDED_WITHIN_MS }, async (_, bytesOf) => {
    const other = await witness();
    const { host, socket, over } = await rawHost();
    socket.write(bytesOf(host));
    await over;
    await other.isServed();
  });
});

describe('the broker, at a host that means another one', () => {
  it('a message on $SYS with the client id of another host ends the sender and not the other', async () => {
    const other = await witness();
    const { socket, over } = await rawHost();
    socket.write(publishPacket('$SYS/another-broker/new/clients', other.host.place.uid));
    await over;
    await other.isServed();
  });

  it('a will on the topic of another host is refused with the connection', async () => {
    const other = await witness();
    const host = await stage.createHost();
    const seen: string[] = [];
    stage.broker.onMessage((topic, payload) => seen.push(`${topic} ${payload}`));
    const topic = topicOf(other.host.place, 'up/state');
    const will = { topic, payload: Buffer.from('forged'), qos: 1, retain: true } as const;
    const answer = await attempt(url(), { ...goodConnect(host), will, password: await tokenOf(host) });
    expect(answer).toBeTypeOf('string');
    await other.isServed();
    expect(seen.filter((each) => each.includes('forged'))).toEqual([]);
  });

  it('retained messages of other topics stay away from a host that comes back', async () => {
    const other = await witness();
    await stage.broker.publish(topicOf(other.host.place, 'dn/twin'), 'not yours', { retain: true });
    const own = await witness();
    await own.isServed();
    expect(own.heard).toEqual(['dn/req still there?']);
  });
});

describe('the broker, at a host that comes again', () => {
  it('gives the retained twin once for each time', async () => {
    const host = await stage.createHost();
    await stage.broker.publish(topicOf(host.place, 'dn/twin'), 'twin', { retain: true });
    for (let time = 0; time < 3; time++) {
      const client = await comesIn(host);
      const received: string[] = [];
      client.on('message', (_topic, payload) => received.push(String(payload)));
      await client.subscribeAsync(downFilter(host.place), { qos: 1 });
      await stage.broker.publish(topicOf(host.place, 'dn/req'), 'last');
      await eventually(() => received.includes('last'), 'the request behind the twin');
      expect(received).toEqual(['twin', 'last']);
      await client.endAsync();
    }
  });

  it('ends the first connection, and its will comes before the birth of the second one is overwritten', async () => {
    const host = await stage.createHost();
    const seen: string[] = [];
    stage.broker.onMessage((topic, payload) => {
      if (topic.includes(host.place.uid)) seen.push(String(payload));
    });
    const first = await comesIn(host);
    await first.publishAsync(topicOf(host.place, 'up/state'), 'birth 1', { qos: 1, retain: true });
    const second = await comesIn(host);
    await ended(first);
    await second.publishAsync(topicOf(host.place, 'up/state'), 'birth 2', { qos: 1, retain: true });
    await eventually(() => seen.includes('birth 2'), 'the second birth');
    expect(seen).toEqual(['birth 1', '{"st":"off"}', 'birth 2']);
    expect(second.connected).toBe(true);
  });

  it('an empty retained message takes the state away and harms no host', async () => {
    const other = await witness();
    const client = await comesIn(await stage.createHost());
    const topic = client.options.will?.topic ?? '';
    await client.publishAsync(topic, 'birth', { qos: 1, retain: true });
    await client.publishAsync(topic, '', { qos: 1, retain: true });
    await other.isServed();
  });

  it('the clock of the machine goes three months ahead and back: no host is disconnected', async () => {
    const host = await stage.createHost();
    const options = { ...goodConnect(host), keepalive: 1, password: await tokenOf(host) };
    const client = await connected(url(), options);
    opened.push({ end: () => client.end(true) });
    const closed = vi.fn();
    client.on('close', closed);
    const pings = (count: number) =>
      new Promise<void>((resolve) => {
        let left = count;
        client.on('packetreceive', ({ cmd }) => {
          if (cmd === 'pingresp' && --left === 0) resolve();
        });
      });
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now });
    try {
      for (const ms of [92 * 86_400_000, -92 * 86_400_000, 0]) {
        vi.setSystemTime(now + ms);
        await pings(2);
      }
    } finally {
      vi.useRealTimers();
    }
    expect(closed).not.toHaveBeenCalled();
  });
});

describe('a host, at a broker that misbehaves', () => {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  /** A broker of bytes: `answer` gets the socket at the first packet of each connection. */
  async function broker(answer: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** How often and why the connection was lost. */
  async function lost(port: number): Promise<readonly string[]> {
    const reasons: string[] = [];
    await new Promise<void>((resolve) => {
      const connection = openMqtt(
        {
          url: `mqtt://127.0.0.1:${port}`,
          uid: '01jhost0000000000000000000',
          password: 'p',
          tls: undefined,
          will: { topic: 'carillon/1/00/t/s/u/up/state', payload: '{}' },
        },
        {
          opened: () => undefined,
          message: () => undefined,
          lost: (reason) => {
            reasons.push(reason);
            resolve();
          },
        },
      );
      opened.push({ end: () => void connection.end().catch(() => undefined) });
    });
    // A second report of the same loss would come in this round.
    await new Promise((resolve) => setImmediate(resolve));
    return reasons;
  }

  const CONNACK = Buffer.from([0x20, 2, 0, 0]);
  it.each<[string, (socket: Socket) => void]>([
    ['ends the connection right behind CONNACK', (socket) => socket.end(CONNACK)],
    ['refuses with code 5', (socket) => socket.write(Buffer.from([0x20, 2, 0, 5]))],
    [
      'refuses with a code that MQTT 3.1.1 does not know',
      (socket) => socket.write(Buffer.from([0x20, 2, 0, 0x8e])),
    ],
    [
      'says DISCONNECT as MQTT 5 does',
      (socket) => socket.end(Buffer.concat([CONNACK, Buffer.from([0xe0, 0])])),
    ],
    [
      'sends PUBACK with wrong flags',
      (socket) => socket.write(Buffer.concat([CONNACK, Buffer.from([0x42, 2, 0, 1])])),
    ],
    ['sends a PUBLISH that has no topic', (socket) => socket.write(Buffer.concat([CONNACK, packet(0x30)]))],
    ['sends bytes of no packet', (socket) => socket.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))],
  ])('that %s: the connection is lost once, with a reason', async (_, answer) => {
    const [reason = '', ...more] = await lost(await broker(answer));
    expect(more).toEqual([]);
    expect(reason).toMatch(/\w{3}/);
  });
});
