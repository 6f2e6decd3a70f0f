import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPrompts } from '#appliance/io/prompt/index.ts';
import { NoiseSource } from '#appliance/media/audio/index.ts';
import type { Speech } from '#appliance/media/prompt/index.ts';

/** A voice that talks; its pitch and manner come with its name. */
interface Talker {
  readonly engine: 'espeak' | 'embedded';
  readonly lang: string;
  readonly voice: string;
  readonly rate: number;
}

const espeak = (lang: string, voice: string, rate = 1): Talker => ({ engine: 'espeak', lang, voice, rate });
const flite = (voice: string): Talker => ({ engine: 'embedded', lang: 'en', voice, rate: 1 });

/** Ten voices of espeak-ng in ten tongues and four of flite. */
const TALKERS: readonly Talker[] = [
  espeak('sv', 'sv'),
  espeak('en', 'en-gb'),
  espeak('en', 'en-us', 1.2),
  espeak('de', 'de'),
  espeak('fi', 'fi'),
  espeak('nb', 'nb', 0.9),
  espeak('da', 'da'),
  espeak('nl', 'nl'),
  espeak('fr', 'fr-fr'),
  espeak('es', 'es', 1.1),
  ...['slt', 'kal', 'awb', 'rms'].map(flite),
];

const ONSETS = [
  'b',
  'd',
  'f',
  'g',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'st',
  'tr',
  'kl',
  'sp',
  'br',
  '',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ei', 'au', 'ie', 'oo', 'ea'];
const ENDS = ['', '', 'n', 'r', 's', 't', 'l', 'm', 'nd', 'rt', 'ck'];
const WORDS = (
  'help alarm my mother fell in the kitchen please send somebody I cannot get up yes no hello who is there the door is open ' +
  'nine five seven three telephone number street hospital doctor medicine tonight breathing water fire smoke window'
).split(' ');

/**
 * A voice talks for so many seconds: known words and invented ones, so that no sentence comes twice and every sound does.
 * The same seed says the same. Made once, then kept in the temporary folder of the machine.
 */
export async function talk(
  seconds: number,
): Promise<readonly { readonly name: string; readonly samples: Int16Array }[]> {
  const folder = join(tmpdir(), 'carillon-talk');
  mkdirSync(folder, { recursive: true });
  const each = seconds / TALKERS.length;
  const prompts = await openPrompts({ cacheBytes: 0 });
  try {
    const spoken = [];
    for (const [index, talker] of TALKERS.entries()) {
      const name = `${talker.engine} ${talker.voice} ${talker.rate}`;
      const print = createHash('sha256')
        .update(JSON.stringify([talker, each, 1]))
        .digest('hex')
        .slice(0, 16);
      const file = join(folder, `${print}.raw`);
      if (!existsSync(file)) {
        const samples = await speechOf(talker, index, each, async (speech) => {
          const prepared = await prompts.prepare(speech, new AbortController().signal);
          if (!prepared.ok) throw new Error(`${name}: ${prepared.error.reason}`);
          if (prepared.value.spoken?.engine !== talker.engine)
            throw new Error(`${talker.engine} did not speak`);
          return new Int16Array(prepared.value.prompt.pcm);
        });
        writeFileSync(`${file}.part`, new Uint8Array(samples.buffer));
        renameSync(`${file}.part`, file);
      }
      spoken.push({ name, samples: new Int16Array(new Uint8Array(readFileSync(file)).buffer) });
    }
    return spoken;
  } finally {
    await prompts.close();
  }
}

async function speechOf(
  { engine, lang, voice, rate }: Talker,
  seed: number,
  seconds: number,
  say: (speech: { kind: 'tts' } & Speech) => Promise<Int16Array>,
): Promise<Int16Array> {
  const samples = new Int16Array(Math.ceil(seconds * 8_000));
  const random = new NoiseSource(seed * 31 + 7);
  for (let at = 0; at < samples.length; ) {
    const text = sentence(random);
    const said = await say({ kind: 'tts', text, lang, voice, engine, rate });
    samples.set(said.subarray(0, samples.length - at), at);
    at += said.length;
  }
  return samples;
}

function sentence(random: NoiseSource): string {
  const pick = (list: readonly string[]): string =>
    list[Math.floor(((random.next() + 1) / 2) * list.length) % list.length] ?? '';
  const invented = () =>
    Array.from(
      { length: 1 + Math.floor((random.next() + 1) * 1.3) },
      () => pick(ONSETS) + pick(VOWELS) + pick(ENDS),
    ).join('');
  const words = Array.from({ length: 14 }, () => (random.next() > 0.2 ? pick(WORDS) : invented()));
  return `${words.slice(0, 7).join(' ')}, ${words.slice(7).join(' ')}${random.next() > 0.6 ? '?' : '.'}`;
}
