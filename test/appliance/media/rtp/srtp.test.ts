import { createCipheriv, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NoiseSource } from '#appliance/media/audio/index.ts';
import { CounterMode } from '#appliance/media/rtp/counter-mode.ts';
import {
  type AesEcb,
  hmacSha1,
  inlineKey,
  MASTER_BYTES,
  RtpPacket,
  readCrypto,
  SRTCP_OVERHEAD,
  SRTP_MALFORMED,
  SRTP_NOT_AUTHENTIC,
  SRTP_REPLAYED,
  SrtcpReceiver,
  SrtcpSender,
  type SrtpCrypto,
  SrtpReceiver,
  SrtpSender,
  type SrtpSuite,
  TAG_BYTES,
  writeRtpHeader,
} from '#appliance/media/rtp/index.ts';
import { derive } from '#appliance/media/rtp/srtp-key.ts';

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));
const hexOf = (bytes: Uint8Array, length = bytes.length): string =>
  Buffer.from(bytes.subarray(0, length)).toString('hex');

const aesEcb: AesEcb = (key) => {
  const cipher = createCipheriv('aes-128-ecb', key, null);
  cipher.setAutoPadding(false);
  return (blocks) => cipher.update(blocks);
};
const CRYPTO: SrtpCrypto = { aesEcb, hmacSha1 };

const MASTER = bytesOf('E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6');
const SUITES = Object.keys(TAG_BYTES) as SrtpSuite[];

describe('RFC 3711 appendix B', () => {
  it('B.1: the packet of the AES-f8 vector, read up to what is encrypted (f8 itself is no suite of ours)', () => {
    const packet = new RtpPacket();
    const bytes = bytesOf(
      '806e5cba50681de55c621599 70736575646f72616e646f6d6e65737320697320746865206e6578742062657374207468696e67',
    );
    expect(packet.read(bytes, bytes.length)).toBeNull();
    expect(packet).toMatchObject({
      sequence: 0x5cba,
      timestamp: 0x5068_1de5,
      ssrc: 0x5c62_1599,
      payloadType: 0x6e,
    });
    expect(Buffer.from(bytes.subarray(packet.payloadOffset)).toString()).toBe(
      'pseudorandomness is the next best thing',
    );
  });

  it('B.2: AES-CM key stream, first and last blocks of 65,282', () => {
    const key = bytesOf('2B7E151628AED2A6ABF7158809CF4F3C');
    const salt = bytesOf('F0F1F2F3F4F5F6F7F8F9FAFBFCFD');
    const stream = new Uint8Array(16 * 0xff02);
    new CounterMode(aesEcb, key, salt).apply(stream, 0, stream.length, 0, 0);
    const block = (number: number) => hexOf(stream.subarray(16 * number, 16 * number + 16)).toUpperCase();
    expect([0, 1, 2].map(block)).toEqual([
      'E03EAD0935C95E80E166B16DD92B4EB4',
      'D23513162B02D0F72A43A2FE4A5F97AB',
      '41E95B3BB0A2E8DD477901E4FCA894C0',
    ]);
    expect([0xfeff, 0xff00, 0xff01].map(block)).toEqual([
      'EC8CDF7398607CB0F2D21675EA9EA1E4',
      '362B7C3C6773516318A077D7FC5073AE',
      '6A2CC3787889374FBEB4C81B17BA6C44',
    ]);
  });

  it('B.3: key derivation', () => {
    const key = MASTER.subarray(0, 16);
    const salt = MASTER.subarray(16);
    const derived = (label: number, length: number) =>
      hexOf(derive(aesEcb, key, salt, label, length)).toUpperCase();
    expect(derived(0, 16)).toBe('C61E7A93744F39EE10734AFE3FF7A087');
    expect(derived(2, 14)).toBe('30CBBC08863D8C85D49DB34A9AE1');
    expect(derived(1, 94)).toBe(
      'CEBE321F6FF7716B6FD4AB49AF256A156D38BAA48F0A0ACF3C34E2359E6CDBCEE049646C43D9327AD175578EF72270986371C10C9A369AC2F94A8C5FBCDDDC256D6E919A48B610EF17C2041E474035766B68642C59BBFC2F34DB60DBDFB2',
    );
  });
});

describe('packets of the reference implementation', () => {
  it('protects RTP byte for byte', () => {
    const bytes = new Uint8Array(38);
    bytes.set(bytesOf(`800f1234decafbadcafebabe ${'ab'.repeat(16)}`));
    expect(new SrtpSender('AES_CM_128_HMAC_SHA1_80', MASTER, CRYPTO).protect(bytes, 28)).toBe(38);
    expect(hexOf(bytes)).toBe('800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb');
  });

  it('protects RTCP byte for byte', () => {
    const bytes = new Uint8Array(38);
    bytes.set(bytesOf(`81c8000bcafebabe ${'ab'.repeat(16)}`));
    expect(new SrtcpSender(MASTER, CRYPTO).protect(bytes, 24)).toBe(38);
    expect(hexOf(bytes)).toBe('81c8000bcafebabe7128035be487b9bdbef89041f977a5a880000001993e08cd54d6c1230798');
    expect(new SrtcpReceiver(MASTER, CRYPTO).unprotect(bytes, 38)).toBe(24);
    expect(hexOf(bytes, 24)).toBe(`81c8000bcafebabe${'ab'.repeat(16)}`);
  });
});

describe('counter mode', () => {
  /** RFC 3711, 4.1.1, with the counter mode of the system. */
  function systemStream(
    key: Uint8Array,
    salt: Uint8Array,
    ssrc: number,
    index: number,
    length: number,
  ): string {
    const block = Buffer.alloc(16);
    block.set(salt);
    block.writeUInt32BE((block.readUInt32BE(4) ^ ssrc) >>> 0, 4);
    const number = BigInt(index);
    for (let i = 0; i < 6; i++)
      block[8 + i] = (block[8 + i] ?? 0) ^ Number((number >> BigInt(40 - 8 * i)) & 255n);
    return createCipheriv('aes-128-ctr', key, block).update(new Uint8Array(length)).toString('hex');
  }

  it('is that of the system for packets in order, late, lost, longer, of two SSRCs, near each edge of the index', () => {
    const key = Uint8Array.from({ length: 16 }, (_, i) => i * 17);
    const salt = Uint8Array.from({ length: 14 }, (_, i) => 251 - i * 13);
    const mode = new CounterMode(aesEcb, key, salt);
    let seed = 1;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const lengths = [1, 4, 15, 16, 17, 160, 160, 160, 160, 320, 1_000];
    for (const start of [0, 65_530, 2 ** 31 - 20, 2 ** 32 - 20, 2 ** 32 + 65_530, 2 ** 48 - 600]) {
      let index = start;
      for (let n = 0; n < 400; n++) {
        const kind = random(20);
        if (kind === 0) index += random(40);
        const ssrc = kind === 1 ? 0x8000_0001 : 0xfedc_ba98;
        const at = kind === 2 ? Math.max(start, index - random(30)) : index++;
        const length = kind < 6 ? (lengths[random(lengths.length)] ?? 160) : 160;
        const bytes = new Uint8Array(length + 8);
        mode.apply(bytes, 3, length, ssrc, Math.min(at, 2 ** 48 - 1));
        const expected = systemStream(key, salt, ssrc, Math.min(at, 2 ** 48 - 1), length);
        expect(hexOf(bytes)).toBe(`000000${expected}0000000000`);
      }
    }
  });
});

describe('HMAC-SHA1', () => {
  it('equals the system for every length up to 400 bytes, whatever the buffer behind', () => {
    const key = Uint8Array.from({ length: 20 }, (_, i) => 7 * i);
    const sign = hmacSha1(key);
    const buffer = Uint8Array.from({ length: 5_000 }, (_, i) => i * 31);
    const out = new Uint8Array(20);
    for (let length = 0; length <= 400; length++) {
      for (const memory of [buffer, buffer.subarray(0, 500), buffer.subarray(0, length)]) {
        sign(memory, length, 77, out);
        const system = createHmac('sha1', key).update(memory.subarray(0, length));
        expect(hexOf(out)).toBe(system.update(bytesOf('0000004d')).digest('hex'));
      }
    }
  });

  it.each([0, 1, 43, 55, 56, 60, 63, 64, 65, 119, 120, 172, 1_400])(
    'equals the system for %d bytes',
    (length) => {
      const message = Uint8Array.from({ length }, (_, i) => i * 31);
      for (const keyLength of [0, 20, 64, 65, 200]) {
        const key = Uint8Array.from({ length: keyLength }, (_, i) => 255 - i);
        const sign = hmacSha1(key);
        const out = new Uint8Array(20);
        const system = () => createHmac('sha1', key).update(message);
        sign(message, length, null, out);
        expect(hexOf(out)).toBe(system().digest('hex'));
        sign(message, length, 0xfe01_0203, out);
        expect(hexOf(out)).toBe(system().update(bytesOf('fe010203')).digest('hex'));
      }
    },
  );
});

const SSRC = 0x1234_5678;

/** A packet of audio, and how it looks protected. */
function packetOf(sequence: number, ssrc = SSRC): Uint8Array {
  const bytes = new Uint8Array(172);
  writeRtpHeader(bytes, {
    marker: false,
    payloadType: 8,
    sequence: sequence & 0xffff,
    timestamp: sequence * 160,
    ssrc,
  });
  return bytes.fill(sequence & 0xff, 12);
}
function protectedBy(sender: SrtpSender, sequence: number, ssrc = SSRC): Uint8Array {
  const bytes = new Uint8Array(182);
  bytes.set(packetOf(sequence, ssrc));
  return bytes.slice(0, sender.protect(bytes, 172));
}

describe.each(SUITES)('%s', (suite) => {
  const pair = () => ({
    sender: new SrtpSender(suite, MASTER, CRYPTO),
    receiver: new SrtpReceiver(suite, MASTER, CRYPTO),
  });
  const take = (receiver: SrtpReceiver, bytes: Uint8Array): number =>
    receiver.unprotect(bytes.slice(), bytes.length);

  it('gives back what was sent', () => {
    const { sender, receiver } = pair();
    const bytes = protectedBy(sender, 7);
    expect(bytes.length).toBe(172 + TAG_BYTES[suite]);
    expect(receiver.unprotect(bytes, bytes.length)).toBe(172);
    expect(hexOf(bytes, 172)).toBe(hexOf(packetOf(7)));
  });

  it('keeps padding, extension and CSRC', () => {
    const { sender, receiver } = pair();
    const plain = bytesOf('b1 88 1234 deadbeef cafebabe 00000001 bede 0001 10aa0000 010203 0000000005');
    const bytes = new Uint8Array(plain.length + 10);
    bytes.set(plain);
    const length = sender.protect(bytes, plain.length);
    expect(hexOf(bytes, 24)).toBe(hexOf(plain, 24));
    expect(hexOf(bytes, plain.length)).not.toBe(hexOf(plain));
    expect(receiver.unprotect(bytes, length)).toBe(plain.length);
    expect(hexOf(bytes, plain.length)).toBe(hexOf(plain));
  });

  it('takes each packet once, in any order within the window', () => {
    const { sender, receiver } = pair();
    const packets = Array.from({ length: 200 }, (_, i) => protectedBy(sender, i));
    const at = (i: number) => packets[i] ?? new Uint8Array(0);
    expect([0, 2, 1, 150, 100, 23].map((i) => take(receiver, at(i)))).toEqual([172, 172, 172, 172, 172, 172]);
    expect([0, 2, 1, 150, 100, 23].map((i) => take(receiver, at(i)))).toEqual(
      new Array(6).fill(SRTP_REPLAYED),
    );
    expect(take(receiver, at(22))).toBe(SRTP_REPLAYED);
  });

  it.each([1, 270, 300, 5_000])('stays in step when %d packets are lost around the wrap', (lost) => {
    const { sender, receiver } = pair();
    const results = new Set<number>();
    for (let sequence = 64_000; sequence < 70_000; sequence++) {
      const bytes = protectedBy(sender, sequence);
      const isLost = sequence > 65_536 - lost / 2 && sequence <= 65_536 + lost / 2;
      if (!isLost) results.add(take(receiver, bytes));
    }
    expect([...results]).toEqual([172]);
  });

  it('stays in step when packets change places over the wrap', () => {
    const { sender, receiver } = pair();
    const packets = Array.from({ length: 8 }, (_, i) => protectedBy(sender, 65_532 + i));
    const order = [0, 1, 4, 3, 2, 6, 5, 7];
    expect(order.map((i) => take(receiver, packets[i] ?? new Uint8Array(0)))).toEqual(new Array(8).fill(172));
  });

  it('refuses every changed bit and changes nothing for it', () => {
    const { sender, receiver } = pair();
    take(receiver, protectedBy(sender, 1));
    const bytes = protectedBy(sender, 2);
    for (let bit = 0; bit < bytes.length * 8; bit += 7) {
      const changed = bytes.slice();
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(take(receiver, changed)).toBeLessThan(0);
    }
    expect(take(receiver, bytes)).toBe(172);
  });

  it('refuses a foreign key and what is too short', () => {
    const { sender } = pair();
    const foreign = new SrtpReceiver(suite, MASTER.slice().reverse(), CRYPTO);
    const bytes = protectedBy(sender, 1);
    expect(take(foreign, bytes)).toBe(SRTP_NOT_AUTHENTIC);
    expect(foreign.unprotect(bytes, 11 + TAG_BYTES[suite])).toBe(SRTP_MALFORMED);
    expect(foreign.unprotect(bytes, bytes.length + 1)).toBe(SRTP_MALFORMED);
    expect(sender.protect(new Uint8Array(172).fill(0x80), 172)).toBe(SRTP_MALFORMED);
  });

  it('keeps two SSRCs apart', () => {
    const { sender, receiver } = pair();
    const a = [1, 2].map((sequence) => protectedBy(sender, sequence, 1));
    const b = [1, 2].map((sequence) => protectedBy(sender, sequence, 2));
    for (const bytes of [...a, ...b]) expect(take(receiver, bytes)).toBe(172);
  });

  it('joins a stream whose counter is 1, and follows an SSRC change that keeps or resets the counter', () => {
    const { sender, receiver } = pair();
    const early = new SrtpSender(suite, MASTER, CRYPTO);
    for (let sequence = 0; sequence < 65_536 + 10; sequence += 1_000) protectedBy(early, sequence);
    expect(take(receiver, protectedBy(early, 65_536 + 20))).toBe(172);
    // Reset to 0, as RFC 3711 has it for a new SSRC.
    expect(take(receiver, protectedBy(sender, 50, 99))).toBe(172);
    // Kept at 1: a telephone that counts on.
    const keeping = new SrtpSender(suite, MASTER, CRYPTO);
    for (let sequence = 0; sequence < 65_536 + 100; sequence += 1_000) protectedBy(keeping, sequence, 77);
    expect(take(receiver, protectedBy(keeping, 65_536 + 100, 77))).toBe(172);
  });

  it('survives many SSRCs', () => {
    const { sender, receiver } = pair();
    for (let ssrc = 0; ssrc < 50; ssrc++) expect(take(receiver, protectedBy(sender, 5, ssrc))).toBe(172);
  });
});

describe('SRTCP', () => {
  const report = (): Uint8Array => {
    const bytes = new Uint8Array(32 + SRTCP_OVERHEAD);
    bytes.set(bytesOf('81c90007 00000001 00000002 00000003 00000004 00000005 00000006 00000007'));
    return bytes;
  };

  it('counts, refuses replay and change, and takes an unencrypted packet that is signed', () => {
    const sender = new SrtcpSender(MASTER, CRYPTO);
    const receiver = new SrtcpReceiver(MASTER, CRYPTO);
    for (let i = 0; i < 200; i++) {
      const bytes = report();
      expect(sender.protect(bytes, 32)).toBe(32 + SRTCP_OVERHEAD);
      const again = bytes.slice();
      const changed = bytes.slice();
      changed[20] = (changed[20] ?? 0) ^ 1;
      expect(receiver.unprotect(changed, 46)).toBe(SRTP_NOT_AUTHENTIC);
      expect(receiver.unprotect(bytes, 46)).toBe(32);
      expect(hexOf(bytes, 32)).toBe(hexOf(report(), 32));
      expect(receiver.unprotect(again, 46)).toBe(SRTP_REPLAYED);
    }
    expect(receiver.unprotect(report(), 21)).toBe(SRTP_MALFORMED);
    const plain = report();
    plain.set(bytesOf('00000fff'), 32);
    const signed = new Uint8Array(20);
    hmacSha1(derive(aesEcb, MASTER.subarray(0, 16), MASTER.subarray(16), 4, 20))(plain, 36, null, signed);
    plain.set(signed.subarray(0, 10), 36);
    expect(receiver.unprotect(plain, 46)).toBe(32);
    expect(hexOf(plain, 32)).toBe(hexOf(report(), 32));
  });
});

describe('a=crypto', () => {
  const line = { tag: 1, suite: 'AES_CM_128_HMAC_SHA1_80', keys: inlineKey(MASTER) };

  it('reads what it wrote, with or without a lifetime', () => {
    expect(MASTER).toHaveLength(MASTER_BYTES);
    expect(line.keys).toMatch(/^inline:[A-Za-z0-9+/]{40}$/);
    for (const keys of [line.keys, `${line.keys}|2^20`, `${line.keys}|1048576`]) {
      const read = readCrypto({ ...line, keys });
      expect(read).toEqual({ ok: true, value: { tag: 1, suite: line.suite, master: MASTER } });
    }
    expect(readCrypto({ ...line, suite: 'AES_CM_128_HMAC_SHA1_32', parameters: 'WSH=64' }).ok).toBe(true);
  });

  it.each([
    ['an MKI', { keys: `${line.keys}|2^20|1:4` }, 'Unsupported'],
    ['an MKI without lifetime', { keys: `${line.keys}|1:4` }, 'Unsupported'],
    ['several keys', { keys: `${line.keys}|2^20|1:4;${line.keys}|2^20|2:4` }, 'Unsupported'],
    ['another suite', { suite: 'AES_256_CM_HMAC_SHA1_80' }, 'Unsupported'],
    ['a suite named like a property', { suite: 'constructor' }, 'Unsupported'],
    ['unencrypted SRTP', { parameters: 'UNENCRYPTED_SRTP' }, 'Unsupported'],
    ['another method', { keys: 'uri:https://example.org/key' }, 'Unsupported'],
    ['a short key', { keys: 'inline:AAAA' }, 'Malformed'],
    ['no base64', { keys: `inline:${'*'.repeat(40)}` }, 'Malformed'],
  ])('passes over %s', (_, change, code) => {
    expect(readCrypto({ ...line, ...change })).toMatchObject({ ok: false, error: { code } });
  });

  it('answers each of 20,000 mutated lines, and takes keys of the right length alone', () => {
    const random = new NoiseSource(7);
    const below = (limit: number) => Math.floor(((random.next() + 1) / 2) * limit) % limit;
    const broken = (text: string): string => {
      const at = below(text.length + 1);
      const with_ = ['', '|', ':', ';', '=', '\u0000', 'é', 'inline:', '|2^20', 'A'.repeat(below(60))][
        below(10)
      ];
      return (
        text.slice(0, at) + with_ + text.slice(below(2) === 0 ? at : Math.min(text.length, at + below(8)))
      );
    };
    let good = 0;
    for (let round = 0; round < 20_000; round++) {
      const read = readCrypto({
        tag: 1,
        suite: below(4) === 0 ? broken(line.suite) : line.suite,
        keys: broken(line.keys),
        ...(below(3) === 0 && { parameters: broken('WSH=64') }),
      });
      if (!read.ok) expect(['Malformed', 'Unsupported']).toContain(read.error.code);
      else if (++good) expect(read.value.master).toHaveLength(MASTER_BYTES);
    }
    expect(good).toBeGreaterThan(500);
    expect(good).toBeLessThan(19_500);
  });
});
