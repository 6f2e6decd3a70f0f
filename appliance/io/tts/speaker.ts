import { fail, ok, type Result } from '#shared/result.ts';
import type { PreparedPrompt } from '../../media/control/index.ts';
import {
  MOST_CHARACTERS,
  nameOf,
  type PromptFault,
  PromptMaker,
  plainText,
  type Speech,
  speakersFor,
  type Voice,
  voiceFor,
} from '../../media/prompt/index.ts';
import type { TtsProvider } from './provider.ts';

/** Chosen: a provider that has said nothing by then is passed over. */
const FIRST_SOUND_MS = 3_000;
/** Chosen: the longest time for one utterance. */
const WHOLE_MS = 30_000;

/** Speech made: who made it, and how long the first sound took. */
export interface Spoken {
  readonly prompt: PreparedPrompt;
  readonly engine: string;
  readonly voice: string;
  readonly firstSoundMs: number;
}

/** Lets providers speak, one after the other until one succeeds. */
export class Speaker {
  readonly #providers: readonly TtsProvider[];
  readonly #firstSoundMs: number;

  /** @param firstSoundMs how long a provider may say nothing */
  constructor(providers: readonly TtsProvider[], firstSoundMs = FIRST_SOUND_MS) {
    this.#providers = providers;
    this.#firstSoundMs = firstSoundMs;
  }

  get voices(): readonly (Voice & { readonly engine: string })[] {
    return this.#providers.flatMap(({ id, voices }) => voices.map((voice) => ({ ...voice, engine: id })));
  }

  /** `NoVoice`, `Refused` (nothing to say, or too much), `Failed` with what each provider complained about, `Stopped`. */
  async speak(speech: Speech, signal: AbortSignal): Promise<Result<Spoken, PromptFault>> {
    const plain = speech.ssml === true ? plainText(speech.text) : speech.text;
    if (!/[\p{L}\p{N}]/u.test(plain)) return fail('Refused', 'The text holds nothing that can be spoken.');
    if (speech.text.length > MOST_CHARACTERS) {
      return fail(
        'Refused',
        `The text has ${speech.text.length} characters; at most ${MOST_CHARACTERS} are spoken, divide it.`,
      );
    }
    const complaints: string[] = [];
    const able = speakersFor(speech, this.#providers);
    for (const provider of able) {
      const spoken = await attempt(provider, speech, plain, signal, this.#firstSoundMs);
      if (spoken.ok || signal.aborted) return spoken;
      complaints.push(`${provider.id}: ${spoken.error.reason}`);
    }
    if (able.length > 0)
      return fail(
        'Failed',
        `Nobody could speak ${nameOf({ kind: 'tts', ...speech })}. ${complaints.join('; ')}`,
      );
    const known = this.#providers.map(({ id }) => id).join(', ') || 'none';
    return fail(
      'NoVoice',
      `No voice speaks ${speech.lang} (speech programs here: ${known}); install espeak-ng or configure one.`,
    );
  }
}

async function attempt(
  provider: TtsProvider,
  speech: Speech,
  plain: string,
  signal: AbortSignal,
  firstMs: number,
): Promise<Result<Spoken, PromptFault>> {
  const voice = voiceFor(speech, provider.voices);
  if (voice === undefined) return fail('NoVoice', `it has no voice for ${speech.lang}`);
  const ssml = speech.ssml === true && provider.readsSsml;
  const own = new AbortController();
  const late = (ms: number, what: string) =>
    setTimeout(() => own.abort(new Error(`${what} within ${ms / 1_000} s`)), ms);
  const timers = [late(firstMs, 'no sound'), late(WHOLE_MS, 'it did not end')];
  const both = AbortSignal.any([signal, own.signal]);
  const begun = performance.now();
  let firstSoundMs: number | undefined;
  const maker = new PromptMaker(`the speech of ${provider.id}`);
  try {
    const utterance = { text: ssml ? speech.text : plain, voice, rate: speech.rate ?? 1, ssml };
    for await (const { samples, sampleRate } of untilAborted(provider.speak(utterance, both), both)) {
      if (firstSoundMs === undefined && samples.length > 0) {
        firstSoundMs = performance.now() - begun;
        clearTimeout(timers[0]);
      }
      maker.push([samples], sampleRate);
      if (maker.tooLong) break;
    }
    const made = maker.finish();
    return made.ok
      ? ok({ prompt: made.value, engine: provider.id, voice: voice.id, firstSoundMs: firstSoundMs ?? 0 })
      : made;
  } catch (thrown) {
    if (signal.aborted) return fail('Stopped', 'The speech was not wanted any more.');
    return fail('Failed', thrown instanceof Error ? thrown.message : String(thrown));
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Gives up waiting for a provider that does not hear the signal itself. */
async function* untilAborted<T>(pieces: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const give = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', give, { once: true });
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', give);
    // Not awaited: one that is stuck would hold up the next.
    iterator.return?.()?.catch(() => undefined);
  }
}
