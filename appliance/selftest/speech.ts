import { openPrompts } from '../io/prompt/index.ts';
import { bad, good, type Outcome } from './record.ts';

/** One phrase by a voice of this machine. */
export async function speech(): Promise<Outcome> {
  const prompts = await openPrompts().catch((cause: unknown) => String(cause));
  if (typeof prompts === 'string') return bad('tts.silent', prompts);
  try {
    const begun = performance.now();
    const source = { kind: 'tts', text: 'This is a test.', lang: 'en' } as const;
    const prepared = await prompts.prepare(source, AbortSignal.timeout(10_000));
    if (!prepared.ok) return bad('tts.silent', prepared.error.reason);
    const { prompt, spoken } = prepared.value;
    const ms = prompt.samples / 8;
    // By whom, since without espeak-ng no other language than English is spoken.
    const by = spoken === undefined ? '' : ` by ${spoken.engine} (${spoken.voice})`;
    return ms < 300
      ? bad('tts.silent', `only ${ms.toFixed(0)} ms of sound`)
      : good(`${(ms / 1_000).toFixed(1)} s spoken in ${(performance.now() - begun).toFixed(0)} ms${by}`);
  } finally {
    await prompts.close();
  }
}
