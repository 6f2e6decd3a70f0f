import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { OwnAddresses } from '#appliance/io/sip-transport/own-address.ts';
import { pcma } from '#appliance/media/audio/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { RtpPacket, writeRtpHeader } from '#appliance/media/rtp/index.ts';
import type { WebRtc } from '#appliance/media/webrtc/index.ts';
import { Listeners } from '#shared/listeners.ts';
import { addressPolicy } from '#shared/matching/index.ts';
import { fail } from '#shared/result.ts';
import { levelAt } from '#test/appliance/media/engine/sound.ts';
import { type RemoteHouse, remoteHouse } from '#test/support/remote-house.ts';

const HOST = '127.0.0.1';
const FRAME = 160;
const NO_WEBRTC: WebRtc = {
  open: () => Promise.resolve(fail('Failed', 'there are no browsers here')),
  accept: () => Promise.resolve(fail('Failed', 'there are no browsers here')),
  addCandidate: () => Promise.resolve(fail('Failed', 'there are no browsers here')),
  close: () => Promise.resolve(fail('Failed', 'there are no browsers here')),
  events: new Listeners(),
};

/** A UDP socket that says a tone in G.711 every 20 ms, and keeps what it hears. */
async function ear(hz: number, host: string) {
  const socket: Socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  const said = render([tone(hz, 200, -12)]);
  const received: number[] = [];
  const packet = new RtpPacket();
  socket.on('message', (bytes) => {
    if (packet.read(bytes, bytes.length) !== null || packet.payloadType !== 8) return;
    const frame = new Int16Array(packet.payloadLength);
    pcma.decode(bytes, packet.payloadOffset, packet.payloadLength, frame);
    received.push(...frame);
  });
  let sequence = 0;
  let to = 0;
  const ticker = setInterval(() => {
    if (to === 0) return;
    const bytes = new Uint8Array(12 + FRAME);
    const timestamp = sequence * FRAME;
    writeRtpHeader(bytes, { marker: sequence === 0, payloadType: 8, sequence, timestamp, ssrc: hz });
    const from = (sequence++ * FRAME) % said.length;
    pcma.encode(said.slice(from, from + FRAME), bytes, 12);
    socket.send(bytes, to, host);
  }, 20);
  onTestFinished(() => {
    clearInterval(ticker);
    socket.close();
  });
  return {
    port: socket.address().port,
    talkTo(port: number): void {
      to = port;
    },
    hears: (other: number): boolean => levelAt(Int16Array.from(received.slice(-4_000)), other) > -30,
  };
}

describe('a cloud SIP user agent on sockets of the machine', () => {
  // The telephone and what this host is known by are IPv4: the application chooses its family by where it hears.
  it.each([HOST, '::1'])('at %s hears the telephone, and the telephone hears it', async (host) => {
    const media = await openMedia({
      ports: { from: 31_000, to: 31_019 },
      workers: 1,
      host4: HOST,
      host6: '::1',
      log: () => {},
    });
    const send: NonNullable<Parameters<typeof remoteHouse>[0]>['real'] = {
      clock: { wallMs: () => Date.now(), monoMs: () => performance.now() },
      send: (flow, bytes) => house.appliance.sent.push({ flow, bytes }),
      connect: () => Promise.resolve(fail('Unreachable', 'nobody is called')),
      audio: { media, webrtc: NO_WEBRTC, address: HOST },
    };
    const own = new OwnAddresses(() => performance.now());
    const house: RemoteHouse = await remoteHouse({
      real: send,
      audioPolicy: addressPolicy({
        allowPrivate: ['127.0.0.0/8', '::1/128'],
        listeners: () => [],
        ownAddresses: () => [],
      }),
      audioTowards: (remote) => own.reachedFrom(remote, HOST),
    });
    onTestFinished(async () => {
      await house.appliance.close();
      await media.close();
    });
    house.agent();
    const anna = await house.net.device('anna', '192.0.2.20');
    const [agent, phone] = [await ear(700, host), await ear(1_200, HOST)];
    const sdp = anna.describe({ host: HOST }).replace('m=audio 4000', `m=audio ${phone.port}`);
    const talk = await anna.invite('door-1', house.net.pump, { sdp });
    const arrived = () => house.app.last('/newRemoteCall');
    await vi.waitFor(arrived, { timeout: 30_000 });
    const answer = { codec: 'PCMA', receiveIp: host, receivePort: agent.port };
    const { replyId } = arrived();
    const done = await house.operate('answerremotecall', { replyId, ...answer });
    if (!done.ok || done.value === undefined) throw new Error(JSON.stringify(done));
    expect(done.value.localIp).toBe(host);
    agent.talkTo(done.value.localPort);
    await house.net.pump();
    const ok = anna.response(200);
    phone.talkTo(Number(/m=audio (\d+)/.exec(ok.body.toString())?.[1]));
    anna.acknowledge(talk, ok);
    await house.net.pump();
    await vi.waitFor(() => expect([agent.hears(1_200), phone.hears(700)]).toEqual([true, true]), {
      timeout: 30_000,
    });
    expect(await house.operate('hangupcall', { replyId })).toMatchObject({ ok: true });
    anna.respond(anna.request('BYE'), 200);
    expect(house.app.last('/callHungup')).toMatchObject({ reason: 'hungUpByApplication' });
    expect(house.app.strange).toEqual([]);
  });
});
