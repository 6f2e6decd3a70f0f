import { describe, expect, it } from 'vitest';
import { NoiseSource, pcma } from '#appliance/media/audio/index.ts';
import {
  readWav,
  wavHeader,
  wavHeaderBytes,
  writeWav,
  writeWavSamples,
} from '#appliance/media/recording/index.ts';

const LEFT = Int16Array.of(0, 1, -1, 32_767, -32_768);
const RIGHT = Int16Array.of(100, 200, 300);

const read = (bytes: Uint8Array) => {
  const wav = readWav(bytes);
  if (!wav.ok) throw new Error(wav.error.reason);
  return wav.value;
};

/** A file put together by hand. */
function file(
  format: readonly number[],
  data: Uint8Array,
  before: readonly (readonly [string, Uint8Array])[] = [],
): Uint8Array {
  const chunk = (name: string, body: Uint8Array) => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(body.length);
    return Buffer.concat([Buffer.from(name), size, body, Buffer.alloc(body.length % 2)]);
  };
  const chunks = [
    ...before.map(([name, body]) => chunk(name, body)),
    chunk('fmt ', Uint8Array.from(format)),
    chunk('data', data),
  ];
  return Uint8Array.from(Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), ...chunks]));
}
const word = (value: number) => [value & 0xff, (value >> 8) & 0xff];
const long = (value: number) => [...word(value & 0xffff), ...word(value >>> 16)];
const format = (tag: number, channels: number, rate: number, bits: number) => [
  ...word(tag),
  ...word(channels),
  ...long(rate),
  ...long((rate * channels * bits) / 8),
  ...word((channels * bits) / 8),
  ...word(bits),
];

describe('WAV', () => {
  it('writes the header everybody knows', () => {
    const header = Buffer.from(wavHeader({ format: 'pcm16', channels: 2, sampleRate: 8_000 }, 320));
    expect(header.toString('hex')).toBe(
      `${'52494646'}64010000${'57415645'}${'666d7420'}10000000${'0100'}0200401f0000007d00000400${'1000'}${'64617461'}40010000`,
    );
    expect(header.length).toBe(wavHeaderBytes('pcm16'));
  });

  it('reads what it wrote, channels filled to the same length', () => {
    expect(read(writeWav([LEFT], { sampleRate: 16_000 }))).toEqual({ sampleRate: 16_000, channels: [LEFT] });
    expect(read(writeWav([LEFT, RIGHT]))).toEqual({
      sampleRate: 8_000,
      channels: [LEFT, Int16Array.of(100, 200, 300, 0, 0)],
    });
    expect(read(writeWav([new Int16Array(0)])).channels).toEqual([new Int16Array(0)]);
  });

  it('writes A-law with its fact chunk, padded to even length', () => {
    const bytes = writeWav([LEFT], { format: 'alaw' });
    expect(bytes.length).toBe(58 + 6);
    expect(Buffer.from(bytes.subarray(38, 50)).toString('latin1')).toBe('fact\x04\0\0\0\x05\0\0\0');
    const codes = new Uint8Array(5);
    pcma.encode(LEFT, codes, 0);
    expect([...bytes.subarray(58, 63)]).toEqual([...codes]);
    const decoded = new Int16Array(5);
    pcma.decode(codes, 0, 5, decoded);
    expect(read(bytes).channels).toEqual([decoded]);
  });

  it('writes samples into memory that is there', () => {
    const target = new Uint8Array(10).fill(9);
    expect(writeWavSamples([Int16Array.of(0x0102), Int16Array.of(-2)], 'pcm16', target, 3)).toBe(4);
    expect([...target]).toEqual([9, 9, 9, 2, 1, 0xfe, 0xff, 9, 9, 9]);
  });

  it.each([
    { name: '8 bits', tag: 1, bits: 8, data: [0, 128, 255], samples: [-32_768, 0, 32_512] },
    { name: '24 bits', tag: 1, bits: 24, data: [9, 0x34, 0x12, 0, 0, 0x80], samples: [0x1234, -32_768] },
    { name: '32 bits', tag: 1, bits: 32, data: [9, 9, 0x34, 0x12], samples: [0x1234] },
    { name: 'mu-law', tag: 7, bits: 8, data: [0xff, 0x80, 0x00], samples: [0, 32_124, -32_124] },
  ])('reads $name', ({ tag, bits, data, samples }) => {
    expect([...(read(file(format(tag, 1, 8_000, bits), Uint8Array.from(data))).channels[0] ?? [])]).toEqual(
      samples,
    );
  });

  it('reads floats and saturates them', () => {
    const data = Buffer.alloc(16);
    for (const [index, value] of [0.5, -1, 2, Number.NaN].entries()) data.writeFloatLE(value, 4 * index);
    expect([...(read(file(format(3, 1, 48_000, 32), data)).channels[0] ?? [])]).toEqual([
      16_384, -32_768, 32_767, 0,
    ]);
  });

  it('reads the extensible form and passes over other chunks', () => {
    const guid = [...word(1), 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];
    const extensible = [...format(0xfffe, 2, 44_100, 16), ...word(22), ...word(16), ...long(3), ...guid];
    const bytes = file(extensible, Uint8Array.from([1, 0, 2, 0]), [['LIST', Uint8Array.of(1, 2, 3)]]);
    expect(read(bytes)).toEqual({ sampleRate: 44_100, channels: [Int16Array.of(1), Int16Array.of(2)] });
  });

  it('reads a recording that was cut off, and a stream that did not know its length', () => {
    const whole = writeWav([Int16Array.from({ length: 100 }, (_, i) => i)]);
    expect(read(whole.subarray(0, 44 + 61)).channels[0]).toHaveLength(30);
    const streamed = whole.slice();
    streamed.fill(0xff, 40, 44);
    expect(read(streamed).channels[0]).toHaveLength(100);
  });

  it.each([
    ['nothing', new Uint8Array(0), 'Malformed'],
    ['another file', Uint8Array.from(Buffer.from('RIFF\0\0\0\0AVI LIST')), 'Malformed'],
    ['no samples', writeWav([LEFT]).subarray(0, 36), 'Malformed'],
    ['no channel', file(format(1, 0, 8_000, 16), new Uint8Array(2)), 'Malformed'],
    ['no rate', file(format(1, 1, 0, 16), new Uint8Array(2)), 'Malformed'],
    ['a format cut short', file([1, 0, 1, 0], new Uint8Array(2)), 'Malformed'],
    ['an extension cut short', file(format(0xfffe, 1, 8_000, 16), new Uint8Array(2)), 'Malformed'],
    [
      'a sample size that contradicts',
      file([...format(1, 1, 8_000, 16).slice(0, 12), 3, 0, 16, 0], new Uint8Array(2)),
      'Malformed',
    ],
    ['GSM in WAVE', file(format(49, 1, 8_000, 8), new Uint8Array(2)), 'Unsupported'],
    ['12 bits', file(format(1, 1, 8_000, 12), new Uint8Array(2)), 'Unsupported'],
  ])('refuses %s', (_, bytes, code) => {
    expect(readWav(bytes)).toMatchObject({ ok: false, error: { code } });
  });

  it('answers each of 20,000 mutated headers', () => {
    const random = new NoiseSource(12);
    const chance = (limit: number) => Math.floor(((random.next() + 1) / 2) * limit) % limit;
    const original = file(format(1, 2, 8_000, 16), new Uint8Array(64), [['LIST', new Uint8Array(6)]]);
    let good = 0;
    for (let round = 0; round < 20_000; round++) {
      const bytes = original.slice(0, chance(3) === 0 ? chance(original.length + 1) : original.length);
      for (let flips = chance(3); flips >= 0; flips--) bytes[chance(60)] = chance(256);
      if (readWav(bytes).ok) good++;
    }
    expect(good).toBeGreaterThan(500);
    expect(good).toBeLessThan(19_500);
  });
});
