import { describe, expect, it } from 'vitest';
import { NoiseSource } from '#appliance/media/audio/index.ts';
import {
  mapChannels,
  modified,
  mp3Channels,
  mp3FrameBytes,
  mp3InfoFrame,
  relative,
  wavHeader,
  wavSettingOf,
} from '#appliance/media/recording/index.ts';

describe('the Info frame', () => {
  it('says how much follows and what is not sound', () => {
    // 3 s stereo: 24,000 samples need 43 frames, of which 576 + 192 samples are not sound.
    const frame = Buffer.from(mp3InfoFrame({ channels: 2, frames: 43, samples: 24_000 }));
    expect(frame.length).toBe(mp3FrameBytes(2));
    expect(frame.toString('latin1', 21, 25)).toBe('Info');
    expect([frame.readUInt32BE(29), frame.readUInt32BE(33)]).toEqual([43, 44 * 576]);
    const lame = 21 + 120;
    expect(frame.toString('latin1', lame, lame + 4)).toBe('LAME');
    expect(frame.readUIntBE(lame + 21, 3)).toBe((576 << 12) | 192);
  });

  it.each([1, 2] as const)('says how many channels there are: %d', (channels) => {
    const frame = mp3InfoFrame({ channels, frames: 0, samples: 0 });
    expect(frame.length).toBe(288 * channels);
    expect(mp3Channels(frame)).toBe(channels);
    expect(mp3Channels(frame.map((byte, at) => (at === 2 ? 0 : byte)))).toBeUndefined();
    expect(mp3Channels(new Uint8Array(4))).toBeUndefined();
  });
});

describe('heads of recordings that were damaged', () => {
  it('are answered, each of 20,000: what they are, or nothing', () => {
    const random = new NoiseSource(21);
    const below = (limit: number) => Math.floor(((random.next() + 1) / 2) * limit) % limit;
    const heads = [
      mp3InfoFrame({ channels: 1, frames: 9, samples: 4_000 }),
      mp3InfoFrame({ channels: 2, frames: 9, samples: 4_000 }),
      wavHeader({ format: 'pcm16', channels: 2, sampleRate: 8_000 }, 500),
      wavHeader({ format: 'alaw', channels: 1, sampleRate: 8_000 }, 500),
    ];
    let known = 0;
    for (let round = 0; round < 20_000; round++) {
      const head = heads[below(4)] ?? new Uint8Array();
      const bytes = Uint8Array.from(head.subarray(0, below(3) === 0 ? below(head.length + 1) : head.length));
      for (let flips = below(4); flips > 0; flips--) bytes[below(Math.min(60, bytes.length))] = below(256);
      const [channels, setting] = [mp3Channels(bytes), wavSettingOf(bytes)];
      if (channels !== undefined) expect([1, 2]).toContain(channels);
      if (setting !== undefined) expect(setting.channels).toBeGreaterThan(0);
      if (channels !== undefined || setting !== undefined) known++;
    }
    expect(known).toBeGreaterThan(1_000);
    expect(known).toBeLessThan(19_500);
  });
});

describe('the head of a WAV file of ours', () => {
  it.each([
    { format: 'pcm16', channels: 2, sampleRate: 8_000 },
    { format: 'alaw', channels: 1, sampleRate: 8_000 },
  ] as const)('is known again: %o', (setting) => {
    expect(wavSettingOf(wavHeader(setting, 12_345))).toEqual(setting);
  });

  it('is not taken for another', () => {
    expect(wavSettingOf(new Uint8Array(10))).toBeUndefined();
    const header = wavHeader({ format: 'pcm16', channels: 2, sampleRate: 8_000 }, 0);
    for (const at of [0, 8, 16, 32]) {
      expect(wavSettingOf(header.map((byte, index) => (index === at ? byte ^ 1 : byte)))).toBeUndefined();
    }
  });
});

describe('the channels of a recording', () => {
  it('follow the layout', () => {
    expect(mapChannels('a/b.wav', 'perSide', 2)).toEqual({
      ok: true,
      value: [{ file: 'a/b.wav', format: 'wav', channels: [[0], [1]] }],
    });
    expect(mapChannels('b.mp3', 'mixed', 3)).toEqual({
      ok: true,
      value: [{ file: 'b.mp3', format: 'mp3', channels: [[0, 1, 2]] }],
    });
    expect(mapChannels('a.b.MP3', 'perParticipant', 2)).toEqual({
      ok: true,
      value: [
        { file: 'a.b-1.MP3', format: 'mp3', channels: [[0]] },
        { file: 'a.b-2.MP3', format: 'mp3', channels: [[1]] },
      ],
    });
  });

  it.each([
    ['call.ogg', 1],
    ['call', 1],
    ['call.mp3', 3],
    ['call.wav', 0],
    ['call.wav', 33],
  ])('are refused for %s with %d participants', (file, inputs) => {
    expect(mapChannels(file, 'perSide', inputs)).toMatchObject({ ok: false, error: { code: 'Unsupported' } });
  });
});

describe('editing', () => {
  const second = Int16Array.from({ length: 8_000 }, (_, i) => i + 1);

  it('masks every channel and cuts on the axis of the original', () => {
    const [left, right] = modified([second, second], { mask: { from: 500, to: 600 }, trim: { from: 250 } });
    expect([left?.length, left?.[0], left?.[1_999], left?.[2_000], left?.[2_799], left?.[2_800]]).toEqual([
      6_000, 2_001, 4_000, 0, 0, 4_801,
    ]);
    expect(right).toEqual(left);
    expect(second[4_000]).toBe(4_001);
  });

  it('stays inside the recording', () => {
    expect(modified([second], { trim: { from: -50, to: 90_000 } })[0]).toEqual(second);
    expect(modified([second], { trim: { from: 700, to: 200 } })[0]).toHaveLength(0);
    expect(modified([second], { mask: {} })[0]?.every((sample) => sample === 0)).toBe(true);
  });

  it('reads absolute times', () => {
    const asked = { absoluteTimes: true, trim: { from: 1_700_000_001_000 }, mask: { to: 1_700_000_002_500 } };
    expect(relative(asked, 1_700_000_000_000)).toEqual({ trim: { from: 1_000 }, mask: { to: 2_500 } });
    expect(relative({ trim: { from: 5 } }, 1_700_000_000_000)).toEqual({ trim: { from: 5 } });
  });
});
