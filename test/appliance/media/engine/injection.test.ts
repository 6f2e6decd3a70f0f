import { describe, expect, it } from 'vitest';
import { pcma } from '#appliance/media/audio/index.ts';
import type { LegStream } from '#appliance/media/control/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { writeRtcp, writeRtpHeader, writeTelephoneEvent } from '#appliance/media/rtp/index.ts';
import { must, testMedia } from '#test/support/media.ts';
import { caller, lead, levelOf } from './sound.ts';

/* RTP that a stranger sends into a running call: it knows the port, and guesses or has learned SSRC and sequence. */

const STRANGER = { host: '203.0.113.66', port: 5_555 };
const loud = new Uint8Array(160);
pcma.encode(render([tone(800, 20, -3)]), loud, 0);

interface Guess {
  readonly ssrc: number;
  readonly sequence: number;
  readonly timestamp: number;
}

function audioOf({ ssrc, sequence, timestamp }: Guess): Uint8Array {
  const bytes = new Uint8Array(172);
  writeRtpHeader(bytes, {
    marker: false,
    payloadType: 8,
    sequence: sequence & 0xffff,
    timestamp: timestamp >>> 0,
    ssrc,
  });
  bytes.set(loud, 12);
  return bytes;
}

function digitOf({ ssrc, sequence, timestamp }: Guess): Uint8Array {
  const bytes = new Uint8Array(16);
  writeRtpHeader(bytes, {
    marker: true,
    payloadType: 101,
    sequence: sequence & 0xffff,
    timestamp: timestamp >>> 0,
    ssrc,
  });
  writeTelephoneEvent({ event: 9, end: true, volume: 10, duration: 800 }, bytes, 12);
  return bytes;
}

/** A call whose digits and speech are heard, and a stranger that sends more than its peer. */
async function attacked(
  stream: Partial<LegStream>,
  from: { readonly host: string; readonly port: number },
  guessOf: (peer: Guess, n: number) => Guess,
) {
  const net = testMedia();
  const phone = net.phone({ host: '192.0.2.20', port: 4_000 });
  const port = await lead(net, 'a', phone, { stream: { latchHosts: [phone.host], ...stream } });
  const b = await caller(net, 'b');
  must(await net.media.connect('a', 'b'));
  must(await net.media.listen('a', { profile: 'ivr', digits: true, tones: [] }));
  net.advance(300);
  b.forget();
  phone.press('12', { by: 'rfc4733' });
  for (let n = 0; n < 200; n++) {
    const guess = guessOf(phone, n);
    // Four in sequence: as many as a source must show that may take a leg.
    for (let k = 0; k < 4; k++) {
      const { ssrc, sequence, timestamp } = guess;
      net.inject(from, port, audioOf({ ssrc, sequence: sequence + k, timestamp: timestamp + k * 160 }));
    }
    net.inject(from, port, digitOf({ ...guess, sequence: guess.sequence + 4 }));
    const bye = [
      { kind: 'receiverReport', ssrc: guess.ssrc, reports: [] },
      { kind: 'bye', sources: [guess.ssrc], reason: '' },
    ] as const;
    const report = new Uint8Array(100);
    net.inject(from, port + 1, report.slice(0, writeRtcp(bye, report)));
    net.advance(10);
  }
  const digits = net.eventsOf('digit').filter(({ edge }) => edge === 'end');
  return {
    sentThere: net.sent.filter(({ toHost, toPort }) => toHost === from.host && toPort === from.port).length,
    digits: digits.map(({ digit }) => digit).join(''),
    level: levelOf(b.received),
    ssrcChanges: must(await net.media.stats('a')).received.ssrcChanges,
  };
}

const QUIET = { sentThere: 0, digits: '12', ssrcChanges: 0 };

describe.each([
  ['another address', STRANGER, {}],
  ['another port of the same address', { host: '192.0.2.20', port: 5_555 }, {}],
  ['another address, with forceRtpRelay', STRANGER, { latching: true }],
] as const)('packets from %s', (_, from, stream) => {
  it.each([
    ['any SSRC', (_peer: Guess, n: number) => ({ ssrc: n * 7_919, sequence: n, timestamp: n * 160 })],
    [
      'the SSRC, any sequence',
      ({ ssrc }: Guess, n: number) => ({ ssrc, sequence: n * 331, timestamp: n * 53_000 }),
    ],
    ['the SSRC and the next sequence', (peer: Guess) => peer],
    [
      'the SSRC, ahead in sequence',
      ({ ssrc, sequence, timestamp }: Guess) => ({
        ssrc,
        sequence: sequence + 5,
        timestamp: timestamp + 800,
      }),
    ],
  ] as const)('with %s change nothing and get nothing', async (__, guessOf) => {
    const { level, ...seen } = await attacked(stream, from, guessOf);
    expect(seen).toEqual(QUIET);
    expect(level).toBeLessThan(-40);
  });
});
