import { describe, expect, it } from 'vitest';
import { Latch, type LatchRule } from '#appliance/media/rtp/index.ts';

const PEER = { host: '192.0.2.20', port: 4_000 };
const NAT = { host: '198.51.100.7', port: 61_000 };
const STRANGER = { host: '203.0.113.66', port: 5_555 };
const SSRC = 0xabc;

const NEVER: LatchRule = { anywhere: false, hosts: [], proven: false };
const ANYWHERE = { anywhere: true };
/** The same address, another port: a NAT that translates ports. */
const OTHER_PORT = { ...PEER, port: 4_321 };
const BY_HOST = { hosts: [PEER.host] };

/** A latch that knows where the peer is, and packets of sources with numbers that go on. */
function reported(rule: Partial<LatchRule> = {}) {
  const latch = new Latch();
  latch.describe(PEER.host, PEER.port, { ...NEVER, ...rule });
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
    const { latch, packet, target } = reported();
    expect(latch.locked).toBe(false);
    expect(packet(PEER)).toBe('taken');
    expect(target()).toBe('192.0.2.20:4000 locked');
  });

  it('takes no other source when it must not, and does not even look at it', () => {
    const { latch, packet, target } = reported();
    for (let i = 0; i < 10; i++) expect(packet(NAT)).toBe('foreign');
    expect(latch.concerns(NAT.host, NAT.port)).toBe(false);
    expect(target()).toBe('192.0.2.20:4000');
  });

  it('takes another source after three packets in sequence, across the wrap', () => {
    const { packet, target } = reported(ANYWHERE);
    expect([packet(NAT), packet(NAT), packet(NAT)]).toEqual(['foreign', 'foreign', 'taken']);
    expect(target()).toBe('198.51.100.7:61000 locked');
  });

  it.each([
    ['a gap in the numbers', (n: number) => ({ number: n * 2 })],
    ['a repeated number', () => ({ number: 7 })],
    ['changing SSRCs', (n: number) => ({ ssrc: n })],
  ])('does not take a source with %s', (_, of) => {
    const { latch, packet } = reported(ANYWHERE);
    for (let n = 0; n < 10; n++) expect(packet(NAT, of(n))).toBe('foreign');
    expect(latch.locked).toBe(false);
  });

  it('does not add up packets of different sources', () => {
    const { packet } = reported(ANYWHERE);
    for (let n = 0; n < 9; n++) expect(packet({ ...NAT, port: NAT.port + (n % 2) })).toBe('foreign');
  });

  it('lets no other source in beside a locked one', () => {
    const { packet, target } = reported(ANYWHERE);
    packet(PEER);
    for (let n = 0; n < 20; n++) {
      expect(packet(STRANGER, { number: n, ssrc: 1 })).toBe('foreign');
      expect(packet(PEER, { number: n })).toBe('taken');
    }
    expect(target()).toBe('192.0.2.20:4000 locked');
  });

  it('gives a leg back to the signalled address, whoever came first', () => {
    const { packet, target } = reported(ANYWHERE);
    for (let n = 0; n < 3; n++) packet(STRANGER);
    expect(target()).toBe('203.0.113.66:5555 locked');
    expect(packet(PEER, { ssrc: 9 })).toBe('taken');
    expect(packet(STRANGER)).toBe('foreign');
    expect(target()).toBe('192.0.2.20:4000 locked');
  });

  it('follows a peer that moved once its old place was silent for 500 ms', () => {
    const { packet, wait, target } = reported(ANYWHERE);
    packet(PEER);
    expect([packet(NAT), packet(NAT), packet(NAT)]).toEqual(['foreign', 'foreign', 'foreign']);
    wait(500);
    expect(packet(NAT)).toBe('foreign');
    expect(packet(NAT)).toBe('foreign');
    expect(packet(NAT)).toBe('taken');
    expect(target()).toBe('198.51.100.7:61000 locked');
  });

  it('does not follow another stream, nor one whose numbers do not go on', () => {
    const { packet, wait } = reported(ANYWHERE);
    packet(PEER, { number: 100 });
    wait(1_000);
    for (let n = 101; n < 110; n++) expect(packet(NAT, { ssrc: 77, number: n })).toBe('foreign');
    for (let n = 40_000; n < 40_010; n++) expect(packet(NAT, { number: n })).toBe('foreign');
    for (let n = 90; n < 100; n++) expect(packet(NAT, { number: n })).toBe('foreign');
  });

  it('does not follow a peer that moved when it must not latch', () => {
    const { packet, wait } = reported();
    packet(PEER);
    wait(1_000);
    for (let n = 0; n < 5; n++) expect(packet(NAT)).toBe('foreign');
  });

  it('keeps its lock over a new description with the same address, and lets the next source in at once', () => {
    const { latch, packet, target } = reported(ANYWHERE);
    for (let n = 0; n < 3; n++) packet(NAT);
    latch.describe(PEER.host, PEER.port, { ...NEVER, ...ANYWHERE });
    expect(target()).toBe('198.51.100.7:61000 locked');
    const other = { ...NAT, port: 61_444 };
    expect([1, 2, 3].map((number) => packet(other, { ssrc: 5, number }))).toEqual([
      'foreign',
      'foreign',
      'taken',
    ]);
    expect(target()).toBe('198.51.100.7:61444 locked');
  });

  it('closes again with the next packet of the locked source', () => {
    const { latch, packet } = reported(ANYWHERE);
    for (let n = 0; n < 3; n++) packet(NAT);
    latch.describe(PEER.host, PEER.port, { ...NEVER, ...ANYWHERE });
    packet(NAT);
    for (let n = 0; n < 5; n++) expect(packet(STRANGER, { ssrc: 5, number: n })).toBe('foreign');
  });

  it('goes to the new address with a description that names one', () => {
    const { latch, packet, target } = reported(ANYWHERE);
    for (let n = 0; n < 3; n++) packet(NAT);
    latch.describe('192.0.2.99', 4_100);
    expect(target()).toBe('192.0.2.99:4100');
    expect(packet(NAT)).toBe('foreign');
  });

  it('sends to the signalled address again when latching is no longer allowed', () => {
    const { latch, packet, target } = reported(ANYWHERE);
    for (let n = 0; n < 3; n++) packet(NAT);
    latch.describe(PEER.host, PEER.port);
    expect(target()).toBe('192.0.2.20:4000');
  });

  it('takes another port of an address that it trusts after three packets in sequence, and no other address', () => {
    const { latch, packet, target } = reported(BY_HOST);
    for (let n = 0; n < 5; n++) expect(packet(NAT)).toBe('foreign');
    expect(latch.concerns(NAT.host, NAT.port)).toBe(false);
    expect([packet(OTHER_PORT), packet(OTHER_PORT), packet(OTHER_PORT)]).toEqual([
      'foreign',
      'foreign',
      'taken',
    ]);
    expect(target()).toBe('192.0.2.20:4321 locked');
  });

  it('does so only while the signalled port is silent, which takes the leg back with one packet', () => {
    const { packet, wait, target } = reported(BY_HOST);
    packet(PEER);
    for (let n = 0; n < 20; n++) {
      packet(PEER, { number: n });
      expect(packet(OTHER_PORT, { number: n, ssrc: 5 })).toBe('foreign');
    }
    wait(1_000);
    for (let n = 0; n < 5; n++) expect(packet(OTHER_PORT, { number: n, ssrc: 5 })).toBe('foreign');
    wait(1_000);
    for (let n = 5; n < 8; n++) packet(OTHER_PORT, { number: n, ssrc: 5 });
    expect(target()).toBe('192.0.2.20:4321 locked');
    expect(packet(PEER)).toBe('taken');
    expect(target()).toBe('192.0.2.20:4000 locked');
  });

  it('takes a leg from an unknown source that came first, for a source that it trusts', () => {
    const { packet, target } = reported({ ...ANYWHERE, ...BY_HOST });
    for (let n = 0; n < 3; n++) packet(STRANGER, { number: n, ssrc: 1 });
    expect(target()).toBe('203.0.113.66:5555 locked');
    for (let n = 0; n < 3; n++) {
      packet(STRANGER, { number: n + 3, ssrc: 1 });
      packet(OTHER_PORT, { number: n });
    }
    expect(target()).toBe('192.0.2.20:4321 locked');
    for (let n = 6; n < 20; n++) expect(packet(STRANGER, { number: n, ssrc: 1 })).toBe('foreign');
  });

  it('follows another stream to another address only when its packets are proven', () => {
    const moved = (rule: Partial<LatchRule>): boolean => {
      const { packet, wait, target } = reported({ ...ANYWHERE, ...rule });
      packet(PEER, { number: 100 });
      wait(5_000);
      for (let n = 7; n < 10; n++) packet(NAT, { number: n, ssrc: 5 });
      return target() === '198.51.100.7:61000 locked';
    };
    expect([moved({}), moved({ proven: true })]).toEqual([false, true]);
  });

  it('keeps a lock on a trusted port over a description that says the same, and drops it with another rule', () => {
    const { latch, packet, target } = reported(BY_HOST);
    for (let n = 0; n < 3; n++) packet(OTHER_PORT);
    latch.describe(PEER.host, PEER.port, { ...NEVER, ...BY_HOST });
    expect(target()).toBe('192.0.2.20:4321 locked');
    latch.describe(PEER.host, PEER.port);
    expect(target()).toBe('192.0.2.20:4000');
  });
});
