import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Limiter } from '#shared/limiter.ts';
import type { Voice } from '../../media/prompt/index.ts';
import type { TtsProvider } from './provider.ts';
import { soundOfProgram } from './speaking-process.ts';
import { wavPieces } from './wav-stream.ts';

/** Chosen: processes at once; each speaks some hundred times faster than one listens. */
const AT_ONCE = 2;
const SAMPLE_RATE = 22_050;
/** Words per minute at rate 1, and what the program takes. */
const [USUAL, SLOWEST, FASTEST] = [175, 80, 450];

/**
 * espeak-ng, when it is installed: many languages, offline. A process per utterance; the program is GPL and stays one of its
 * own. Undefined when it is not there.
 */
export async function espeakProvider(program = 'espeak-ng'): Promise<TtsProvider | undefined> {
  const voices = await voicesOf(program);
  if (voices.length === 0) return undefined;
  const limiter = new Limiter(AT_ONCE);
  return {
    id: 'espeak',
    voices,
    readsSsml: true,
    async *speak({ text, voice, rate, ssml }, signal) {
      const leave = await limiter.enter(signal);
      const speed = Math.round(Math.min(FASTEST, Math.max(SLOWEST, USUAL * rate)));
      // -b 1: the text is UTF-8. Voices come from the program's own list, never from a request.
      const args = ['--stdin', '--stdout', '-b', '1', '-v', voice.id, '-s', String(speed)];
      try {
        yield* wavPieces(soundOfProgram(program, ssml ? [...args, '-m'] : args, text, signal));
      } finally {
        leave();
      }
    },
  };
}

/**
 * `espeak-ng --voices`: priority, language, age and gender, name, file, other languages with their priorities. Voices are
 * called by their language (`sv`, `en-gb`).
 */
async function voicesOf(program: string): Promise<readonly Voice[]> {
  let listed: string;
  try {
    listed = (await promisify(execFile)(program, ['--voices'], { timeout: 5_000 })).stdout;
  } catch {
    return [];
  }
  const rows = listed.split('\n').flatMap((line) => {
    const [, own, lang, sex] = /^\s*(\d+)\s+([\w-]+)\s+\S*?\/(\S)/.exec(line) ?? [];
    if (lang === undefined) return [];
    const [, other] = new RegExp(`\\(${lang.split('-')[0]} (\\d+)\\)`).exec(line) ?? [];
    const gender = sex === 'F' ? 'female' : 'male';
    const voice: Voice = { id: lang, lang: lang.toLowerCase(), rate: SAMPLE_RATE, gender };
    return [{ priority: Number(other ?? own), voice }];
  });
  // The lowest priority is what the program itself takes for a language without a region.
  return rows.toSorted((a, b) => a.priority - b.priority).map(({ voice }) => voice);
}
