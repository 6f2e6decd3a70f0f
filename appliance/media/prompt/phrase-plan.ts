import { fail, ok, type Result } from '#shared/result.ts';
import type { Phrase, PlayPlan } from '../control/index.ts';
import { dtmf, tone } from '../dtmf/index.ts';
import type { PromptSource } from './source.ts';

/** A phrase as commands of the media service name them; lengths in ms, `repeatPause` in s, levels in dBm0, `volume` in dB. */
export type AskedPhrase = {
  readonly repeat?: number;
  readonly repeatPause?: number;
  readonly volume?: number;
} & (
  | {
      readonly format: 'cloudtts';
      readonly cloudTTSParameters: {
        readonly Text: string;
        readonly VoiceId?: string;
        readonly LanguageCode?: string;
        readonly TextType?: 'text' | 'ssml';
        readonly Engine?: string;
      };
    }
  | { readonly format: 'file'; readonly fileName: string }
  | { readonly format: 'url'; readonly url: string }
  | {
      readonly format: 'tone';
      readonly frequency: number;
      readonly duration: number;
      readonly level?: number;
    }
  | { readonly format: 'silence'; readonly duration: number }
  | { readonly format: 'dtmf'; readonly digits: string; readonly duration?: number }
);

/** A phrase whose sound is prepared while others play; `phrase` is its place among them. */
export interface AwaitedPhrase {
  readonly name: string;
  readonly phrase: number;
  readonly source: PromptSource;
}

/** What to play, and what must be prepared for it: each `source` is supplied under its `name`. */
export interface PhrasePlan {
  readonly plan: PlayPlan;
  readonly awaited: readonly AwaitedPhrase[];
}

export interface PhraseSetting {
  /** Language of texts that name none. */
  readonly lang: string;
  /** Where the prompt file of that name stands; undefined: there is none. */
  readonly pathOf: (fileName: string) => string | undefined;
  readonly loop?: { readonly pauseMs: number };
}

/** Chosen: pause after each digit, as the generator has it. */
const DIGIT_MS = 80;
/** Lowest and highest level of a tone, dBm0. */
const [SOFTEST, LOUDEST] = [-60, 0];
/** Telephone audio ends here, Hz. */
const [LOWEST, HIGHEST] = [50, 3_800];

/**
 * The phrases of a command as a plan for a player, and the sources to be prepared beside it. One phrase of the command is
 * one of the plan, so results keep their places. Fails with `UnknownFile`, `UnknownDigit` or `OutOfRange`, and the place
 * of the phrase as `path`.
 */
export function phrasePlan(phrases: readonly AskedPhrase[], setting: PhraseSetting): Result<PhrasePlan> {
  const played: Phrase[] = [];
  const awaited: AwaitedPhrase[] = [];
  for (const [index, asked] of phrases.entries()) {
    const made = phraseOf(asked, `phrase-${index}`, setting);
    if (!made.ok) return fail(made.error.code, made.error.reason, `/phrases/${index}`);
    const { phrase, source } = made.value;
    played.push({ ...phrase, ...mannerOf(asked) });
    if (source !== undefined) awaited.push({ name: `phrase-${index}`, phrase: index, source });
  }
  const { loop } = setting;
  const plan: PlayPlan = { phrases: played, over: 'instead', ...(loop === undefined ? {} : { loop }) };
  return ok({ plan, awaited });
}

function phraseOf(
  asked: AskedPhrase,
  name: string,
  { lang, pathOf }: PhraseSetting,
): Result<{ readonly phrase: Phrase; readonly source?: PromptSource }> {
  const phrase: Phrase = { kind: 'awaited', name };
  switch (asked.format) {
    case 'cloudtts':
      return ok({ phrase, source: spoken(asked.cloudTTSParameters, lang) });
    case 'url':
      return ok({ phrase, source: { kind: 'url', url: asked.url } });
    case 'file': {
      const path = pathOf(asked.fileName);
      if (path === undefined) {
        return fail('UnknownFile', `There is no prompt file ${asked.fileName}; upload it first.`);
      }
      return ok({ phrase, source: { kind: 'file', path } });
    }
    case 'tone': {
      const { frequency, duration, level = -9 } = asked;
      if (frequency < LOWEST || frequency > HIGHEST || level < SOFTEST || level > LOUDEST) {
        return fail(
          'OutOfRange',
          `A tone of ${frequency} Hz at ${level} dBm0 cannot be played: ${LOWEST} to ${HIGHEST} Hz, ${SOFTEST} to ${LOUDEST} dBm0.`,
        );
      }
      return ok({ phrase: { kind: 'tone', segments: [tone(frequency, duration, level)] } });
    }
    case 'silence':
      return ok({ phrase: { kind: 'silence', ms: asked.duration } });
    case 'dtmf': {
      const checked = dtmf(asked.digits);
      if (!checked.ok) return checked;
      const onMs = asked.duration ?? DIGIT_MS;
      return ok({ phrase: { kind: 'digits', digits: asked.digits.toUpperCase(), onMs, offMs: DIGIT_MS } });
    }
  }
}

function spoken(
  {
    Text,
    VoiceId,
    LanguageCode,
    TextType,
    Engine,
  }: Extract<AskedPhrase, { format: 'cloudtts' }>['cloudTTSParameters'],
  lang: string,
): PromptSource {
  return {
    kind: 'tts',
    text: Text,
    lang: LanguageCode ?? lang,
    ...(VoiceId === undefined ? {} : { voice: VoiceId }),
    ...(Engine === undefined ? {} : { engine: Engine }),
    ...(TextType === 'ssml' ? { ssml: true } : {}),
  };
}

const mannerOf = ({
  repeat,
  repeatPause,
  volume,
}: AskedPhrase): Pick<Phrase, 'repeat' | 'repeatPauseMs' | 'volumeDb'> => ({
  ...(repeat === undefined ? {} : { repeat }),
  ...(repeatPause === undefined ? {} : { repeatPauseMs: repeatPause * 1_000 }),
  ...(volume === undefined ? {} : { volumeDb: volume }),
});
