import { fail, ok, type Result } from '#shared/result.ts';
import type { Phrase, PlayPlan } from '../control/index.ts';
import { dtmf, tone } from '../dtmf/index.ts';
import type { PromptFault, PromptSource } from './source.ts';

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
  | { readonly format: 'file'; readonly fileName: string; readonly revision?: number }
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

/** A prompt file or a recording by its name; the place of its bytes is looked up when they are needed. */
export interface NamedFile {
  readonly kind: 'named';
  readonly fileName: string;
  /** Revision of the configuration that the file must at least have. */
  readonly revision?: number;
}

/**
 * A phrase whose sound is prepared while others play; `phrase` is its place among them. `fault`: the phrase cannot be played,
 * whatever is prepared.
 */
export interface AwaitedPhrase {
  readonly name: string;
  readonly phrase: number;
  readonly source: Result<PromptSource | NamedFile, PromptFault>;
}

/** The phrases to play, and the sources to prepare for them: each `source` is supplied under its `name`. */
export interface PhrasePlan {
  readonly plan: PlayPlan;
  readonly awaited: readonly AwaitedPhrase[];
}

export interface PhraseSetting {
  /** Language of texts that name none. */
  readonly lang: string;
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
 * one of the plan, so results keep their places. A phrase that cannot be played is an awaited one with its fault.
 *
 * Chosen: a phrase that cannot be played leaves the others alone. A person hears the rest of what was meant for them.
 */
export function phrasePlan(phrases: readonly AskedPhrase[], setting: PhraseSetting): PhrasePlan {
  const played: Phrase[] = [];
  const awaited: AwaitedPhrase[] = [];
  for (const [index, asked] of phrases.entries()) {
    const name = `phrase-${index}`;
    const made = phraseOf(asked, setting.lang);
    if ('phrase' in made) played.push({ ...made.phrase, ...mannerOf(asked) });
    else {
      played.push({ kind: 'awaited', name, ...mannerOf(asked) });
      awaited.push({ name, phrase: index, source: made.source });
    }
  }
  const { loop } = setting;
  return { plan: { phrases: played, over: 'instead', ...(loop === undefined ? {} : { loop }) }, awaited };
}

type MadePhrase = { readonly phrase: Phrase } | Pick<AwaitedPhrase, 'source'>;

function phraseOf(asked: AskedPhrase, lang: string): MadePhrase {
  switch (asked.format) {
    case 'cloudtts':
      return { source: ok(spoken(asked.cloudTTSParameters, lang)) };
    case 'url':
      return { source: ok({ kind: 'url', url: asked.url }) };
    case 'file': {
      const { fileName, revision } = asked;
      return { source: ok({ kind: 'named', fileName, ...(revision !== undefined && { revision }) }) };
    }
    case 'tone': {
      const { frequency, duration, level = -9 } = asked;
      if (frequency < LOWEST || frequency > HIGHEST || level < SOFTEST || level > LOUDEST) {
        const reason = `A tone of ${frequency} Hz at ${level} dBm0 cannot be played: ${LOWEST} to ${HIGHEST} Hz, ${SOFTEST} to ${LOUDEST} dBm0.`;
        return { source: fail('Refused', reason) };
      }
      return { phrase: { kind: 'tone', segments: [tone(frequency, duration, level)] } };
    }
    case 'silence':
      return { phrase: { kind: 'silence', ms: asked.duration } };
    case 'dtmf': {
      const checked = dtmf(asked.digits);
      if (!checked.ok) return { source: fail('Refused', checked.error.reason) };
      const onMs = asked.duration ?? DIGIT_MS;
      return { phrase: { kind: 'digits', digits: asked.digits.toUpperCase(), onMs, offMs: DIGIT_MS } };
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
