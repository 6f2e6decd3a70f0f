import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedProvider } from '#appliance/io/tts/embedded.ts';
import type { TtsProvider } from '#appliance/io/tts/provider.ts';
import type { Voice } from '#appliance/media/prompt/index.ts';
import { leanVoice, VOICE, withoutRange } from '#installer/build/voice.ts';

/** Most sounds of English, numbers, an abbreviation, and a word that no dictionary has. */
const TEXT = 'The quick brown fox jumps over Mrs. Zyxquist at 10:45, measuring her joyous voice.';

describe('the embedded voice as it travels', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-voice-test-'));
  const [whole, lean] = [VOICE, join(folder, 'lean.wasm')];
  beforeAll(() => writeFileSync(lean, leanVoice(readFileSync(VOICE))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is half as long', () => {
    expect(readFileSync(lean).length).toBeLessThan(readFileSync(whole).length * 0.51);
  });

  test('speaks as before with each of its voices', async () => {
    const [before, after] = [embeddedProvider(whole), embeddedProvider(lean)];
    const said = async (provider: TtsProvider, voice: Voice): Promise<Buffer[]> => {
      const utterance = { text: TEXT, voice, rate: 1, ssml: false };
      const pieces: Buffer[] = [];
      for await (const { samples } of provider.speak(utterance, AbortSignal.timeout(20_000)))
        pieces.push(Buffer.from(samples.buffer));
      return pieces;
    };
    for (const voice of before.voices) {
      const spoken = await said(before, voice);
      expect(spoken.length).toBeGreaterThan(0);
      expect(await said(after, voice), voice.id).toEqual(spoken);
    }
  });

  test('is refused when it is another build', () => {
    const other = Buffer.from(readFileSync(VOICE));
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
    expect(() => leanVoice(other)).toThrow(/another build/);
  });

  test('lacks the range in its memory, at whichever edge of a segment it begins', () => {
    const head = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
    const memory = [5, 3, 1, 0, 1];
    const data = [11, 12, 1, 0, 0x41, 0x80, 1, 0x0b, 5, 1, 2, 3, 4, 5];
    const module = Uint8Array.from([...head, ...memory, ...data, 0, 2, 1, 0x78]);
    const segments = (from: number, to: number): string =>
      withoutRange(module, { from, to }).subarray(13).toString('hex');
    expect(segments(0, 1)).toBe('0b0c0100418001 0b050102030405'.replaceAll(' ', ''));
    expect(segments(129, 131)).toBe('0b100200418001 0b0101 00418301 0b020405'.replaceAll(' ', ''));
    expect(segments(100, 131)).toBe('0b090100418301 0b020405'.replaceAll(' ', ''));
    expect(segments(130, 900)).toBe('0b0901 00418001 0b020102'.replaceAll(' ', ''));
  });
});
