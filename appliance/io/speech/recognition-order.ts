import { Limiter } from '#shared/limiter.ts';
import type { RecogniserSetting } from '#shared/setting/index.ts';
import type { SpeechResult } from '../../media/control/index.ts';
import { resultOf } from '../../media/speech/index.ts';
import { execRecogniser } from './exec.ts';
import { httpRecogniser } from './http.ts';
import type { Recogniser, SpokenAudio } from './recogniser.ts';
import type { SpeechThreadSetting } from './speech-message.ts';
import { webSocketRecogniser } from './websocket.ts';

/** Chosen: nothing answers in less, ms. */
const LEAST_MS = 10;

interface Limited {
  readonly recogniser: Recogniser;
  readonly transcribes: boolean;
  readonly limiter: Limiter;
}

interface RecognitionOptions {
  /** All recognisers together, ms. */
  readonly answerMs: number;
  readonly leastConfidence: number;
  /** Those that transcribe recordings alone. */
  readonly transcribes?: boolean;
}

/** One utterance that is recognised while it is spoken, by the first recogniser alone. */
export interface LiveUtterance {
  push(samples: Int16Array): void;
  /** Undefined: it has not answered, and the whole utterance is to be asked of all. */
  end(): Promise<SpeechResult | undefined>;
  cancel(): void;
}

/** Recognisers in their order: the first that answers in time is believed. */
export class RecognitionOrder {
  readonly #all: readonly Limited[];

  constructor(thread: SpeechThreadSetting) {
    this.#all = thread.recognisers.map((setting) => ({
      recogniser: recogniserOf(setting, thread),
      transcribes: setting.transcribes === true,
      limiter: new Limiter(setting.atOnce),
    }));
  }

  /** The result, always: a failure is one, with what each recogniser complained about. */
  async recognise(
    audio: SpokenAudio,
    { answerMs, leastConfidence, transcribes = false }: RecognitionOptions,
    signal: AbortSignal,
  ): Promise<SpeechResult> {
    const able = this.#all.filter(
      (each) => (!transcribes || each.transcribes) && speaks(each.recogniser.languages, audio.language),
    );
    if (able.length === 0) return { reason: 'error', error: `no recogniser knows ${audio.language}` };
    const untilMs = performance.now() + answerMs;
    const complaints: string[] = [];
    for (const { recogniser, limiter } of able) {
      const leftMs = Math.min(recogniser.answerMs, untilMs - performance.now());
      if (leftMs < LEAST_MS || signal.aborted) break;
      const answer = await attempt(recogniser, limiter, audio, leftMs, signal);
      if (answer.ok) return { ...resultOf(answer.value, { leastConfidence }), recogniser: recogniser.id };
      complaints.push(`${recogniser.id}: ${answer.error.reason}`);
    }
    return { reason: 'error', error: complaints.join('; ') || 'there was no time for an answer' };
  }

  /** Undefined: the first recogniser that transcribes takes whole utterances alone, or has as many as it takes at once. */
  live(onPartial: (text: string) => void): LiveUtterance | undefined {
    const first = this.#all.find(({ transcribes }) => transcribes);
    const leave = first?.recogniser.begin === undefined ? undefined : first.limiter.tryEnter();
    if (first?.recogniser.begin === undefined || leave === undefined) return undefined;
    const { recogniser } = first;
    const begun = recogniser.begin?.({ language: undefined, hints: [] }, onPartial);
    if (begun?.ok !== true) {
      leave();
      return undefined;
    }
    const live = begun.value;
    return {
      push: (samples) => live.push(samples),
      async end() {
        try {
          const answer = await live.end(AbortSignal.timeout(recogniser.answerMs));
          return answer.ok
            ? { ...resultOf(answer.value, { leastConfidence: 0 }), recogniser: recogniser.id }
            : undefined;
        } catch {
          return undefined;
        } finally {
          leave();
        }
      },
      cancel() {
        live.cancel();
        leave();
      },
    };
  }
}

function recogniserOf(setting: RecogniserSetting, thread: SpeechThreadSetting): Recogniser {
  if (setting.kind === 'exec') return execRecogniser(setting);
  return setting.kind === 'http' ? httpRecogniser(setting, thread) : webSocketRecogniser(setting, thread);
}

/** `sv` knows `sv-SE`, and `sv-SE` is asked for `sv`. */
function speaks(languages: readonly string[] | undefined, wanted: string | undefined): boolean {
  if (languages === undefined || wanted === undefined) return true;
  const root = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
  const exact = (tag: string): boolean => tag.toLowerCase() === wanted.toLowerCase();
  return languages.some(
    (tag) => exact(tag) || (root(tag) === root(wanted) && !(tag.includes('-') && wanted.includes('-'))),
  );
}

type Attempt = Awaited<ReturnType<Recogniser['recognise']>>;

/** Gives up on one that hangs, whether or not it hears the signal itself: a request that waits for its connection does not. */
async function attempt(
  recogniser: Recogniser,
  limiter: Limiter,
  audio: SpokenAudio,
  ms: number,
  signal: AbortSignal,
): Promise<Attempt> {
  const late = new Error(`it has not answered within ${Math.round(ms) / 1_000} s`);
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(late), ms);
  const both = AbortSignal.any([signal, time.signal]);
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const give = (): void => aborted.reject(both.reason);
  both.addEventListener('abort', give, { once: true });
  let leave: (() => void) | undefined;
  try {
    leave = await limiter.enter(both);
    const work = recogniser.recognise(audio, both);
    work.catch(() => undefined);
    return await Promise.race([work, aborted.promise]);
  } catch (thrown) {
    const cause = both.aborted ? both.reason : thrown;
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    return { ok: false, error: { code: 'failed', reason } } as Attempt;
  } finally {
    clearTimeout(timer);
    both.removeEventListener('abort', give);
    leave?.();
  }
}
