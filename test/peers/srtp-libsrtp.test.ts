import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { srtpCrypto } from '#appliance/io/crypto/index.ts';
import {
  RTP_HEADER_BYTES,
  SrtcpReceiver,
  SrtcpSender,
  SrtpReceiver,
  SrtpSender,
  type SrtpSuite,
  writeRtpHeader,
} from '#appliance/media/rtp/index.ts';

/*
 * Our SRTP beside libsrtp, packet by packet: the same key and packet must give the same bytes, and whatever the one takes or
 * refuses the other does.
 */

const KEY = Buffer.from('e1f97a0d3e018be0d64fa32c06de41390ec675ad498afeebb6960b3aabe6', 'hex');
const SUITES = [
  { suite: 'AES_CM_128_HMAC_SHA1_80', bits: '80' },
  { suite: 'AES_CM_128_HMAC_SHA1_32', bits: '32' },
] as const;
const ROOM = 2_048;
const REFUSED = 'refused';

let folder: string;
let tool: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-libsrtp-'));
  tool = join(folder, 'srtp-tool');
  const source = join(import.meta.dirname, 'support/srtp-tool.c');
  const { status, stderr } = spawnSync('gcc', ['-O1', '-o', tool, source, '-lsrtp2'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`libsrtp2-dev and gcc are needed: ${stderr}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Kind = 'rtp' | 'rtcp';

/** One libsrtp session takes these packets one after the other; `refused` for what it does not take. */
function libsrtp(bits: string, direction: 'in' | 'out', kind: Kind, packets: readonly Buffer[]): string[] {
  const input = packets.map((packet) => `${kind} ${packet.toString('hex')}\n`).join('');
  const { status, stdout } = spawnSync(tool, [bits, KEY.toString('hex'), direction], {
    input,
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(packets.length);
  return lines.map((line) => (line.startsWith(REFUSED) ? REFUSED : line));
}

const bytesOf = (lines: readonly string[]): Buffer[] => lines.map((line) => Buffer.from(line, 'hex'));
const hexes = (packets: readonly Buffer[]): string[] => packets.map((packet) => packet.toString('hex'));

/** Ours, the same way. */
function ours(suite: SrtpSuite, direction: 'in' | 'out', kind: Kind, packets: readonly Buffer[]): string[] {
  const sender = kind === 'rtp' ? new SrtpSender(suite, KEY, srtpCrypto) : new SrtcpSender(KEY, srtpCrypto);
  const receiver =
    kind === 'rtp' ? new SrtpReceiver(suite, KEY, srtpCrypto) : new SrtcpReceiver(KEY, srtpCrypto);
  return packets.map((packet) => {
    const bytes = Buffer.alloc(ROOM);
    packet.copy(bytes);
    const length =
      direction === 'out' ? sender.protect(bytes, packet.length) : receiver.unprotect(bytes, packet.length);
    return length < 0 ? REFUSED : bytes.subarray(0, length).toString('hex');
  });
}

function rtp(sequence: number, payload: Buffer, ssrc = 0xcafe_babe): Buffer {
  const bytes = Buffer.alloc(RTP_HEADER_BYTES + payload.length);
  const header = {
    marker: false,
    payloadType: 8,
    sequence: sequence & 0xffff,
    timestamp: sequence * 160,
    ssrc,
  };
  writeRtpHeader(bytes, { ...header, timestamp: header.timestamp >>> 0 });
  payload.copy(bytes, RTP_HEADER_BYTES);
  return bytes;
}

/** Voice that differs in each packet. */
const voice = (sequence: number, length = 160): Buffer =>
  Buffer.from(Array.from({ length }, (_, i) => (sequence * 31 + i * 7) & 0xff));
const stream = (sequences: readonly number[]): Buffer[] => sequences.map((n) => rtp(n, voice(n)));
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe.each(SUITES)('$suite compared with libsrtp', ({ suite, bits }) => {
  /** Both make the same of it, and both take back what the other made. */
  function agree(packets: readonly Buffer[]): void {
    const theirs = libsrtp(bits, 'out', 'rtp', packets);
    expect(ours(suite, 'out', 'rtp', packets)).toEqual(theirs);
    expect(ours(suite, 'in', 'rtp', bytesOf(theirs))).toEqual(hexes(packets));
    expect(libsrtp(bits, 'in', 'rtp', bytesOf(theirs))).toEqual(hexes(packets));
  }

  it('gives the same bytes for 400 packets in sequence', () => agree(stream(range(1_000, 1_400))));

  it('gives the same bytes for every length of payload up to 400', () =>
    agree(range(0, 400).map((n) => rtp(n, voice(n, n)))));

  it('gives the same bytes with sources, an extension and padding', () => {
    const head = rtp(7, Buffer.alloc(0));
    head[0] = 0x80 | 0x20 | 0x10 | 2;
    const sources = Buffer.from('1111111122222222', 'hex');
    const extension = Buffer.from('bede000110aa0000', 'hex');
    const padding = Buffer.from([0, 0, 0, 4]);
    agree([Buffer.concat([head, sources, extension, voice(7), padding])]);
  });

  it('keeps the streams of three sources apart', () =>
    agree(range(0, 60).map((n) => rtp(5_000 + Math.floor(n / 3), voice(n), 0x1000 + (n % 3)))));

  it('goes over the wrap of the sequence number, also where 300 packets are lost at it', () => {
    agree(stream(range(65_400, 65_700)));
    agree(stream([...range(65_200, 65_300), ...range(65_600, 65_800)]));
    agree(stream([...range(65_200, 65_535), ...range(65_836, 65_900)]));
  });

  it('goes on after three rounds of the sequence number', () =>
    agree(stream(range(0, 200).map((n) => 60_000 + n * 1_000))));

  it('takes packets that come in another order, over the wrap too', () => {
    const sequences = range(65_500, 65_600).map((n, i) => (i % 5 === 0 ? n + 4 : i % 5 === 4 ? n - 4 : n));
    const made = libsrtp(bits, 'out', 'rtp', stream(range(65_500, 65_600)));
    const moved = sequences.map((n) => Buffer.from(made[n - 65_500] ?? '', 'hex'));
    const taken = libsrtp(bits, 'in', 'rtp', moved);
    expect(taken).not.toContain(REFUSED);
    expect(ours(suite, 'in', 'rtp', moved)).toEqual(taken);
  });

  it('refuses what came before, and what is older than 128 packets', () => {
    const made = bytesOf(libsrtp(bits, 'out', 'rtp', stream(range(2_000, 2_300))));
    const old = (n: number): Buffer => made[n - 2_000] ?? Buffer.alloc(0);
    const packets = [...range(2_000, 2_100), ...range(2_150, 2_300)].map(old);
    const late = [2_299, 2_160, 2_149, 2_172, 2_110, 2_171].map(old);
    const taken = libsrtp(bits, 'in', 'rtp', [...packets, ...late]);
    expect(taken.filter((line) => line === REFUSED)).toHaveLength(6);
    expect(ours(suite, 'in', 'rtp', [...packets, ...late])).toEqual(taken);
    const within = [...packets.slice(0, -1), old(2_149), old(2_149)];
    const both = libsrtp(bits, 'in', 'rtp', within);
    expect(ours(suite, 'in', 'rtp', within)).toEqual(both);
  });

  it('refuses a packet with any bit changed', () => {
    const [made = Buffer.alloc(0)] = bytesOf(libsrtp(bits, 'out', 'rtp', stream([42])));
    const changed = range(16, made.length * 8).map((bit) => {
      const copy = Buffer.from(made);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return copy;
    });
    const answers = ours(suite, 'in', 'rtp', changed);
    expect(new Set(answers)).toEqual(new Set([REFUSED]));
    expect(libsrtp(bits, 'in', 'rtp', changed)).toEqual(answers);
  });
});

describe('SRTCP compared with libsrtp', () => {
  const report = (n: number): Buffer => {
    const bytes = Buffer.alloc(28 + 4 * (n % 5));
    bytes.writeUInt8(0x80, 0);
    bytes.writeUInt8(200, 1);
    bytes.writeUInt16BE(bytes.length / 4 - 1, 2);
    bytes.writeUInt32BE(0xcafe_babe, 4);
    bytes.fill(n, 8);
    return bytes;
  };

  it('gives the same bytes for 50 reports, and takes them back once', () => {
    const packets = range(0, 50).map(report);
    const theirs = libsrtp('80', 'out', 'rtcp', packets);
    const made = ours(SUITES[0].suite, 'out', 'rtcp', packets);
    expect(made).toEqual(theirs);
    const twice = [...bytesOf(theirs), ...bytesOf(theirs)];
    const taken = libsrtp('80', 'in', 'rtcp', twice);
    expect(taken).toEqual([...hexes(packets), ...packets.map(() => REFUSED)]);
    expect(ours(SUITES[0].suite, 'in', 'rtcp', twice)).toEqual(taken);
  });
});
