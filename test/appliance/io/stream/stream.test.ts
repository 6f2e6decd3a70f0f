import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { openStreamer, type StreamerSetting } from '#appliance/io/stream/index.ts';
import { FRAME_SAMPLES, RingWriter, ringMemory } from '#appliance/media/audio/index.ts';
import type { StreamEvent, Streamer } from '#appliance/media/control/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { makeAuthority } from '../http/callback-receiver.ts';

let events: StreamEvent[];
const ends: (() => Promise<unknown> | unknown)[] = [];
beforeEach(() => {
  events = [];
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const LOOPBACK = { allowPrivate: ['127.0.0.0/8'] };

function open(setting: Partial<StreamerSetting> = LOOPBACK): Streamer {
  const streamer = openStreamer({ ...setting, onEvent: (event) => events.push(event) });
  ends.push(() => streamer.close());
  return streamer;
}

/** A channel whose frames hold one number each: channel * 1,000 + tick. */
function speaker(channel: number) {
  const ring = ringMemory();
  const writer = new RingWriter(ring);
  const indices = new Int32Array(ring.indices);
  return {
    ring,
    get isRead() {
      return indices[0] === indices[1];
    },
    speak(from: number, to: number) {
      for (let tick = from; tick < to; tick++) {
        writer.write(new Int16Array(FRAME_SAMPLES).fill((channel * 1_000 + tick) & 0x7fff), tick);
      }
    },
  };
}

/** A target: a real WebSocket server that keeps what it gets. */
async function target(port = 0) {
  const server = new WebSocketServer({ host: '127.0.0.1', port });
  await once(server, 'listening');
  ends.push(() => closed(server));
  const frames: Buffer[] = [];
  const requests: IncomingMessage[] = [];
  const sockets: WebSocket[] = [];
  server.on('connection', (socket, request) => {
    requests.push(request);
    sockets.push(socket);
    socket.on('message', (frame: Buffer) => frames.push(frame));
  });
  const { port: taken } = server.address() as AddressInfo;
  return { server, frames, requests, sockets, port: taken, url: `ws://127.0.0.1:${taken}/listen?to=me` };
}

function closed(server: WebSocketServer): Promise<void> {
  for (const client of server.clients) client.terminate();
  return new Promise((resolve) => server.close(() => resolve()));
}

const kinds = () => events.map(({ kind }) => kind);
/** The first sample of each 20 ms of a frame, channel after channel. */
const received = (frame: Buffer): number[] =>
  Array.from({ length: frame.length / 320 }, (_, index) => frame.readInt16LE(index * 320));

describe('a stream', () => {
  it('is a frame per chunk, with the channels one after another', async () => {
    const { url, frames, requests } = await target();
    const streamer = open();
    const [a, b] = [speaker(1), speaker(2)];
    const headers = { 'X-Key': 'secret', Connection: 'close', 'Sec-WebSocket-Key': 'mine' };
    const inputs = [a.ring, b.ring];
    expect(await streamer.start({ stream: 's', url, headers, inputs, chunkDuration: 40 })).toMatchObject({
      ok: true,
    });
    await until(() => kinds().includes('started'));
    a.speak(10, 14);
    b.speak(10, 14);
    await until(() => frames.length === 2);
    expect(frames.map((frame) => frame.length)).toEqual([1_280, 1_280]);
    expect(frames.map(received)).toEqual([
      [1_010, 1_011, 2_010, 2_011],
      [1_012, 1_013, 2_012, 2_013],
    ]);
    expect(requests[0]?.url).toBe('/listen?to=me');
    expect(requests[0]?.headers).toMatchObject({ 'x-key': 'secret', connection: 'Upgrade' });
    expect(await streamer.stop('s')).toEqual({ ok: true, value: undefined });
    expect(events).toMatchObject([
      { kind: 'started', stream: 's', channels: 2 },
      { kind: 'stopped', stream: 's', droppedMs: 0, reconnects: 0 },
    ]);
    expect(await streamer.stop('s')).toMatchObject({ ok: false, error: { code: 'Unknown' } });
  });

  it('goes on by itself when the target comes back, with the newest second', async () => {
    const { url, frames, sockets, server, port } = await target();
    const streamer = open();
    const a = speaker(0);
    await streamer.start({ stream: 's', url, inputs: [a.ring] });
    a.speak(0, 5);
    await until(() => frames.length === 5);
    sockets[0]?.terminate();
    await closed(server);
    a.speak(5, 95);
    await until(() => a.isRead);
    const again = await target(port);
    await until(() => again.frames.length >= 49);
    expect(received(again.frames.at(-1) ?? Buffer.alloc(0))).toEqual([94]);
    await streamer.stop('s');
    const dropped = 95 - 5 - again.frames.length;
    expect(events).toMatchObject([
      { kind: 'started' },
      { kind: 'stopped', reconnects: 1, droppedMs: 20 * dropped },
    ]);
    expect(dropped).toBeGreaterThanOrEqual(39);
  });

  it('drops the oldest audio of a target that does not listen', { timeout: 30_000 }, async () => {
    const { url, frames, sockets } = await target();
    const streamer = open();
    const speakers = Array.from({ length: 32 }, (_, channel) => speaker(channel));
    const inputs = speakers.map(({ ring }) => ring);
    await streamer.start({ stream: 's', url, inputs, chunkDuration: 200 });
    await until(() => sockets.length === 1);
    sockets[0]?.pause();
    // More than the kernel keeps on both sides of a loopback connection: 40 s, 20 MB.
    for (let tick = 0; tick < 2_000; tick += 50) {
      for (const each of speakers) each.speak(tick, tick + 50);
      await until(() => speakers.every(({ isRead }) => isRead));
    }
    sockets[0]?.resume();
    await until(() => received(frames.at(-1) ?? Buffer.alloc(320))[9] === 1_999);
    await streamer.stop('s');
    const stopped = events.find((event) => event.kind === 'stopped');
    expect(stopped?.droppedMs).toBe(40_000 - 200 * frames.length);
    expect(stopped?.droppedMs).toBeGreaterThan(1_000);
  });

  it('fails with its reason after three more tries', { timeout: 30_000 }, async () => {
    const silentServer = createTcpServer();
    silentServer.listen(0, '127.0.0.1');
    await once(silentServer, 'listening');
    const { port } = silentServer.address() as AddressInfo;
    let tries = 0;
    silentServer.on('connection', (socket) => {
      tries++;
      socket.destroy();
    });
    ends.push(() => silentServer.close());
    const begun = performance.now();
    await open().start({ stream: 's', url: `ws://127.0.0.1:${port}/`, inputs: [speaker(0).ring] });
    await until(() => kinds().includes('failed'), 15_000);
    expect(tries).toBe(4);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(events).toMatchObject([
      { kind: 'failed', stream: 's', reason: expect.stringMatching(/socket hang up|ECONNRESET/) },
    ]);
  });

  it('fails at once when the answer will not change', async () => {
    const { port, server } = await target();
    server.options.verifyClient = (_: unknown, done: (ok: boolean, code: number) => void) => done(false, 403);
    await open().start({ stream: 's', url: `ws://127.0.0.1:${port}/`, inputs: [speaker(0).ring] });
    await until(() => kinds().includes('failed'), 2_000);
    expect(events).toMatchObject([{ kind: 'failed', reason: 'the target answered 403 instead of 101' }]);
  });
});

describe('a target with a certificate', () => {
  async function secureTarget() {
    const authority = await makeAuthority();
    const https = createSecureServer({ key: authority.key, cert: authority.cert });
    const server = new WebSocketServer({ server: https });
    https.listen(0, '127.0.0.1');
    await once(https, 'listening');
    ends.push(async () => {
      await closed(server);
      https.close();
    });
    return { ca: authority.ca, url: `wss://localhost:${(https.address() as AddressInfo).port}/` };
  }
  const local = { allowPrivate: ['127.0.0.0/8', '::1/128'] };

  it.each([
    ['without a signature is refused', {}, false, 'failed'],
    ['without a signature is taken when this target is trusted', {}, true, 'started'],
    ['of a known authority is taken', { known: true }, false, 'started'],
  ] as const)(
    '%s',
    { timeout: 30_000 },
    async (_, { known = false }: { known?: boolean }, trustSelfSigned, outcome) => {
      const { ca, url } = await secureTarget();
      const streamer = open({ ...local, extraCas: known ? [ca] : [] });
      await streamer.start({ stream: 's', url, trustSelfSigned, inputs: [speaker(0).ring] });
      await until(() => kinds().includes(outcome), 2_000);
      if (outcome === 'failed')
        expect(events).toMatchObject([{ reason: expect.stringContaining('certificate') }]);
    },
  );
});

describe('a refused stream', () => {
  it.each([
    ['an address that is not listed', { url: 'wss://127.0.0.1:9000/' }, {}],
    ['plain text over a public network', { url: 'ws://8.8.8.8:9000/' }, LOOPBACK],
    [
      'our own listener',
      { url: 'ws://127.0.0.1:9000/' },
      { ...LOOPBACK, listeners: () => [{ address: '0.0.0.0', port: 9_000 }] },
    ],
    ['another scheme', { url: 'https://example.com/' }, LOOPBACK],
    ['a service port', { url: 'ws://127.0.0.1:25/' }, LOOPBACK],
    ['a fragment', { url: 'ws://127.0.0.1:9000/#a' }, LOOPBACK],
    ['no URL', { url: 'listen' }, LOOPBACK],
    [
      'a header that breaks the line',
      { url: 'ws://127.0.0.1:9000/', headers: { 'X-A': 'a\r\nX-B: b' } },
      LOOPBACK,
    ],
    ['a chunk of 30 ms', { url: 'ws://127.0.0.1:9000/', chunkDuration: 30 }, LOOPBACK],
    ['a chunk of 2 s', { url: 'ws://127.0.0.1:9000/', chunkDuration: 2_000 }, LOOPBACK],
    ['nobody', { url: 'ws://127.0.0.1:9000/', inputs: [] }, LOOPBACK],
  ])('%s is refused', async (_, setting, streamer: Partial<StreamerSetting>) => {
    const inputs = [speaker(0).ring];
    const answer = await open(streamer).start({ stream: 's', inputs, ...setting });
    expect(answer).toMatchObject({ ok: false, error: { code: 'Refused' } });
    expect(events).toEqual([]);
  });

  it('a name that leads to an unlisted address fails at once', async () => {
    await open({}).start({ stream: 's', url: 'wss://localhost:9000/', inputs: [speaker(0).ring] });
    await until(() => kinds().includes('failed'), 2_000);
    expect(events).toMatchObject([{ reason: expect.stringContaining('CARILLON_ALLOW_PRIVATE') }]);
  });
});
