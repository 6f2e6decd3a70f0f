import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES, GSM_FRAME_BYTES, gsmCodec } from '#appliance/media/audio/index.ts';

const vector = (name: string): Uint8Array =>
  readFileSync(join(import.meta.dirname, '../../../vectors/media', name));
const samples = (name: string): Int16Array => {
  const bytes = vector(name);
  return Int16Array.from({ length: bytes.length / 2 }, (_, i) => {
    const value = (bytes[2 * i] ?? 0) | ((bytes[2 * i + 1] ?? 0) << 8);
    return (value << 16) >> 16;
  });
};

const decode = (frames: Uint8Array): Int16Array => {
  const out = new Int16Array((frames.length / GSM_FRAME_BYTES) * FRAME_SAMPLES);
  expect(gsmCodec().decode(frames, 0, frames.length, out)).toBe(out.length);
  return out;
};

describe('GSM full rate against libgsm', () => {
  it('encodes a mixed signal byte for byte', () => {
    const expected = vector('gsm-signal.gsm');
    const out = new Uint8Array(expected.length);
    expect(gsmCodec().encode(samples('gsm-signal.s16'), out, 0)).toBe(expected.length);
    expect(Buffer.from(out).equals(expected)).toBe(true);
  });

  it('encodes alike frame by frame', () => {
    const signal = samples('gsm-signal.s16');
    const expected = vector('gsm-signal.gsm');
    const codec = gsmCodec();
    const out = new Uint8Array(GSM_FRAME_BYTES + 3);
    for (let frame = 0; frame < signal.length / FRAME_SAMPLES; frame++) {
      const at = frame * FRAME_SAMPLES;
      codec.encode(signal.subarray(at, at + FRAME_SAMPLES), out, 3);
      const wanted = expected.subarray(frame * GSM_FRAME_BYTES, (frame + 1) * GSM_FRAME_BYTES);
      expect([...out.subarray(3)]).toEqual([...wanted]);
    }
  });

  it.each(['gsm-signal', 'gsm-random'])('decodes %s sample for sample', (name) => {
    expect([...decode(vector(`${name}.gsm`))]).toEqual([...samples(`${name}-decoded.s16`)]);
  });
});

describe('GSM frames that are none', () => {
  it('stops at a wrong signature and at a frame cut short', () => {
    const out = new Int16Array(3 * FRAME_SAMPLES);
    const frames = Uint8Array.from(vector('gsm-signal.gsm').subarray(0, 2 * GSM_FRAME_BYTES));
    expect(gsmCodec().decode(frames, 0, 2 * GSM_FRAME_BYTES - 1, out)).toBe(FRAME_SAMPLES);
    frames[GSM_FRAME_BYTES] = 0x05;
    expect(gsmCodec().decode(frames, 0, frames.length, out)).toBe(FRAME_SAMPLES);
    frames[0] = 0xc0;
    expect(gsmCodec().decode(frames, 0, frames.length, out)).toBe(0);
  });
});
