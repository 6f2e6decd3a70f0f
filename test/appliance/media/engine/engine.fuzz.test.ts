import { describe, expect, it } from 'vitest';
import { pcma, ringMemory } from '#appliance/media/audio/index.ts';
import type { LegStream } from '#appliance/media/control/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { writeRtcp, writeRtpHeader } from '#appliance/media/rtp/index.ts';
import { must, preparedPrompt, testMedia } from '#test/support/media.ts';
import { caller, lead, levelOf } from './sound.ts';

/** Numbers that are the same in every run. */
function numbers(seed: number) {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
}

const secret: NonNullable<LegStream['srtp']> = {
  suite: 'AES_CM_128_HMAC_SHA1_80',
  sendKey: new Uint8Array(30).fill(3),
  receiveKey: new Uint8Array(30).fill(4),
};

function goodRtp(next: (below: number) => number, sequence: number): Uint8Array {
  const payloadType = [8, 0, 3, 101, 13, 96][next(6)] ?? 8;
  const length =
    payloadType === 101 ? 4 : payloadType === 13 ? 1 : payloadType === 3 ? 33 : [80, 160, 240, 480][next(4)];
  const bytes = new Uint8Array(12 + (length ?? 160)).map(() => next(256));
  const timestamp = (sequence * 160) >>> 0;
  writeRtpHeader(bytes, { marker: next(9) === 0, payloadType, sequence, timestamp, ssrc: 7 });
  return bytes;
}

function goodRtcp(next: (below: number) => number): Uint8Array {
  const bytes = new Uint8Array(300);
  const report = {
    ssrc: next(2 ** 31),
    fractionLost: next(256),
    cumulativeLost: next(9),
    highestSequence: next(70_000),
    jitter: next(99),
    lastSenderReport: next(2 ** 31),
    delaySinceLast: next(99_999),
  };
  const sender = {
    ntpSeconds: next(2 ** 31),
    ntpFraction: 5,
    timestamp: next(2 ** 31),
    packets: 3,
    octets: 4,
  };
  const length = writeRtcp(
    [
      { kind: 'senderReport', ssrc: 7, ...sender, reports: [report] },
      { kind: 'description', chunks: [{ ssrc: 7, cname: 'somebody' }] },
      { kind: 'bye', sources: [7], reason: 'over' },
    ],
    bytes,
  );
  return bytes.slice(0, length);
}

/** One of the ways in which datagrams go wrong. */
function mutated(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const out = bytes.slice();
  for (let n = next(4); n > 0; n--) out[next(Math.min(out.length, 24))] = next(256);
  for (let n = next(3); n > 0; n--) out[next(out.length)] = next(256);
  if (next(5) === 0) return out.slice(0, next(out.length));
  if (next(12) === 0) return Uint8Array.from([...out, ...out]);
  return out;
}

describe('input from the network', () => {
  it.each([1, 2, 3, 4])('never throws and never stops a good call (seed %i)', async (seed) => {
    const next = numbers(seed);
    const net = testMedia();
    const peer = net.phone({ host: '192.0.2.20', port: 4_000 });
    const port = await lead(net, 'a', peer, {
      stream: {
        latching: true,
        rtcpMux: seed % 2 === 0,
        receive: [
          { payloadType: 8, codec: 'PCMA' },
          { payloadType: 0, codec: 'PCMU' },
          { payloadType: 3, codec: 'GSM' },
        ],
        comfortNoise: { send: 13, receive: 13 },
        ...(seed === 4 && { srtp: secret }),
      },
    });
    peer.sending = false;
    const b = await caller(net, 'b');
    await caller(net, 'c');
    must(await net.media.connect('a', 'b', { aToB: { as: 'inband' } }));
    must(await net.media.listen('a', { profile: 'alarm', digits: true, tones: [{ hz: 1_400 }] }));
    must(await net.media.tap('t', { channels: [{ legs: ['a'], ring: ringMemory() }], of: 'heard' }));
    for (let n = 0; n < 20_000; n++) {
      const good = next(4) === 0 ? goodRtcp(next) : goodRtp(next, n & 0xffff);
      const bytes = next(5) === 0 ? good : mutated(good, next);
      const from = { host: next(20) === 0 ? '203.0.113.1' : peer.host, port: 4_000 + next(2) };
      net.inject(from, port + next(2), bytes);
      if (n % 8 === 0) net.advance(20);
    }
    // The peer speaks again, properly: it is heard.
    if (seed === 4) return;
    peer.sending = true;
    b.forget();
    peer.say(render([tone(1_000, 1_500, -10)]));
    net.advance(1_500);
    expect(levelOf(b.received.subarray(-3_200))).toBeGreaterThan(-14);
    expect(must(await net.media.stats('a')).received.malformed).toBeGreaterThan(1_000);
  });

  it('holds no more memory after a flood of SSRCs, events and unknown sources', async () => {
    const next = numbers(9);
    const net = testMedia();
    const peer = net.phone({ host: '192.0.2.20', port: 4_000 });
    const port = await lead(net, 'a', peer, { stream: { latching: true } });
    must(await net.media.listen('a', { profile: 'ivr', digits: true, tones: [] }));
    peer.sending = false;
    const flood = (count: number) => {
      for (let n = 0; n < count; n++) {
        const bytes = goodRtp(next, n & 0xffff);
        bytes[8] = next(256);
        net.inject({ host: next(2) === 0 ? peer.host : `198.51.100.${next(256)}`, port: 4_000 }, port, bytes);
        if (n % 10 === 0) net.advance(20);
      }
      net.sent.length = 0;
      net.events.length = 0;
      peer.forget();
    };
    flood(2_000);
    const before = process.memoryUsage().heapUsed;
    flood(20_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
  });
});

describe('input from the runtime', () => {
  it('is answered in any order, without throwing', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const next = numbers(seed);
      const net = testMedia();
      const phone = net.phone({ host: '192.0.2.20', port: 4_000 });
      const names = ['a', 'b', 'c', 'd'];
      const name = () => names[next(names.length)] ?? 'a';
      const prompt = preparedPrompt(new Int16Array(400).fill(500));
      const { media } = net;
      const steps: readonly (() => Promise<unknown>)[] = [
        () => media.openLeg({ leg: name(), profile: next(2) ? 'alarm' : 'ordinary', family: 4 }),
        () =>
          media.updateLeg(
            name(),
            next(6) ? phone.stream({ direction: next(2) ? 'sendrecv' : 'recvonly' }) : null,
          ),
        () => (next(4) === 0 ? media.closeLeg(name()) : media.stats(name())),
        () => media.connect(name(), name(), { aToB: { as: next(2) ? 'rfc4733' : 'inband' } }),
        () => media.disconnect(name()),
        () => media.echo(name(), next(2) === 0),
        () =>
          media.play(name(), `p${next(3)}`, {
            phrases: [
              { kind: 'prompt', prompt },
              { kind: 'awaited', name: 'x' },
            ],
            over: next(2) ? 'instead' : 'mixed',
          }),
        () => media.supply(name(), `p${next(3)}`, 'x', next(2) ? prompt : null),
        () => media.stop(name(), `p${next(3)}`),
        () => media.sendDigits(name(), 's', { digits: '12', mode: 'auto', onMs: 60, offMs: 60 }),
        () => media.listen(name(), next(2) ? { profile: 'ivr', digits: true, tones: [] } : null),
        () => media.watchSilence(name(), next(2) ? 100 : null),
        () => media.createConference({ conference: `k${next(2)}`, beep: next(2) === 0 }),
        () =>
          media.join(`k${next(2)}`, name(), { monitor: next(4) === 0, whisperTo: next(3) ? null : name() }),
        () => media.change(`k${next(2)}`, name(), { hold: next(2) === 0 }),
        () => media.leave(`k${next(2)}`, name()),
        () => (next(3) === 0 ? media.endConference(`k${next(2)}`) : media.disconnect(name())),
        () => media.tap('t', { channels: [{ legs: [name(), name()], ring: ringMemory() }], of: 'heard' }),
        () => media.pauseTap('t', next(2) === 0),
        () => media.untap('t'),
      ];
      for (let n = 0; n < 3_000; n++) {
        await steps[next(steps.length)]?.();
        if (next(3) === 0) net.advance(20);
      }
      expect(net.events.length).toBeGreaterThan(10);
    }
  });
});

describe('bytes on the fast path and on the slow path', () => {
  it.each([
    ['PCMA', 'PCMA'],
    ['PCMA', 'PCMU'],
    ['PCMU', 'PCMA'],
    ['PCMU', 'PCMU'],
  ] as const)('are the same for every code, %s to %s', async (from, to) => {
    const every = new Int16Array(320);
    pcma.decode(
      Uint8Array.from({ length: 256 }, (_, code) => code),
      0,
      256,
      every,
    );
    const detected: Int16Array[] = [];
    for (const slow of [false, true]) {
      const net = testMedia();
      const a = await caller(net, 'a', { phone: { codec: from } });
      const b = await caller(net, 'b', { phone: { codec: to } });
      must(await net.media.connect('a', 'b'));
      if (slow) must(await net.media.watchSilence('b', 600_000));
      net.advance(200);
      b.forget();
      a.say(every);
      net.advance(200);
      const first = b.received.findIndex((sample) => Math.abs(sample) > 100);
      detected.push(b.received.slice(first, first + 250));
    }
    expect(detected[0]).toHaveLength(250);
    expect(detected[1]).toEqual(detected[0]);
  });
});
