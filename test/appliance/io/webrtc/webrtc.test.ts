import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type OpenedWebRtc, openWebRtc } from '#appliance/io/webrtc/index.ts';
import { writeRtcp, writeRtpHeader } from '#appliance/media/rtp/index.ts';
import type { WebRtcEvent, WebRtcTransport } from '#appliance/media/webrtc/index.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';

const ends: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Stand-in for the media leg: a socket that keeps what comes. */
async function leg(): Promise<{
  socket: Socket;
  received: Buffer[];
  address: { host: string; port: number };
}> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  ends.push(() => socket.close());
  const detected: Buffer[] = [];
  socket.on('message', (packet) => detected.push(packet));
  return {
    socket,
    received: detected,
    address: { host: '127.0.0.1', port: (socket.address() as AddressInfo).port },
  };
}

function start(): { webrtc: OpenedWebRtc; events: WebRtcEvent[] } {
  const events: WebRtcEvent[] = [];
  const webrtc = openWebRtc({
    extraHosts: ['127.0.0.1'],
    ipv6: false,
  });
  webrtc.events.add((event) => events.push(event));
  ends.push(() => webrtc.end());
  return { webrtc, events };
}

const made = <T>(result: { ok: true; value: T } | { ok: false; error: { reason: string } }): T => {
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
};

function rtp(sequence: number): Buffer {
  const packet = Buffer.alloc(172, sequence & 0xff);
  writeRtpHeader(packet, { marker: false, payloadType: 8, sequence, timestamp: 160 * sequence, ssrc: 7 });
  return packet;
}

/** Two further peers that find each other; gives their names. */
async function openPair(webrtc: OpenedWebRtc, one: string, other: string): Promise<string[]> {
  const offerer = made(await webrtc.open({ id: one, leg: (await leg()).address }));
  const remote = offerer.local;
  const answerer = made(await webrtc.open({ id: other, leg: (await leg()).address, remote }));
  made(await webrtc.accept(other, remote));
  made(await webrtc.accept(one, answerer.local));
  return [one, other];
}

/** A pair of peers in one thread, each with a leg behind it. */
async function pair(change: (answer: WebRtcTransport) => WebRtcTransport = (answer) => answer) {
  const { webrtc, events } = start();
  const [a, b] = [await leg(), await leg()];
  const offerer = made(await webrtc.open({ id: 'a', leg: a.address }));
  const answerer = made(await webrtc.open({ id: 'b', leg: b.address, remote: offerer.local }));
  expect(await webrtc.accept('b', offerer.local)).toEqual({ ok: true, value: undefined });
  expect(await webrtc.accept('a', change(answerer.local))).toEqual({ ok: true, value: undefined });
  return { webrtc, events, a, b, offerer, answerer };
}

describe('two WebRTC legs', () => {
  it('hear each other, RTP and RTCP, on one port each', async () => {
    const { webrtc, events, a, b, offerer, answerer } = await pair();
    expect([offerer.local.setup, answerer.local.setup]).toEqual(['actpass', 'active']);
    expect(offerer.local.candidates.map(({ host }) => host)).toContain('127.0.0.1');
    await until(() => events.length === 2);
    expect(events.map(({ kind }) => kind)).toEqual(['connected', 'connected']);

    const report = Buffer.alloc(8);
    writeRtcp([{ kind: 'receiverReport', ssrc: 7, reports: [] }], report);
    for (let sequence = 1; sequence <= 100; sequence++) {
      a.socket.send(rtp(sequence), offerer.bridge.port, offerer.bridge.host);
      b.socket.send(rtp(1_000 + sequence), answerer.bridge.port, answerer.bridge.host);
    }
    a.socket.send(report, offerer.bridge.port, offerer.bridge.host);
    await until(() => b.received.length === 101 && a.received.length === 100);
    expect(b.received.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, i) => rtp(i + 1)));
    expect(b.received[100]).toEqual(report);
    expect(a.received[99]).toEqual(rtp(1_100));
    expect(await webrtc.close('a')).toEqual({
      ok: true,
      value: { sent: 101, received: 100, rejected: 0, dropped: 0 },
    });
  });

  it('hear no other process on this machine', async () => {
    const { webrtc, events, a, b, offerer } = await pair();
    const stranger = await leg();
    await until(() => events.length === 2);
    for (let sequence = 1; sequence <= 10; sequence++) {
      stranger.socket.send(rtp(sequence), offerer.bridge.port, offerer.bridge.host);
    }
    a.socket.send(rtp(99), offerer.bridge.port, offerer.bridge.host);
    await until(() => b.received.length > 0);
    expect(b.received).toEqual([rtp(99)]);
    expect(made(await webrtc.close('a'))).toMatchObject({ sent: 1, dropped: 10 });
  });

  it('do not connect when the certificate is another', async () => {
    const { events } = await pair((answer) => ({
      ...answer,
      fingerprints: [{ algorithm: 'sha-256', hash: new Uint8Array(32) }],
    }));
    await until(() => events.some(({ kind }) => kind === 'failed'));
    expect(events).toContainEqual({
      kind: 'failed',
      id: 'a',
      reason: 'the certificate of the peer is not the one its description names',
    });
  });
});

describe('an offer that forks', () => {
  it.each([
    ['has connected', true],
    ['does not answer our checks', false],
  ])('the peer that wins is audible, when the one before it %s; the loser is not', async (_, connects) => {
    const { webrtc, events } = start();
    const [ours, early, late] = [await leg(), await leg(), await leg()];
    const offer = made(await webrtc.open({ id: 'ours', leg: ours.address }));
    const remote = offer.local;
    const one = made(await webrtc.open({ id: 'early', leg: early.address, remote }));
    const other = made(await webrtc.open({ id: 'late', leg: late.address, remote }));
    if (connects) await webrtc.accept('early', remote);
    made(await webrtc.accept('ours', one.local));
    const connected = (id: string) => events.filter((event) => event.kind === 'connected' && event.id === id);
    if (connects) await until(() => connected('ours').length === 1);
    await webrtc.accept('late', remote);
    made(await webrtc.accept('ours', other.local));
    await until(() => connected('ours').length === (connects ? 2 : 1) && connected('late').length === 1);
    for (let sequence = 1; sequence <= 20; sequence++) {
      ours.socket.send(rtp(sequence), offer.bridge.port, offer.bridge.host);
      late.socket.send(rtp(1_000 + sequence), other.bridge.port, other.bridge.host);
      early.socket.send(rtp(2_000 + sequence), one.bridge.port, one.bridge.host);
    }
    await until(() => late.received.length === 20 && ours.received.length >= 20);
    expect(ours.received.map((packet) => packet.readUInt16BE(2)).every((each) => each < 2_000)).toBe(true);
    expect(early.received).toEqual([]);
    expect(events.filter(({ kind, id }) => kind === 'failed' && id !== 'early')).toEqual([]);
  });
});

describe('a peer that sends its addresses later', () => {
  it('is connected by what is added, and not before: neither knows where the other is', async () => {
    const { webrtc, events } = start();
    const [a, b] = [await leg(), await leg()];
    const offerer = made(await webrtc.open({ id: 'a', leg: a.address }));
    const answerer = made(await webrtc.open({ id: 'b', leg: b.address, remote: offerer.local }));
    made(await webrtc.accept('b', { ...offerer.local, candidates: [] }));
    made(await webrtc.accept('a', { ...answerer.local, candidates: [] }));
    // Another pair, begun later, is through: these have no address to try.
    const beside = await openPair(webrtc, 'c', 'd');
    await until(() => events.filter(({ kind }) => kind === 'connected').length === 2);
    expect(events.map(({ id }) => id).toSorted()).toEqual(beside);
    for (const candidate of answerer.local.candidates) made(await webrtc.addCandidate('a', candidate));
    await until(() => events.length === 4);
    expect(events.map(({ kind }) => kind)).toEqual(Array(4).fill('connected'));
    a.socket.send(rtp(7), offerer.bridge.port, offerer.bridge.host);
    await until(() => b.received.length === 1);
    expect(b.received).toEqual([rtp(7)]);
  });
});

describe('a WebRTC leg', () => {
  it('is refused without a certificate of the peer, and is unknown once closed', async () => {
    const { webrtc } = start();
    const { address } = await leg();
    const { local } = made(await webrtc.open({ id: 'a', leg: address }));
    const bare = { ...local, fingerprints: [] };
    expect(await webrtc.accept('a', bare)).toMatchObject({ ok: false, error: { code: 'Refused' } });
    expect(await webrtc.open({ id: 'b', leg: address, remote: bare })).toMatchObject({
      error: { code: 'Refused' },
    });
    expect(await webrtc.open({ id: 'a', leg: address })).toMatchObject({ error: { code: 'Refused' } });
    await webrtc.close('a');
    expect(await webrtc.close('a')).toMatchObject({ error: { code: 'Unknown' } });
  });
});
