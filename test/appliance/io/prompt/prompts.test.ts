import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPrompts } from '#appliance/io/prompt/index.ts';
import { pcma, pcmu } from '#appliance/media/audio/index.ts';
import type { Prompts } from '#appliance/media/prompt/index.ts';
import { wavHeader } from '#appliance/media/recording/index.ts';
import { detectedIn, mp3Of, sine, wavOf } from './sound.ts';

const vector = (name: string) => readFileSync(join(import.meta.dirname, '../../../vectors/media', name));
const go = new AbortController().signal;
let folder: string;
let prompts: Prompts;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-prompt-'));
  prompts = await openPrompts({ voices: { espeak: null } });
});
afterAll(async () => {
  await prompts.close();
  rmSync(folder, { recursive: true, force: true });
});

const fromBytes = (bytes: Uint8Array, name = 'hello.wav') =>
  prompts.prepare({ kind: 'bytes', name, bytes: new Uint8Array(bytes) }, go);
async function made(bytes: Uint8Array) {
  const prepared = await fromBytes(bytes);
  if (!prepared.ok) throw new Error(prepared.error.reason);
  return prepared.value.prompt;
}

describe('sound as 8 kHz mono with both laws', () => {
  it.each([8_000, 11_025, 16_000, 22_050, 44_100, 48_000])('from WAV of %d Hz', async (rate) => {
    const prompt = await made(wavOf(sine(1_000, 1.5, rate), rate, 2));
    expect(prompt.samples).toBe(12_000);
    const { hz, peak } = detectedIn(prompt);
    expect(Math.abs(hz - 1_000)).toBeLessThan(2);
    expect(Math.abs(peak - 8_000)).toBeLessThan(80);
    const pcm = new Int16Array(prompt.pcm);
    const bytes = new Uint8Array(prompt.samples);
    pcma.encode(pcm, bytes, 0);
    expect(Buffer.from(prompt.alaw).equals(bytes)).toBe(true);
    pcmu.encode(pcm, bytes, 0);
    expect(Buffer.from(prompt.ulaw).equals(bytes)).toBe(true);
  });

  it('from MP3, OGG Vorbis and OGG Opus, whatever they are called', async () => {
    const files = [
      await mp3Of(sine(1_000, 1.5, 8_000)),
      vector('prompt-vorbis.ogg'),
      vector('prompt-opus.ogg'),
    ];
    for (const bytes of files) {
      const prompt = await made(bytes);
      expect(Math.abs(prompt.samples - 12_000)).toBeLessThan(2_400);
      const { hz, peak } = detectedIn(prompt);
      expect(Math.abs(hz - 1_000)).toBeLessThan(3);
      expect(peak).toBeGreaterThan(2_500);
    }
  });

  it('from channels that say different things: their mean', async () => {
    const bytes = wavOf(new Int16Array(8_000), 8_000, 2);
    for (let i = 0; i < 8_000; i++) bytes.writeInt16LE(i % 2 === 0 ? 6_000 : -6_000, 44 + 4 * i);
    const pcm = new Int16Array((await made(bytes)).pcm);
    expect([pcm[100], pcm[101]]).toEqual([3_000, -3_000]);
  });

  it('from a WAV whose head promises more than is there: what is there', async () => {
    const bytes = wavOf(sine(500, 1, 8_000), 8_000);
    bytes.writeUInt32LE(0xffff_fff0, 40);
    expect((await made(bytes)).samples).toBe(8_000);
  });
});

describe('a refused prompt', () => {
  it.each<[string, Uint8Array, RegExp]>([
    ['4 bytes', Buffer.from('abcd'), /hello\.wav holds 4 bytes that are no sound; WAV, MP3 and OGG/],
    ['nothing', Buffer.alloc(0), /hello\.wav is empty/],
    ['text', Buffer.from('<html>not found</html>'.repeat(20)), /no sound/],
    ['a WAV without samples', wavOf(new Int16Array(0), 8_000), /holds no sound/],
    [
      'a WAV cut in its head',
      wavOf(new Int16Array(100), 8_000).subarray(0, 30),
      /format of the WAVE file is cut/,
    ],
    ['a WAV that contradicts itself', lying(), /contradicts itself/],
    ['an OGG of another codec', ogg('\u007fFLAC'), /another codec than Vorbis or Opus/],
    ['an OGG that stops', vector('prompt-vorbis.ogg').subarray(0, 90), /hello\.wav/],
    [
      'the head of an MP3 and no more',
      Buffer.from([0xff, 0xf3, 0x44, 0xc4, 0, 0]),
      /hello\.wav holds no sound/,
    ],
  ])('%s', async (_, bytes, reason) => {
    const prepared = await fromBytes(bytes);
    expect(prepared).toMatchObject({ ok: false, error: { code: 'Unreadable' } });
    expect(!prepared.ok && prepared.error.reason).toMatch(reason);
  });

  it('three hours of sound', async () => {
    const head = wavHeader({ format: 'alaw', channels: 1, sampleRate: 1_000 }, 10_800_000);
    const prepared = await fromBytes(Buffer.concat([head, Buffer.alloc(10_800_000, 0xd5)]));
    expect(prepared).toMatchObject({ ok: false, error: { code: 'TooLong' } });
    expect(!prepared.ok && prepared.error.reason).toMatch(/longer than 120 minutes; shorten it/);
  });

  it('a file above 50 MiB, a folder, nothing', async () => {
    const large = join(folder, 'large.wav');
    writeFileSync(large, 'RIFF');
    truncateSync(large, 50 * 1024 * 1024 + 1);
    const codes = [];
    for (const path of [large, folder, join(folder, 'gone.wav')]) {
      const prepared = await prompts.prepare({ kind: 'file', path }, go);
      codes.push(prepared.ok || prepared.error.code);
    }
    expect(codes).toEqual(['TooLarge', 'NotFound', 'NotFound']);
  });
});

describe('the cache', () => {
  it('gives a file again until it changes', async () => {
    const path = join(folder, 'greeting.wav');
    writeFileSync(path, wavOf(sine(500, 1, 8_000), 8_000));
    const first = await prompts.prepare({ kind: 'file', path }, go);
    const again = await prompts.prepare({ kind: 'file', path }, go);
    expect([first.ok && first.value.cacheHit, again.ok && again.value.cacheHit]).toEqual([false, true]);
    expect(again.ok && again.value.prompt).toBe(first.ok && first.value.prompt);
    writeFileSync(path, wavOf(sine(500, 2, 8_000), 8_000));
    const changed = await prompts.prepare({ kind: 'file', path }, go);
    expect(changed.ok && [changed.value.cacheHit, changed.value.prompt.samples]).toEqual([false, 16_000]);
    rmSync(path);
    const lost = await prompts.prepare({ kind: 'file', path }, go);
    expect(lost).toMatchObject({ ok: false, error: { code: 'NotFound' } });
  });

  it('makes the same prompt once for those who want it at the same time', async () => {
    const path = join(folder, 'shared.wav');
    writeFileSync(path, wavOf(sine(500, 1, 44_100), 44_100));
    const lost = new AbortController();
    const wanted = [go, go, lost.signal].map((signal) => prompts.prepare({ kind: 'file', path }, signal));
    lost.abort();
    const [one, two, three] = await Promise.all(wanted);
    expect(one?.ok && two?.ok && one.value.prompt === two.value.prompt).toBe(true);
    expect(three).toMatchObject({ ok: false, error: { code: 'Stopped' } });
  });
});

describe('the embedded voice', () => {
  it('speaks English, and the second time from memory', async () => {
    const speech = { kind: 'tts', text: 'Your alarm has been received.', lang: 'en-GB' } as const;
    const first = await prompts.prepare(speech, go);
    if (!first.ok) throw new Error(first.error.reason);
    expect(first.value.spoken).toMatchObject({ engine: 'embedded', voice: 'awb' });
    expect(first.value.prompt.samples).toBeGreaterThan(8_000);
    expect(first.value.prompt.samples).toBeLessThan(32_000);
    expect(detectedIn(first.value.prompt).peak).toBeGreaterThan(3_000);
    const again = await prompts.prepare(speech, go);
    expect(again.ok && again.value).toEqual({ prompt: first.value.prompt, cacheHit: true });
  });

  it('reads no other language, and says what to do', async () => {
    const prepared = await prompts.prepare({ kind: 'tts', text: 'Hej', lang: 'sv' }, go);
    expect(prepared).toMatchObject({ ok: false, error: { code: 'NoVoice' } });
    expect(!prepared.ok && prepared.error.reason).toMatch(/No voice speaks sv .*install espeak-ng/);
  });

  it.each([
    ['', /nothing that can be spoken/],
    ['... !', /nothing that can be spoken/],
    ['word '.repeat(2_001), /10005 characters; at most 10000/],
  ])('refuses %j', async (text, reason) => {
    const prepared = await prompts.prepare({ kind: 'tts', text: text.slice(0, 10_005), lang: 'en' }, go);
    expect(prepared).toMatchObject({ ok: false, error: { code: 'Refused' } });
    expect(!prepared.ok && prepared.error.reason).toMatch(reason);
  });
});

describe('the thread', () => {
  it('may die: the waiting requests are answered, and the next prompt is made by another', async () => {
    const own = await openPrompts({ voices: { espeak: null } });
    const waiting = own.prepare(
      { kind: 'tts', text: 'Some words to say. And more of them.', lang: 'en' },
      go,
    );
    await own.crash();
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'Lost' } });
    const bytes = new Uint8Array(wavOf(sine(500, 1, 8_000), 8_000));
    expect(await own.prepare({ kind: 'bytes', name: 'a', bytes }, go)).toMatchObject({ ok: true });
    await own.close();
    expect(await own.prepare({ kind: 'bytes', name: 'a', bytes }, go)).toMatchObject({
      ok: false,
      error: { code: 'Lost' },
    });
  });
});

function lying(): Buffer {
  const bytes = wavOf(new Int16Array(100), 8_000);
  bytes.writeUInt16LE(9, 32);
  return bytes;
}

function ogg(packet: string): Buffer {
  const page = Buffer.alloc(28 + packet.length);
  page.write('OggS', 0, 'latin1');
  page[26] = 1;
  page[27] = packet.length;
  page.write(packet, 28, 'latin1');
  return page;
}
