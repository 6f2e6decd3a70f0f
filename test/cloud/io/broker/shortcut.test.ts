import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from 'aedes';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Passable, shortcutOf, topicFor } from '#cloud/io/broker/shortcut.ts';
import { topicOf } from '#shared/contract/feed/index.ts';
import { connected, ended, eventually, goodConnect, openStage, type Stage, tokenOf } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('plain', false);
});
afterAll(() => stage.close());
afterEach(() => vi.useRealTimers());

const url = () => `mqtt://127.0.0.1:${stage.port}`;

/** A host that is in, and everything the owner hears of it. */
async function hostIn(more: { keepalive?: number } = {}) {
  const host = await stage.createHost();
  const seen: string[] = [];
  stage.broker.onMessage((topic, payload) => {
    if (topic.includes(host.place.uid)) seen.push(`${topic.split('/').slice(6).join('/')} ${payload}`);
  });
  const client = await connected(url(), { ...goodConnect(host), password: await tokenOf(host), ...more });
  return { host, client, seen, at: (leaf: 'up/hb' | 'up/state') => topicOf(host.place, leaf) };
}

describe('heartbeats that pass by the broker', () => {
  it('come to the owner as they were said', async () => {
    const { client, seen, at } = await hostIn();
    for (let n = 0; n < 20; n++) {
      await client.publishAsync(at('up/hb'), `n ${n} ${'é'.repeat(n * 20)}`, { qos: n % 2 === 0 ? 0 : 1 });
      await eventually(() => seen.length === n + 1, 'the heartbeat');
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => `up/hb n ${n} ${'é'.repeat(n * 20)}`));
    await client.endAsync();
  });

  it('never overtake what the broker has acknowledged before them', async () => {
    const { client, seen, at } = await hostIn();
    const said: string[] = [];
    for (let n = 0; n < 200; n++) {
      const leaf = n % 3 === 0 ? 'up/state' : 'up/hb';
      if (leaf === 'up/state') await client.publishAsync(at(leaf), `${n}`, { qos: 1 });
      else client.publish(at(leaf), `${n}`, { qos: 0 });
      said.push(`${leaf} ${n}`);
    }
    await eventually(() => seen.length === said.length, 'everything');
    expect(seen).toEqual(said);
    await client.endAsync();
  });

  it('and pings keep the connection, longer than one and a half keepalives', async () => {
    // Both ends measure the keepalive by this clock, so that a busy machine is no silence.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { client, seen, at } = await hostIn({ keepalive: 1 });
    let pings = 0;
    let pongs = 0;
    client.on('packetsend', ({ cmd }) => {
      if (cmd === 'pingreq') pings++;
    });
    client.on('packetreceive', ({ cmd }) => {
      if (cmd === 'pingresp') pongs++;
    });
    const reached = async (condition: () => boolean): Promise<void> => {
      while (client.connected && !condition()) await turn();
    };
    const pass = async (ms: number): Promise<void> => {
      for (let passedMs = 0; passedMs < ms; passedMs += 100) {
        vi.advanceTimersByTime(100);
        await reached(() => pongs === pings);
      }
    };
    for (let n = 1; n <= 8; n++) {
      client.publish(at('up/hb'), 'x', { qos: 0 });
      await reached(() => seen.length === n);
      await pass(300);
    }
    expect(seen).toEqual(Array.from({ length: 8 }, () => 'up/hb x'));
    // Nothing is said any more: from here on only the client's own pings do it, each of which must be answered.
    const before = pongs;
    await pass(4_000);
    expect(pongs - before).toBeGreaterThanOrEqual(3);
    expect(client.connected).toBe(true);
    client.stream.destroy();
  });

  it('do not keep a connection that falls silent', async () => {
    const { client, seen, at } = await hostIn({ keepalive: 1 });
    client.publish(at('up/hb'), 'the last', { qos: 0 });
    await eventually(() => seen.length === 1, 'the heartbeat');
    client.sendPing = () => undefined;
    const beganMs = performance.now();
    await ended(client);
    expect(performance.now() - beganMs).toBeGreaterThan(1_000);
    await eventually(() => seen.length === 2, 'the will');
    expect(seen[1]).toBe('up/state {"st":"off"}');
  });

  it('are those of the host itself: another topic ends the connection', async () => {
    const { client } = await hostIn();
    const other = await hostIn();
    client.publish(other.at('up/hb'), 'forged', { qos: 0 });
    await ended(client);
    expect(other.seen).toEqual([]);
    await other.client.endAsync();
  });

  it('are not taken before a host has signed in', async () => {
    const host = await stage.createHost();
    const seen: string[] = [];
    stage.broker.onMessage((topic) => seen.push(topic));
    const socket = connectTcp(stage.port, '127.0.0.1');
    await once(socket, 'connect');
    const topic = Buffer.from(topicOf(host.place, 'up/hb'));
    socket.write(Buffer.from([0x30, topic.length + 3, 0, topic.length, ...topic, 0x78]));
    await once(socket, 'close');
    expect(seen).toEqual([]);
  });
});

describe('messages past the broker', () => {
  const TOPIC = 'carillon/1/00/t/s/u/up/hb';
  const beat = Buffer.from([0x30, TOPIC.length + 3, 0, TOPIC.length, ...Buffer.from(TOPIC), 0x78]);

  function passing(visit: Partial<Passable>) {
    let refreshed = 0;
    const client = { _keepaliveTimer: { refresh: () => void refreshed++ } } as unknown as Client;
    const received: string[] = [];
    const answered: Buffer[] = [];
    const take = shortcutOf(
      { client, heartbeats: topicFor(TOPIC), inFlight: 0, ...visit },
      {
        listener: () => (topic, payload) => received.push(`${topic} ${payload}`),
        answer: (bytes) => answered.push(bytes),
      },
    );
    return { take, heard: received, answered, refreshed: () => refreshed };
  }

  it('is a heartbeat and a ping, and both are signs of life', () => {
    const { take, heard: received, answered, refreshed } = passing({});
    expect(take(beat)).toBe(true);
    expect(take(Buffer.from([0xc0, 0]))).toBe(true);
    expect(received).toEqual([`${TOPIC} x`]);
    expect(answered).toEqual([Buffer.from([0xd0, 0])]);
    expect(refreshed()).toBe(2);
  });

  it('is acknowledged when it wants to be', () => {
    const { take, heard: received, answered } = passing({});
    const wanting = Buffer.from([0x32, TOPIC.length + 5, 0, TOPIC.length, ...Buffer.from(TOPIC), 3, 9, 0x78]);
    expect(take(wanting)).toBe(true);
    expect(received).toEqual([`${TOPIC} x`]);
    expect(answered).toEqual([Buffer.from([0x40, 2, 3, 9])]);
  });

  it.each<[string, Partial<Passable>]>([
    ['before the broker has let it in', { client: undefined }],
    ['before it is known who it is', { heartbeats: undefined }],
    ['while something is under way', { inFlight: 1 }],
  ])('is nothing %s', (_, visit) => {
    const { take, heard: received, answered } = passing(visit);
    expect([take(beat), take(Buffer.from([0xc0, 0]))]).toEqual([false, false]);
    expect([...received, ...answered]).toEqual([]);
  });
});
