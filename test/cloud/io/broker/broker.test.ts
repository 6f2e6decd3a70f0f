import { connect as connectTcp, Socket } from 'node:net';
import type { IClientOptions, MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { cpStateTopic, downFilter, topicOf } from '#shared/contract/feed/index.ts';
import {
  attempt,
  connected,
  ended,
  eventually,
  goodConnect,
  openStage,
  type Stage,
  tokenOf,
} from './stage.ts';

let plain: Stage;
let tls: Stage;
beforeAll(async () => {
  // Many connections from one address are the point here; the limit has a test of its own.
  plain = await openStage('plain', false);
  tls = await openStage('tls', false);
});
afterAll(async () => {
  await plain.close();
  await tls.close();
});

const plainUrl = () => `mqtt://127.0.0.1:${plain.port}`;
const tlsUrl = () => `mqtts://127.0.0.1:${tls.port}`;

describe('a host comes in', () => {
  it('is sent each packet at once', async () => {
    const set = vi.spyOn(Socket.prototype, 'setNoDelay');
    for (const [stage, url] of [
      [plain, plainUrl()],
      [tls, tlsUrl()],
    ] as const) {
      set.mockClear();
      const host = await stage.createHost();
      const client = await connected(url, {
        ...goodConnect(host),
        ...(stage === tls
          ? { ca: tls.authority.ca, cert: host.certificate, key: host.key }
          : { password: await tokenOf(host) }),
      });
      const sockets = set.mock.contexts as readonly Socket[];
      const ofBroker = sockets.filter(({ localPort }) => localPort === stage.port);
      expect(ofBroker.length).toBeGreaterThan(0);
      expect(set.mock.calls.flat()).not.toContain(false);
      await client.endAsync();
    }
    set.mockRestore();
  });

  it('by client certificate, and hears what is meant for it', async () => {
    const host = await tls.createHost();
    await tls.broker.publish(topicOf(host.place, 'dn/twin'), 'the twin', { retain: true });
    const client = await connected(tlsUrl(), {
      ...goodConnect(host),
      ca: tls.authority.ca,
      cert: host.certificate,
      key: host.key,
    });
    const received = new Map<string, string>();
    client.on('message', (topic, payload) => received.set(topic, payload.toString()));
    await client.subscribeAsync([downFilter(host.place), cpStateTopic(host.place.sh)], { qos: 1 });
    await eventually(() => received.size === 2, 'retained messages');
    expect(received.get(topicOf(host.place, 'dn/twin'))).toBe('the twin');
    expect(JSON.parse(received.get(cpStateTopic(host.place.sh)) ?? '')).toMatchObject({
      v: 1,
      st: 'on',
      epoch: 1,
    });
    await client.endAsync();
  });

  it('by a short token of its own key on plain loopback, and is accepted', async () => {
    const host = await plain.createHost();
    const seen: string[] = [];
    plain.broker.onMessage((topic, payload) => {
      if (topic.includes(host.place.uid)) seen.push(`${topic.split('/').slice(6).join('/')} ${payload}`);
    });
    const client = await connected(plainUrl(), { ...goodConnect(host), password: await tokenOf(host) });
    await client.publishAsync(topicOf(host.place, 'up/state'), 'birth', { qos: 1, retain: true });
    await client.publishAsync(topicOf(host.place, 'up/ev/alarm'), 'event', { qos: 1 });
    client.stream.destroy();
    await eventually(() => seen.length === 3, 'birth, event, will');
    expect(seen).toEqual(['up/state birth', 'up/ev/alarm event', 'up/state {"st":"off"}']);
  });

  it('and goes when it is kicked', async () => {
    const host = await plain.createHost();
    const client = await connected(plainUrl(), { ...goodConnect(host), password: await tokenOf(host) });
    plain.broker.kick(host.place.uid);
    await ended(client);
    expect(client.connected).toBe(false);
  });
});

describe('a connection is refused', () => {
  type Options = (options: IClientOptions) => IClientOptions;
  it.each<[string, Options]>([
    ['MQTT 5', (o) => ({ ...o, protocolVersion: 5 })],
    ['MQTT 3.1', (o) => ({ ...o, protocolVersion: 3, protocolId: 'MQIsdp' })],
    ['a kept session', (o) => ({ ...o, clean: false })],
    ['another client id', (o) => ({ ...o, clientId: '01j00000000000000000000000' })],
    ['a client id that is no uid', (o) => ({ ...o, clientId: 'cp-00', username: 'cp-00' })],
    ['another user name', (o) => ({ ...o, username: 'admin' })],
    ['no password', ({ password: _, ...o }) => o],
    ['a password that is no token', (o) => ({ ...o, password: 'secret' })],
    ['keepalive 0', (o) => ({ ...o, keepalive: 0 })],
    ['keepalive 61', (o) => ({ ...o, keepalive: 61 })],
    [
      'a will elsewhere',
      (o) => ({ ...o, will: { topic: 'a/b', payload: Buffer.of(), qos: 0, retain: false } }),
    ],
    [
      'a will on its heartbeat',
      (o) => ({
        ...o,
        will: {
          topic: `${o.will?.topic ?? ''}`.replace('state', 'hb'),
          payload: Buffer.of(),
          qos: 0,
          retain: false,
        },
      }),
    ],
  ])('for %s', async (_, changes) => {
    const host = await plain.createHost();
    const before = plain.refused.length;
    const result = await attempt(
      plainUrl(),
      changes({ ...goodConnect(host), password: await tokenOf(host) }),
    );
    expect(result).toBeTypeOf('string');
    expect(plain.refused.length).toBeGreaterThan(before);
  });

  it('for the will of another host', async () => {
    const [host, other] = [await plain.createHost(), await plain.createHost()];
    const { will } = goodConnect(other);
    const password = await tokenOf(host);
    expect(await attempt(plainUrl(), { ...goodConnect(host), password, ...(will && { will }) })).toBeTypeOf(
      'string',
    );
  });

  it('for a token of another key, for another host, or with a long life', async () => {
    const [host, other] = [await plain.createHost(), await plain.createHost()];
    for (const password of [
      await tokenOf(other, { sub: host.place.uid }),
      await tokenOf(host, { sub: other.place.uid }),
      await tokenOf(host, { lifeS: 3600 }),
      await tokenOf(host, { lifeS: -30 }),
    ]) {
      expect(await attempt(plainUrl(), { ...goodConnect(host), password })).toBeTypeOf('string');
    }
  });

  it('for a host that is not admitted any more', async () => {
    const host = await plain.createHost();
    plain.admitted.delete(host.place.uid);
    const password = await tokenOf(host);
    expect(await attempt(plainUrl(), { ...goodConnect(host), password })).toBeTypeOf('string');
    expect(plain.refused.at(-1)).toMatchObject({
      uid: host.place.uid,
      reason: 'not a host that may connect',
    });
  });

  it('over TLS without certificate, with a foreign one, and for the leaf alone', async () => {
    const [host, other] = [await tls.createHost(), await plain.createHost()];
    const options = { ...goodConnect(host), ca: tls.authority.ca };
    expect(await attempt(tlsUrl(), options)).toBeTypeOf('string');
    const foreign = { cert: other.certificate, key: other.key };
    expect(await attempt(tlsUrl(), { ...options, ...foreign })).toBeTypeOf('string');
    const leaf = host.certificate.split('-----END CERTIFICATE-----')[0] ?? '';
    const alone = { cert: `${leaf}-----END CERTIFICATE-----\n`, key: host.key };
    expect(await attempt(tlsUrl(), { ...options, ...alone })).toBeTypeOf('string');
  });

  it('over TLS under the name of another host', async () => {
    const [host, other] = [await tls.createHost(), await tls.createHost()];
    const stolen = { ...goodConnect(other), ca: tls.authority.ca, cert: host.certificate, key: host.key };
    expect(await attempt(tlsUrl(), stolen)).toBeTypeOf('string');
    expect(tls.refused.at(-1)?.reason).toContain('the certificate is that of');
  });
});

describe('a connection ends and is reported', () => {
  type Deed = (client: MqttClient, own: string) => unknown;
  it.each<[string, Deed]>([
    ['publishes for another host', (c) => c.publish(`carillon/1/00/01jt/north/other/up/hb`, 'x')],
    ['publishes downwards', (c, own) => c.publish(`${own}/dn/twin`, 'x')],
    [
      'publishes as the owner',
      (c, own) => c.publish(`${own.split('/').slice(0, 3).join('/')}/cp/state`, 'x'),
    ],
    ['publishes to $SYS', (c) => c.publish('$SYS/x', 'x')],
    ['publishes with QoS 2', (c, own) => c.publish(`${own}/up/hb`, 'x', { qos: 2 })],
    ['retains a heartbeat', (c, own) => c.publish(`${own}/up/hb`, 'x', { retain: true })],
    ['subscribes everything', (c) => c.subscribe('#')],
    ['subscribes all hosts', (c) => c.subscribe('carillon/1/+/+/+/+/dn/+')],
    ['subscribes its whole subtree', (c, own) => c.subscribe(`${own}/#`)],
    ['subscribes $SYS', (c) => c.subscribe('$SYS/#')],
    ['subscribes by $share', (c, own) => c.subscribe(`$share/g/${own}/dn/+`)],
    ['subscribes with QoS 2', (c, own) => c.subscribe(`${own}/dn/+`, { qos: 2 })],
    ['sends 73 KiB', (c, own) => c.publish(`${own}/up/ev/svc`, Buffer.alloc(73 * 1024))],
  ])('when a host %s', async (_, deed) => {
    const host = await plain.createHost();
    const client = await connected(plainUrl(), { ...goodConnect(host), password: await tokenOf(host) });
    client.on('error', () => undefined);
    deed(client, topicOf(host.place, 'up/hb').replace('/up/hb', ''));
    await ended(client);
    await eventually(() => plain.refused.some(({ uid }) => uid === host.place.uid), 'a report');
  });

  it('but not when it publishes 64 KiB', async () => {
    const host = await plain.createHost();
    const client = await connected(plainUrl(), { ...goodConnect(host), password: await tokenOf(host) });
    await client.publishAsync(topicOf(host.place, 'up/ev/svc'), Buffer.alloc(65_536), { qos: 1 });
    expect(client.connected).toBe(true);
    await client.endAsync();
  });

  it('when the peer talks another protocol', async () => {
    const socket = connectTcp(plain.port, '127.0.0.1');
    await new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost: broker\r\n\r\n');
    });
    expect(socket.destroyed).toBe(true);
  });
});

describe('limits', () => {
  it('hold 20 connections a second and address, and 50 messages a second after 200', async () => {
    const stage = await openStage('plain');
    const host = await stage.createHost();
    const url = `mqtt://127.0.0.1:${stage.port}`;
    const client = await connected(url, { ...goodConnect(host), password: await tokenOf(host) });
    let received = 0;
    stage.broker.onMessage(() => {
      received += 1;
    });
    const topic = topicOf(host.place, 'up/hb');
    const begin = performance.now();
    // Two bursts with a word from the broker in between, so that the second one is a read of its own.
    for (let i = 0; i < 200; i++) client.publish(topic, 'x', { qos: 0 });
    await client.publishAsync(topic, 'y', { qos: 1 });
    for (let i = 0; i < 25; i++) client.publish(topic, 'x', { qos: 0 });
    await client.publishAsync(topic, 'y', { qos: 1 });
    await client.publishAsync(topic, 'y', { qos: 1 });
    await eventually(() => received === 228, 'all messages');
    expect(performance.now() - begin).toBeGreaterThan(450);
    expect(client.connected).toBe(true);

    const strangers = Array.from({ length: 45 }, () =>
      connectTcp(stage.port, '127.0.0.1').on('error', () => undefined),
    );
    // 45 connections touch two seconds at most, so that 40 of them may get through.
    const cut = () => stage.refused.filter(({ reason }) => reason === 'too many new connections').length;
    await eventually(() => cut() >= 5, 'connections cut');
    for (const stranger of strangers) stranger.destroy();
    await client.endAsync();
    await stage.close();
  });
});

describe('the owner', () => {
  it('says goodbye when it stops', async () => {
    const stage = await openStage('plain', false);
    const host = await stage.createHost();
    const client = await connected(`mqtt://127.0.0.1:${stage.port}`, {
      ...goodConnect(host),
      password: await tokenOf(host),
    });
    const states: unknown[] = [];
    client.on('message', (_, payload) => states.push(JSON.parse(payload.toString())));
    await client.subscribeAsync(cpStateTopic(host.place.sh), { qos: 1 });
    await stage.close();
    await ended(client);
    expect(states).toMatchObject([{ st: 'on' }, { st: 'off', why: 'shutdown' }]);
  });
});
