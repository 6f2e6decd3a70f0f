import { describe, expect, it } from 'vitest';
import {
  dtmf,
  hearFile,
  render,
  silence,
  stmf,
  type ToneSegment,
  tone,
} from '#appliance/media/dtmf/index.ts';
import { writeWav } from '#appliance/media/recording/index.ts';

const segments = (made: ReturnType<typeof dtmf>): readonly ToneSegment[] => {
  if (!made.ok) throw new Error(made.error.reason);
  return made.value;
};
const file = (...channels: (readonly ToneSegment[])[]): Uint8Array => {
  const rendered = channels.map(render);
  const length = Math.max(...rendered.map((each) => each.length));
  return writeWav(
    rendered.map((each) => {
      const whole = new Int16Array(length);
      whole.set(each);
      return whole;
    }),
    { sampleRate: 8_000 },
  );
};
const detectedIn = (bytes: Uint8Array, profile: 'alarm' | 'ivr') => {
  const detected = hearFile(bytes, profile);
  if (!detected.ok) throw new Error(detected.error.reason);
  return detected.value;
};

describe('a file of digits', () => {
  it('has digits with their times and the level of the louder tone', () => {
    const [first, second] = detectedIn(file([silence(200), ...segments(dtmf('1#'))]), 'ivr');
    expect([first, second]).toMatchObject([{ digit: '1' }, { digit: '#' }]);
    expect(Math.abs((first?.startMs ?? 0) - 200)).toBeLessThan(5);
    expect(Math.abs((first?.durationMs ?? 0) - 80)).toBeLessThan(5);
    expect(Math.abs((first?.levelDbm0 ?? 0) + 7)).toBeLessThan(0.5);
    expect(Object.keys(first ?? {})).toEqual(['digit', 'startMs', 'durationMs', 'levelDbm0']);
  });

  it('has single tones in the alarm profile only, also one that sounds until the end', () => {
    const bytes = file([
      tone(1_400, 100),
      silence(100),
      tone(2_300, 100),
      ...segments(stmf('5')),
      tone(1_850, 200),
    ]);
    expect(
      detectedIn(bytes, 'alarm').map((each) => ('frequency' in each ? each.frequency : each.digit)),
    ).toEqual([...[1_400, 2_300, 770, 1_336, 1_850]]);
    expect(detectedIn(bytes, 'ivr')).toEqual([]);
  });

  it('is read channel by channel', () => {
    const bytes = file([...segments(dtmf('1'))], [silence(100), ...segments(dtmf('2'))]);
    expect(detectedIn(bytes, 'alarm')).toMatchObject([
      { digit: '1', channel: 1 },
      { digit: '2', channel: 2 },
    ]);
  });

  it('has nothing when it is no WAV file', () => {
    expect(hearFile(new Uint8Array(4), 'alarm')).toMatchObject({ ok: false, error: { code: 'Malformed' } });
  });
});
