import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPrompts } from '#appliance/io/prompt/index.ts';
import { dbm0OfPower } from '#appliance/media/audio/index.ts';
import type { Prompts } from '#appliance/media/prompt/index.ts';

/** espeak-ng speaks the languages that are needed, soon, through our own chain. */
const go = new AbortController().signal;
const SENTENCES = {
  sv: 'Ditt larm har tagits emot.',
  en: 'Your alarm has been received.',
  de: 'Ihr Alarm ist eingegangen.',
  fi: 'Hälytyksesi on vastaanotettu.',
  nb: 'Alarmen din er mottatt.',
  da: 'Din alarm er modtaget.',
  nl: 'Uw alarm is ontvangen.',
  fr: 'Votre alarme a été reçue.',
} as const;

let prompts: Prompts;
beforeAll(async () => {
  prompts = await openPrompts();
});
afterAll(() => prompts.close());

describe('espeak-ng', () => {
  it.each(Object.entries(SENTENCES))('speaks %s', async (lang, text) => {
    const prepared = await prompts.prepare({ kind: 'tts', text, lang }, go);
    if (!prepared.ok) throw new Error(prepared.error.reason);
    const { prompt, spoken, cacheHit } = prepared.value;
    expect([spoken?.engine, cacheHit]).toEqual(['espeak', false]);
    expect(prompt.samples / 8_000).toBeGreaterThan(1);
    expect(prompt.samples / 8_000).toBeLessThan(5);
    const samples = new Int16Array(prompt.pcm);
    const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
    expect(dbm0OfPower(power)).toBeGreaterThan(-30);
  });

  it('obeys SSML and the speed', async () => {
    const seconds = async (text: string, more: object) => {
      const prepared = await prompts.prepare({ kind: 'tts', text, lang: 'en', ...more }, go);
      if (!prepared.ok) throw new Error(prepared.error.reason);
      return prepared.value.prompt.samples / 8_000;
    };
    const plain = await seconds('Press one or two now, please.', {});
    const paused = await seconds('<speak>Press one<break time="2s"/>or two now, please.</speak>', {
      ssml: true,
    });
    expect(paused).toBeGreaterThan(plain + 1);
    expect(await seconds('Press one or two now, please.', { rate: 2 })).toBeLessThan(0.75 * plain);
  });

  it('speaks thirty sentences at once, two at a time', async () => {
    const all = Array.from({ length: 30 }, (_, i) =>
      prompts.prepare({ kind: 'tts', text: `Larm nummer ${i}.`, lang: 'sv' }, go),
    );
    expect((await Promise.all(all)).every(({ ok }) => ok)).toBe(true);
  });
});
