import { describe, expect, it } from 'vitest';
import { srtpCrypto } from '#appliance/io/crypto/index.ts';
import type { LegStream } from '#appliance/media/control/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { readRtcp, SrtcpReceiver, writeRtcp, writeRtpHeader } from '#appliance/media/rtp/index.ts';
import { must, testMedia } from '#test/support/media.ts';
import { caller, lead, levelOf } from './sound.ts';

const STRANGER = { host: '203.0.113.66', port: 5_555 };

function audioPacket(sequence: number, { ssrc = 99, payloadType = 8, payload = 160 } = {}): Uint8Array {
  const bytes = new Uint8Array(12 + payload).fill(0x2a);
  writeRtpHeader(bytes, { marker: false, payloadType, sequence, timestamp: sequence * 160, ssrc });
  return bytes;
}

const SUITES = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'] as const;
const keyOf = (seed: number) => new Uint8Array(30).map((_, i) => (i * 37 + seed * 101) & 0xff);
const secret = (suite: (typeof SUITES)[number]): NonNullable<LegStream['srtp']> => ({
  suite,
  sendKey: keyOf(1),
  receiveKey: keyOf(2),
});

describe('sources of a leg', () => {
  it('sends an unknown source nothing back: before, during and after the peer', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '192.0.2.20', port: 4_000 });
    const port = await lead(net, 'a', phone, { stream: { latching: true } });
    const disturb = (from: number, ssrc: number) => {
      for (let n = 0; n < 30; n++) {
        // Never three in sequence before the peer came; after that any sequence.
        net.inject(STRANGER, port, audioPacket(from + n * 2, { ssrc }));
        net.advance(20);
      }
    };
    phone.sending = false;
    disturb(0, 1);
    phone.sending = true;
    disturb(2_000, 2);
    expect(net.sent.some(({ toHost }) => toHost === STRANGER.host)).toBe(false);
    phone.sending = false;
    disturb(4_000, 3);
    expect(net.sent.some(({ toHost }) => toHost === STRANGER.host)).toBe(false);
    const { received } = must(await net.media.stats('a'));
    expect(received.foreign).toBe(90);
    expect(received.packets).toBe(30);
  });

  it('sends to the source a peer behind a NAT really has', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '198.51.100.7', port: 61_000 });
    const remote = { host: '10.0.0.5', port: 4_000, rtcpPort: 4_001 };
    await lead(net, 'a', phone, { stream: { latching: true, remote } });
    net.advance(200);
    expect(phone.packets.length).toBeGreaterThan(5);
    expect(net.eventsOf('rtpStarted')).toHaveLength(1);
  });

  it('stays with the signalled address when it must not latch', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '198.51.100.7', port: 61_000 });
    await lead(net, 'a', phone, { stream: { remote: { host: '10.0.0.5', port: 4_000, rtcpPort: 4_001 } } });
    net.advance(200);
    expect(phone.packets).toEqual([]);
    expect(net.eventsOf('rtpStarted')).toEqual([]);
  });

  it('names an IPv6 peer by its address, however it was written', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '2001:db8::1', port: 4_000 });
    const remote = { host: '2001:0DB8:0:0::0001', port: 4_000, rtcpPort: 4_001 };
    await lead(net, 'a', phone, { stream: { remote } });
    net.advance(200);
    expect(phone.packets.length).toBeGreaterThan(5);
    expect(must(await net.media.stats('a')).received.packets).toBe(10);
  });
});

describe('life of a peer', () => {
  it('times out after 10 s without a packet and resumes', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    net.advance(1_000);
    a.sending = false;
    net.advance(9_900);
    expect(net.eventsOf('rtpTimeout')).toEqual([]);
    net.advance(200);
    expect(net.eventsOf('rtpTimeout')).toEqual([{ kind: 'rtpTimeout', leg: 'a' }]);
    net.advance(20_000);
    expect(net.eventsOf('rtpTimeout')).toHaveLength(1);
    a.sending = true;
    net.advance(100);
    expect(net.eventsOf('rtpResumed')).toEqual([{ kind: 'rtpResumed', leg: 'a' }]);
  });

  it('counts from the description when nothing ever came, and not at all where nothing should', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    a.sending = false;
    const b = await caller(net, 'b', { stream: { direction: 'sendonly' } });
    b.sending = false;
    net.advance(9_900);
    expect(net.eventsOf('rtpTimeout')).toEqual([]);
    net.advance(30_000);
    expect(net.eventsOf('rtpTimeout').map(({ leg }) => leg)).toEqual(['a']);
    // Off hold the clock begins again.
    must(await net.media.updateLeg('b', b.stream()));
    net.advance(9_900);
    expect(net.eventsOf('rtpTimeout')).toHaveLength(1);
    net.advance(200);
    expect(net.eventsOf('rtpTimeout')).toHaveLength(2);
  });

  it('takes reports for life while the peer holds', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '192.0.2.20', port: 4_000 });
    const port = await lead(net, 'a', phone, { stream: { direction: 'recvonly' } });
    phone.sending = false;
    const bytes = new Uint8Array(200);
    const report = [{ kind: 'receiverReport', ssrc: phone.ssrc, reports: [] }] as const;
    const length = writeRtcp(report, bytes);
    for (let n = 0; n < 6; n++) {
      net.inject({ host: phone.host, port: phone.port + 1 }, port + 1, bytes.slice(0, length));
      net.advance(5_000);
    }
    expect(net.eventsOf('rtpTimeout')).toEqual([]);
    net.advance(6_000);
    expect(net.eventsOf('rtpTimeout')).toHaveLength(1);
  });

  const reportOf = (parts: Parameters<typeof writeRtcp>[0]): Uint8Array => {
    const bytes = new Uint8Array(200);
    return bytes.slice(0, writeRtcp(parts, bytes));
  };
  const receiverReport = (ssrc: number) => reportOf([{ kind: 'receiverReport', ssrc, reports: [] }]);

  it('says that reports still come, and when they have stopped, too', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '192.0.2.20', port: 4_000 });
    const port = await lead(net, 'a', phone);
    const reports = { host: phone.host, port: phone.port + 1 };
    net.advance(500);
    phone.sending = false;
    for (let n = 0; n < 20; n++) {
      net.inject(reports, port + 1, receiverReport(phone.ssrc));
      net.advance(3_000);
    }
    expect(net.eventsOf('rtpTimeout')).toEqual([{ kind: 'rtpTimeout', leg: 'a', aliveBy: 'reports' }]);
    expect(net.eventsOf('reportsEnded')).toEqual([]);
    net.advance(23_000);
    expect(net.eventsOf('reportsEnded')).toEqual([{ kind: 'reportsEnded', leg: 'a' }]);
    phone.sending = true;
    net.advance(100);
    expect(net.eventsOf('rtpResumed')).toHaveLength(1);
  });

  it('takes a BYE among reports for no life', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '192.0.2.20', port: 4_000 });
    const port = await lead(net, 'a', phone);
    net.advance(500);
    phone.sending = false;
    const bye = { kind: 'bye', sources: [phone.ssrc], reason: '' } as const;
    const receiver = { kind: 'receiverReport', ssrc: phone.ssrc, reports: [] } as const;
    net.inject({ host: phone.host, port: phone.port + 1 }, port + 1, reportOf([receiver, bye]));
    net.advance(11_000);
    expect(net.eventsOf('rtpTimeout')).toEqual([{ kind: 'rtpTimeout', leg: 'a' }]);
  });

  it.each([
    ['agreed', 13],
    ['sent unasked', undefined],
  ])('says that comfort noise, %s, was the last of it', async (_, comfortNoiseType) => {
    const net = testMedia();
    const a = await caller(net, 'a', { phone: comfortNoiseType === undefined ? {} : { comfortNoiseType } });
    const b = await caller(net, 'b');
    must(await net.media.connect('a', 'b'));
    net.advance(500);
    const before = b.packets.length;
    a.sending = false;
    a.sendPayload(13, new Uint8Array([60]));
    net.advance(11_000);
    expect(net.eventsOf('rtpTimeout')).toEqual([{ kind: 'rtpTimeout', leg: 'a', aliveBy: 'comfortNoise' }]);
    // A leg that agreed on no comfort noise gets none.
    expect(new Set(b.packets.slice(before).map(({ payloadType }) => payloadType))).toEqual(new Set([8]));
  });

  it('is over with the description that asks for no audio any more', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    a.sending = false;
    net.advance(11_000);
    expect(net.eventsOf('rtpTimeout')).toHaveLength(1);
    must(await net.media.updateLeg('a', a.stream({ direction: 'inactive' })));
    net.advance(100);
    expect(net.eventsOf('rtpResumed')).toHaveLength(1);
  });

  it('reports another SSRC and goes on hearing', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const b = await caller(net, 'b');
    must(await net.media.connect('a', 'b'));
    must(await net.media.watchSilence('a', 60_000));
    net.advance(500);
    a.ssrc = 4_711;
    a.sequence = 30_000;
    a.timestamp = 77;
    a.say(render([tone(1_000, 500, -10)]));
    net.advance(600);
    expect(net.eventsOf('ssrcChange')).toEqual([{ kind: 'ssrcChange', leg: 'a' }]);
    expect(levelOf(b.received.subarray(-1_600))).toBeGreaterThan(-14);
    const { received } = must(await net.media.stats('a'));
    expect(received).toMatchObject({ ssrcChanges: 1, lost: 0, packets: 55 });
  });

  it('does not flood anybody with SSRCs that change all the time', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    for (let n = 0; n < 100; n++) {
      a.ssrc = n;
      net.advance(20);
    }
    expect(net.eventsOf('ssrcChange').length).toBeLessThan(4);
  });

  it('reports silence once, after as long as was asked', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    a.say(render([tone(1_000, 1_000, -20)]));
    must(await net.media.watchSilence('a', 2_000));
    net.advance(2_900);
    expect(net.eventsOf('silence')).toEqual([]);
    net.advance(400);
    expect(net.eventsOf('silence')).toEqual([{ kind: 'silence', leg: 'a', forMs: 2_000 }]);
    net.advance(5_000);
    expect(net.eventsOf('silence')).toHaveLength(1);
  });
});

describe('SRTP legs', () => {
  it.each(SUITES)('carry audio with %s, to a plain leg and back', async (suite) => {
    const net = testMedia();
    const a = await caller(net, 'a', { phone: { srtp: secret(suite), sequence: 65_520 } });
    const b = await caller(net, 'b');
    must(await net.media.connect('a', 'b'));
    a.say(render([tone(1_000, 800, -10)]));
    b.say(render([tone(1_500, 800, -10)]));
    net.advance(1_000);
    expect(levelOf(b.received.subarray(2_400, 4_800))).toBeGreaterThan(-11);
    expect(levelOf(a.received.subarray(2_400, 4_800))).toBeGreaterThan(-11);
    const { received } = must(await net.media.stats('a'));
    expect(received).toMatchObject({ srtpRejected: 0, srtpReplayed: 0, lost: 0 });
    // Nothing left in the clear.
    const own = net.sent.filter(({ toHost, toPort }) => toHost === a.host && toPort === a.port);
    expect(own.every(({ bytes }) => bytes.length === 172 + (suite.endsWith('80') ? 10 : 4))).toBe(true);
  });

  it('say so once when the key is wrong, and let nothing through', async () => {
    const net = testMedia();
    const suite = SUITES[0];
    const wrong = { suite, sendKey: keyOf(1), receiveKey: keyOf(3) };
    const a = await caller(net, 'a', { phone: { srtp: wrong }, stream: { srtp: secret(suite) } });
    const b = await caller(net, 'b');
    must(await net.media.connect('a', 'b'));
    a.say(render([tone(1_000, 800, -10)]));
    net.advance(1_000);
    expect(net.eventsOf('srtpFailed')).toEqual([{ kind: 'srtpFailed', leg: 'a' }]);
    expect(net.eventsOf('rtpStarted').map(({ leg }) => leg)).toEqual(['b']);
    expect(levelOf(b.received)).toBeLessThan(-60);
    expect(must(await net.media.stats('a')).received.srtpRejected).toBe(50);
  });

  it('drop replays, forgeries and plain packets', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '192.0.2.20', port: 4_000, srtp: secret(SUITES[0]) });
    const port = await lead(net, 'a', phone);
    const copies: Uint8Array[] = [];
    net.network.carries = ({ fromHost, bytes }) => {
      if (fromHost === phone.host) copies.push(bytes.slice());
      return true;
    };
    net.advance(200);
    net.network.carries = () => true;
    const from = { host: phone.host, port: phone.port };
    for (const copy of copies) net.inject(from, port, copy.slice());
    for (const copy of copies)
      net.inject(
        from,
        port,
        copy.map((byte, i) => (i === 40 ? byte ^ 1 : byte)),
      );
    net.inject(from, port, audioPacket(3));
    const { received } = must(await net.media.stats('a'));
    expect(received).toMatchObject({ packets: 10, srtpReplayed: 20, srtpRejected: 1 });
  });

  it('latch on authentic packets only', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '198.51.100.7', port: 61_000, srtp: secret(SUITES[0]) });
    const remote = { host: '10.0.0.5', port: 4_000, rtcpPort: 4_001 };
    const port = await lead(net, 'a', phone, { stream: { latching: true, remote } });
    phone.sending = false;
    for (let n = 0; n < 20; n++) net.inject(STRANGER, port, audioPacket(n, { payload: 170 }));
    net.advance(100);
    expect(net.sent.some(({ toHost }) => toHost === STRANGER.host)).toBe(false);
    expect(net.eventsOf('srtpFailed')).toEqual([]);
    phone.sending = true;
    net.advance(200);
    expect(phone.packets.length).toBeGreaterThan(3);
  });

  it('keep their counters over a new description with the same key', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { phone: { srtp: secret(SUITES[1]), sequence: 65_530 } });
    net.advance(400);
    must(await net.media.updateLeg('a', a.stream({ direction: 'recvonly' })));
    net.advance(400);
    must(await net.media.updateLeg('a', a.stream()));
    net.advance(400);
    const { received } = must(await net.media.stats('a'));
    expect(received).toMatchObject({ packets: 60, srtpRejected: 0 });
    expect(a.packets.length).toBe(40);
  });

  it('protect their reports', async () => {
    const net = testMedia();
    const a = await caller(net, 'a', { phone: { srtp: secret(SUITES[1]) } });
    net.advance(8_000);
    const [report] = a.reports;
    if (report === undefined) throw new Error('no report came');
    const length = new SrtcpReceiver(keyOf(1), srtpCrypto).unprotect(report, report.length);
    expect(must(readRtcp(report, length)).map(({ kind }) => kind)).toEqual(['senderReport', 'description']);
  });
});

describe('reports', () => {
  it('go out every 2.5 to 7.5 s, with what was received, and say goodbye', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    net.advance(60_000);
    const times = net.sent.filter(({ toPort }) => toPort === a.port + 1).length;
    expect(times).toBeGreaterThan(7);
    expect(times).toBeLessThan(25);
    must(await net.media.closeLeg('a'));
    const parts = a.reports.map((bytes) => must(readRtcp(bytes, bytes.length)));
    const [first] = parts[3] ?? [];
    expect(first).toMatchObject({ kind: 'senderReport', reports: [{ ssrc: a.ssrc, cumulativeLost: 0 }] });
    expect(parts.at(-1)?.map(({ kind }) => kind)).toEqual(['senderReport', 'description', 'bye']);
    const names = parts.flat().flatMap((part) => (part.kind === 'description' ? part.chunks : []));
    expect(new Set(names.map(({ cname }) => cname)).size).toBe(1);
    expect(names[0]?.cname).toMatch(/^[A-Za-z0-9_-]{16}$/);
  });

  it('measure the round trip, and use one port when agreed', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '192.0.2.20', port: 4_000 });
    const port = await lead(net, 'a', phone, { stream: { rtcpMux: true } });
    net.advance(8_000);
    const [bytes] = phone.reports;
    if (bytes === undefined) throw new Error('no report came');
    expect(net.sent.every(({ fromPort, toPort }) => fromPort === port && toPort === phone.port)).toBe(true);
    const [report] = must(readRtcp(bytes, bytes.length));
    if (report?.kind !== 'senderReport') throw new Error('not a sender report');
    const { ssrc, ntpSeconds, ntpFraction } = report;
    const lastSenderReport = (((ntpSeconds & 0xffff) << 16) | (ntpFraction >>> 16)) >>> 0;
    const sentAt = net.nowMs;
    net.advance(100);
    // Answered 60 ms after it came, says the peer; the rest of the time it was under way.
    const ages = Math.round(((net.nowMs - sentAt - 40) / 1_000) * 65_536);
    const block = {
      ssrc,
      fractionLost: 0,
      cumulativeLost: 0,
      highestSequence: 1,
      jitter: 0,
      lastSenderReport,
      delaySinceLast: ages,
    };
    const out = new Uint8Array(200);
    const length = writeRtcp([{ kind: 'receiverReport', ssrc: phone.ssrc, reports: [block] }], out);
    net.inject({ host: phone.host, port: phone.port }, port, out.slice(0, length));
    const { roundTripMs } = must(await net.media.stats('a'));
    expect(roundTripMs).toBeGreaterThanOrEqual(40);
    expect(roundTripMs).toBeLessThan(6_000);
  });

  it('are not taken from unknown sources, nor on the wrong port', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '192.0.2.20', port: 4_000 });
    const port = await lead(net, 'a', phone);
    net.advance(100);
    const bytes = new Uint8Array(64);
    const length = writeRtcp([{ kind: 'receiverReport', ssrc: 1, reports: [] }], bytes);
    net.inject(STRANGER, port + 1, bytes.slice(0, length));
    net.inject({ host: phone.host, port: phone.port }, port, bytes.slice(0, length));
    expect(must(await net.media.stats('a')).received.foreign).toBe(2);
  });
});

describe('statistics', () => {
  it('report loss, levels, jitter and an opinion', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    must(await net.media.watchSilence('a', 600_000));
    a.say(render([tone(1_000, 9_000, -15)]));
    let n = 0;
    net.network.carries = ({ fromHost }) => fromHost !== a.host || ++n % 20 !== 0;
    net.advance(10_000);
    const lossy = must(await net.media.stats('a'));
    expect(lossy.codec).toBe('PCMA');
    expect(lossy.received.packets + lossy.received.lost).toBe(499);
    expect(lossy.received.lost).toBe(24);
    expect(lossy.received.concealedMs).toBe(480);
    expect(lossy.received.levelDbm0).toBeCloseTo(-15, 0);
    expect(lossy.received.longestGapMs).toBe(40);
    expect(lossy.sent.packets).toBeGreaterThan(495);
    const clean = testMedia();
    await caller(clean, 'b');
    clean.advance(10_000);
    const good = must(await clean.media.stats('b'));
    expect(good.received.lost).toBe(0);
    expect(good.mos).toBeGreaterThan(4.2);
    expect(good.mos).toBeLessThan(4.5);
    expect(lossy.mos).toBeLessThan(3.5);
  });

  it('count packets that are too short to be RTP', async () => {
    const net = testMedia();
    const phone = net.phone({ host: '192.0.2.20', port: 4_000 });
    const port = await lead(net, 'a', phone);
    for (let length = 0; length < 12; length++) {
      net.inject({ host: phone.host, port: phone.port }, port, audioPacket(1).slice(0, length));
    }
    expect(must(await net.media.stats('a')).received).toMatchObject({ packets: 0, malformed: 12 });
  });
});
