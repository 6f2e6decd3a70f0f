import { describe, expect, it } from 'vitest';
import { Latch } from '#appliance/media/rtp/index.ts';

const PEER = { host: '192.0.2.20', port: 4_000 };
const NAT = { host: '198.51.100.7', port: 61_000 };
const STRANGER = { host: '203.0.113.66', port: 5_555 };
const SSRC = 0xabc;

/** A latch that was told where the peer is, and packets of sources with numbers that go on. */
function told(allowed: boolean) {
  const latch = new Latch();
  latch.describe(PEER.host, PEER.port, allowed);
  let sequence = 65_534;
  let nowMs = 0;
  return {
    latch,
    wait: (ms: number) => {
      nowMs += ms;
    },
    packet(from: typeof PEER, { ssrc = SSRC, number = undefined as number | undefined } = {}) {
      sequence = number ?? (sequence + 1) & 0xffff;
      nowMs += 20;
      return latch.judge(from.host, from.port, ssrc, sequence, nowMs);
    },
    target: () => `${latch.host}:${latch.port}${latch.locked ? ' locked' : ''}`,
  };
}

describe('Latch', () => {
  it('locks to the signalled address with its first packet', () => {
    const { latch, packet, target } = told(false);
    expect(latch.locked).toBe(false);
    expect(packet(PEER)).toBe('taken');
    expect(target()).toBe('192.0.2.20:4000 locked');
  });

  it('takes no other source when it must not, and does not even look at it', () => {
    const { latch, packet, target } = told(false);
    for (let i = 0; i < 10; i++) expect(packet(NAT)).toBe('foreign');
    expect(latch.concerns(NAT.host, NAT.port)).toBe(false);
    expect(target()).toBe('192.0.2.20:4000');
  });

  it('takes another source after three packets in sequence, across the wrap', () => {
    const { packet, target } = told(true);
    expect([packet(NAT), packet(NAT), packet(NAT)]).toEqual(['foreign', 'foreign', 'taken']);
    expect(target()).toBe('198.51.100.7:61000 locked');
  });

  it.each([
    ['a gap in the numbers', (n: number) => ({ number: n * 2 })],
    ['a repeated number', () => ({ number: 7 })],
    ['changing SSRCs', (n: number) => ({ ssrc: n })],
  ])('does not take a source with %s', (_, of) => {
    const { latch, packet } = told(true);
    for (let n = 0; n < 10; n++) expect(packet(NAT, of(n))).toBe('foreign');
    expect(latch.locked).toBe(false);
  });

  it('does not add up packets of different sources', () => {
    const { packet } = told(true);
    for (let n = 0; n < 9; n++) expect(packet({ ...NAT, port: NAT.port + (n % 2) })).toBe('foreign');
  });

  it('lets nobody in beside a locked source', () => {
    const { packet, target } = told(true);
    packet(PEER);
    for (let n = 0; n < 20; n++) {
      expect(packet(STRANGER, { number: n, ssrc: 1 })).toBe('foreign');
      expect(packet(PEER, { number: n })).toBe('taken');
    }
    expect(target()).toBe('192.0.2.20:4000 locked');
  });

  it('gives a leg back to the signalled address, whoever came first', () => {
    const { packet, target } = told(true);
    for (let n = 0; n < 3; n++) packet(STRANGER);
    expect(target()).toBe('203.0.113.66:5555 locked');
    expect(packet(PEER, { ssrc: 9 })).toBe('taken');
    expect(packet(STRANGER)).toBe('foreign');
    expect(target()).toBe('192.0.2.20:4000 locked');
  });

  it('follows a peer that moved once its old place was silent for 500 ms', () => {
    const { packet, wait, target } = told(true);
    packet(PEER);
    expect([packet(NAT), packet(NAT), packet(NAT)]).toEqual(['foreign', 'foreign', 'foreign']);
    wait(500);
    expect(packet(NAT)).toBe('foreign');
    expect(packet(NAT)).toBe('foreign');
    expect(packet(NAT)).toBe('taken');
    expect(target()).toBe('198.51.100.7:61000 locked');
  });

  it('does not follow another stream, nor one whose numbers do not go on', () => {
    const { packet, wait } = told(true);
    packet(PEER, { number: 100 });
    wait(1_000);
    for (let n = 101; n < 110; n++) expect(packet(NAT, { ssrc: 77, number: n })).toBe('foreign');
    for (let n = 40_000; n < 40_010; n++) expect(packet(NAT, { number: n })).toBe('foreign');
    for (let n = 90; n < 100; n++) expect(packet(NAT, { number: n })).toBe('foreign');
  });

  it('does not follow a peer that moved when it must not latch', () => {
    const { packet, wait } = told(false);
    packet(PEER);
    wait(1_000);
    for (let n = 0; n < 5; n++) expect(packet(NAT)).toBe('foreign');
  });

  it('keeps its lock over a new description with the same address, and lets the next source in at once', () => {
    const { latch, packet, target } = told(true);
    for (let n = 0; n < 3; n++) packet(NAT);
    latch.describe(PEER.host, PEER.port, true);
    expect(target()).toBe('198.51.100.7:61000 locked');
    const other = { ...NAT, port: 61_444 };
    expect([1, 2, 3].map((number) => packet(other, { ssrc: 5, number }))).toEqual([
      'foreign',
      'foreign',
      'taken',
    ]);
    expect(target()).toBe('198.51.100.7:61444 locked');
  });

  it('closes that door with the next packet of the locked source', () => {
    const { latch, packet } = told(true);
    for (let n = 0; n < 3; n++) packet(NAT);
    latch.describe(PEER.host, PEER.port, true);
    packet(NAT);
    for (let n = 0; n < 5; n++) expect(packet(STRANGER, { ssrc: 5, number: n })).toBe('foreign');
  });

  it('goes to the new address with a description that names one', () => {
    const { latch, packet, target } = told(true);
    for (let n = 0; n < 3; n++) packet(NAT);
    latch.describe('192.0.2.99', 4_100, false);
    expect(target()).toBe('192.0.2.99:4100');
    expect(packet(NAT)).toBe('foreign');
  });

  it('sends to the signalled address again when latching is no longer allowed', () => {
    const { latch, packet, target } = told(true);
    for (let n = 0; n < 3; n++) packet(NAT);
    latch.describe(PEER.host, PEER.port, false);
    expect(target()).toBe('192.0.2.20:4000');
  });
});
