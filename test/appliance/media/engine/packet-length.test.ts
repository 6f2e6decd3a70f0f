import { describe, expect, it } from 'vitest';
import { pcma } from '#appliance/media/audio/index.ts';
import type { LegOpening, LegStream } from '#appliance/media/control/index.ts';
import { dtmf, render, tone } from '#appliance/media/dtmf/index.ts';
import { RtpPacket, writeRtpHeader } from '#appliance/media/rtp/index.ts';
import { must, type TestMedia, testMedia } from '#test/support/media.ts';
import type { Phone } from '#test/support/phone.ts';
import { caller, levelOf } from './sound.ts';

/* Packets of other lengths than 20 ms, received and sent (RFC 3551 4.2, RFC 8866 6.4). */

const LENGTHS_MS = [5, 10, 20, 30, 40, 60, 70, 80, 100, 120, 200] as const;

/** Sends a text of samples in packets whose lengths take turns, each when its last sample has been spoken. */
function sendInPackets(
  net: TestMedia,
  phone: Phone,
  samples: Int16Array,
  lengthsMs: readonly number[],
): void {
  phone.sending = false;
  const toPort = portOf(net, phone);
  const begin = phone.timestamp + 160;
  let sequence = phone.sequence;
  let at = 0;
  let nextMs = net.nowMs;
  for (let n = 0; at < samples.length; n++) {
    const ms = lengthsMs[n % lengthsMs.length] ?? 20;
    const part = samples.subarray(at, at + ms * 8);
    const bytes = new Uint8Array(12 + part.length);
    const timestamp = (begin + at) >>> 0;
    writeRtpHeader(bytes, { marker: at === 0, payloadType: 8, sequence, timestamp, ssrc: phone.ssrc });
    pcma.encode(part, bytes, 12);
    sequence = (sequence + 1) & 0xffff;
    at += part.length;
    nextMs += ms;
    while (net.nowMs < nextMs) net.advance(5);
    net.inject({ host: phone.host, port: phone.port }, toPort, bytes);
  }
  phone.sequence = sequence;
}

/** Everything that a phone was sent, also in parts of frames. */
function detectedBy(phone: Phone): Int16Array {
  const bytes = Uint8Array.from(phone.packets.flatMap(({ payload }) => [...payload]));
  const samples = new Int16Array(bytes.length);
  pcma.decode(bytes, 0, bytes.length, samples);
  return samples;
}

/** Port of the leg that sends to this phone. */
const portOf = (net: TestMedia, phone: Phone): number =>
  net.sent.findLast(({ toHost, toPort }) => toHost === phone.host && toPort === phone.port)?.fromPort ?? 0;

const speech = render([tone(1_000, 1_200, -10)]);

function digits(text: string): Int16Array {
  const segments = must(dtmf(text, { onMs: 80, offMs: 80 }));
  return render([tone(440, 100, -60), ...segments, tone(440, 400, -60)]);
}

describe.each(['alarm', 'ordinary'] as const)('packets to a leg of kind %s', (profile) => {
  const lengths = [...LENGTHS_MS.map((ms) => [ms]), [20, 80], [10, 200, 30], [60, 5, 120]];

  it.each(lengths.map((each) => [each.join(' and '), each] as const))(
    'each digit in audio of %s ms a packet is detected once',
    async (_, each) => {
      const net = testMedia();
      const opening: Partial<LegOpening> = { profile };
      const a = await caller(net, 'a', { opening });
      must(
        await net.media.listen('a', {
          profile: profile === 'alarm' ? 'alarm' : 'ivr',
          digits: true,
          tones: [],
        }),
      );
      net.advance(100);
      sendInPackets(net, a, digits('5512#'), each);
      net.advance(500);
      const ends = net.eventsOf('digit').filter(({ edge }) => edge === 'end');
      expect(ends.map(({ digit }) => digit).join('')).toBe('5512#');
      for (const { durationMs = 0 } of ends) expect(Math.abs(durationMs - 80)).toBeLessThanOrEqual(15);
      expect(must(await net.media.stats('a')).received).toMatchObject({ lost: 0, late: 0 });
    },
  );
});

describe('packets that are passed on', () => {
  const relayed = async (toB: Partial<LegStream>, lengthMs: number) => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const b = await caller(net, 'b', { stream: toB });
    must(await net.media.connect('a', 'b'));
    net.advance(200);
    b.forget();
    sendInPackets(net, a, speech, [lengthMs]);
    net.advance(60);
    return { b, lengths: b.packets.map(({ payload }) => payload.length / 8) };
  };

  it.each([80, 200])('go on as they are, with %i ms, to a peer that named no length', async (ms) => {
    const { b, lengths } = await relayed({}, ms);
    const whole = lengths.filter((length) => length === ms);
    expect(whole).toHaveLength(1_200 / ms);
    // Nothing is said between two of them.
    expect(levelOf(b.received.subarray(-160 * 50, -160 * 10))).toBeGreaterThan(-11);
  });

  it.each([
    [{ ptimeMs: 20, maxPtimeMs: 200 }, 20],
    [{ maxPtimeMs: 40 }, 20],
    [{ ptimeMs: 20, maxPtimeMs: 10 }, 10],
    [{ ptimeMs: 60, maxPtimeMs: 60 }, 60],
  ])('become, from 80 ms, the packets that %o asks for', async (asked, ms) => {
    const { b, lengths } = await relayed(asked, 80);
    // Two odd lengths may pass, but nothing over the limit.
    expect(lengths.filter((length) => length > asked.maxPtimeMs)).toEqual([]);
    expect(new Set(lengths.slice(-8))).toEqual(new Set([ms]));
    expect(levelOf(detectedBy(b).subarray(-160 * 30, -160 * 10))).toBeGreaterThan(-11);
  });

  it('stay on the fast path with the length that was asked for, whatever an odd one did before', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const b = await caller(net, 'b', { stream: { ptimeMs: 20 } });
    must(await net.media.connect('a', 'b'));
    net.advance(200);
    a.sendPayload(8, new Uint8Array(80).fill(0xd5));
    net.advance(200);
    b.forget();
    const before = a.sequence;
    net.advance(1_000);
    // Numbers follow those of the other leg.
    expect(b.packets).toHaveLength((a.sequence - before) & 0xffff);
    a.say(speech);
    net.advance(40);
    // The jitter buffer would hold it for 60 ms.
    expect(levelOf(b.received.subarray(-160))).toBeGreaterThan(-11);
  });
});

describe('packets of ours', () => {
  it.each([
    [{ maxPtimeMs: 10 }, 10],
    [{ ptimeMs: 30 }, 30],
    [{ ptimeMs: 40 }, 40],
    [{ ptimeMs: 80 }, 80],
    [{ ptimeMs: 200 }, 200],
    [{ ptimeMs: 5 }, 5],
    [{ ptimeMs: 1 }, 5],
    [{ ptimeMs: 60, maxPtimeMs: 20 }, 20],
    [{ ptimeMs: 500 }, 200],
  ])('are those that %o asks for: %i ms', async (asked, ms) => {
    const net = testMedia();
    const a = await caller(net, 'a', { stream: asked });
    net.advance(1_200);
    expect(a.packets.length).toBe(Math.floor(1_200 / ms));
    expect(new Set(a.packets.map(({ payload }) => payload.length))).toEqual(new Set([ms * 8]));
    const steps = a.packets.slice(1).map(({ timestamp }, i) => timestamp - (a.packets[i]?.timestamp ?? 0));
    expect(new Set(steps)).toEqual(new Set([ms * 8]));
  });

  it.each([
    [{ maxPtimeMs: 10 }, 'AES_CM_128_HMAC_SHA1_80'],
    [{ ptimeMs: 30 }, 'AES_CM_128_HMAC_SHA1_32'],
  ] as const)('hold every sample of %o once, also with %s', async (asked, suite) => {
    const net = testMedia();
    const key = (seed: number) => new Uint8Array(30).map((_, i) => (i * 37 + seed) & 0xff);
    const srtp = { suite, sendKey: key(1), receiveKey: key(2) };
    const a = await caller(net, 'a', { phone: { srtp }, stream: asked });
    const segments = [tone(1_000, 600, -10)];
    must(await net.media.play('a', 'p', { phrases: [{ kind: 'tone', segments }], over: 'instead' }));
    net.advance(1_000);
    const detected = detectedBy(a);
    const from = detected.findIndex((sample) => Math.abs(sample) > 500);
    const said = render(segments);
    const coded = new Uint8Array(said.length);
    pcma.encode(said, coded, 0);
    const expected = new Int16Array(said.length);
    pcma.decode(coded, 0, said.length, expected);
    const begin = expected.findIndex((sample) => Math.abs(sample) > 500);
    expect(detected.subarray(from, from + 4_000)).toEqual(expected.subarray(begin, begin + 4_000));
  });

  it('to an alarm device are never longer than 60 ms: its tones do not wait', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { opening: { profile: 'alarm' }, stream: { ptimeMs: 200 } });
    net.advance(600);
    expect(new Set(a.packets.map(({ payload }) => payload.length))).toEqual(new Set([480]));
  });

  it('are whole frames in GSM, also where the peer wants less', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { phone: { codec: 'GSM' }, stream: { maxPtimeMs: 10 } });
    const b = await caller(net, 'b', { phone: { codec: 'GSM' }, stream: { ptimeMs: 70 } });
    net.advance(600);
    expect(new Set(a.packets.map(({ payload }) => payload.length))).toEqual(new Set([33]));
    expect(new Set(b.packets.map(({ payload }) => payload.length))).toEqual(new Set([99]));
  });

  it('that are cut short by a digit leave nothing out and say nothing twice', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { stream: { ptimeMs: 30 } });
    net.advance(200);
    must(await net.media.sendDigits('a', 'd', { digits: '5', mode: 'rfc4733', onMs: 100, offMs: 60 }));
    net.advance(800);
    expect(a.digits.map(({ digit, by }) => `${digit} ${by}`)).toEqual(['5 rfc4733']);
    const audio = a.packets.filter(({ payloadType }) => payloadType === 8);
    for (const [n, { timestamp }] of audio.slice(1).entries()) {
      const before = audio[n];
      const end = (before?.timestamp ?? 0) + (before?.payload.length ?? 0);
      expect(timestamp).toBeGreaterThanOrEqual(end);
    }
  });
});

it('a header of a packet of 200 ms fits the largest datagram that is read', () => {
  const bytes = new Uint8Array(12 + 1_600);
  writeRtpHeader(bytes, { marker: false, payloadType: 8, sequence: 1, timestamp: 0, ssrc: 1 });
  expect(new RtpPacket().read(bytes, bytes.length)).toBe(null);
});
