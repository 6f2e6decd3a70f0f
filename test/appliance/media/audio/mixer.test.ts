import { describe, expect, it } from 'vitest';
import { applyGain, FRAME_SAMPLES, factorOf, Mixer, NoiseSource } from '#appliance/media/audio/index.ts';

const constant = (value: number): Int16Array => new Int16Array(FRAME_SAMPLES).fill(value);

describe('Mixer', () => {
  it('lets each hear the others and a listener hear all', () => {
    const [a, b, c] = [constant(1_000), constant(-300), constant(50)];
    const out = constant(0);
    const mixer = new Mixer();
    mixer.begin();
    for (const frame of [a, b, c]) mixer.add(frame);
    expect(mixer.talking).toBe(3);
    const detected = (own: Int16Array | null) => {
      expect(mixer.hear(own, out)).toBe(0);
      return new Set(out);
    };
    expect(detected(a)).toEqual(new Set([-250]));
    expect(detected(b)).toEqual(new Set([1_050]));
    expect(detected(null)).toEqual(new Set([750]));
  });

  it('saturates what is played, not the sum', () => {
    const loud = constant(30_000);
    const out = constant(0);
    const mixer = new Mixer();
    mixer.begin();
    mixer.add(loud);
    mixer.add(loud);
    mixer.add(constant(-29_000));
    expect(mixer.hear(null, out)).toBe(0);
    expect(out[0]).toBe(31_000);
    expect(mixer.hear(constant(-29_000), out)).toBe(FRAME_SAMPLES);
    expect(out[0]).toBe(32_767);
    mixer.begin();
    expect(mixer.hear(null, out)).toBe(0);
    expect(out[0]).toBe(0);
  });

  it('equals a reference in wide numbers for twenty noisy participants', () => {
    const noise = new NoiseSource(5);
    const frames = Array.from({ length: 20 }, () => {
      const frame = constant(0);
      noise.fill(frame, 0);
      return frame;
    });
    const mixer = new Mixer();
    mixer.begin();
    for (const frame of frames) mixer.add(frame);
    const out = constant(0);
    for (const own of frames) {
      const clipped = mixer.hear(own, out);
      const wanted = Array.from({ length: FRAME_SAMPLES }, (_, i) =>
        frames.reduce((sum, frame) => sum + (frame === own ? 0 : (frame[i] ?? 0)), 0),
      );
      expect([...out]).toEqual(wanted.map((value) => Math.max(-32_768, Math.min(32_767, value))));
      expect(clipped).toBe(wanted.filter((value) => value > 32_767 || value < -32_768).length);
    }
  });
});

describe('applyGain', () => {
  it('scales, rounds, saturates and counts', () => {
    const frame = Int16Array.of(1_000, -1_001, 20_000, -20_000, 3);
    expect(applyGain(frame, 2)).toBe(2);
    expect([...frame]).toEqual([2_000, -2_002, 32_767, -32_768, 6]);
    expect(applyGain(frame, factorOf(-6.0206))).toBe(0);
    expect([...frame]).toEqual([1_000, -1_001, 16_383, -16_384, 3]);
  });
});
