import type { SpeechInput, SpeechParams } from '#shared/contract/callback/index.ts';

/** Chosen: the recogniser's own time ends first; a thread that has died has this much more, ms. */
const SPARE_MS = 2_000;

/**
 * The speech of one command.
 *
 *   waiting ── phrases over ──▶ listening ── begins to speak ──▶ speaking ── result ──▶ none
 *   (bargeIn false)               └── firstSpeechTimeout: noSpeech      └── no answer in time: error
 *   a key ends each of them: digits
 */
export interface SpeechListening {
  readonly hearing: 'none' | 'waiting' | 'listening' | 'speaking';
  /** Utterances listened for so far. */
  readonly hearings: number;
  readonly speech: SpeechParams | undefined;
}

export const NOT_LISTENING: SpeechListening = { hearing: 'none', hearings: 0, speech: undefined };

/** A command begins. Speech that may stop the phrases is listened for with them. */
export function begun(
  { hearings }: SpeechListening,
  speech: SpeechInput | undefined,
  hasPhrases: boolean,
): SpeechListening {
  if (speech === undefined) return { hearing: 'none', hearings, speech: undefined };
  const waits = hasPhrases && !speech.bargeIn;
  return { hearing: waits ? 'waiting' : 'listening', hearings: hearings + 1, speech: undefined };
}

/** Nothing plays any more: the time for the first word begins; none for a participant that speaks already. */
export function listened(state: SpeechListening & { readonly command: Asked }): {
  readonly state: Partial<SpeechListening>;
  readonly ms?: number;
} {
  const speech = state.command?.speech;
  if (speech === undefined || state.hearing === 'none' || state.hearing === 'speaking') return { state: {} };
  return { state: { hearing: 'listening' }, ms: speech.firstSpeechTimeout };
}

type Asked = { readonly speech?: SpeechInput | undefined } | undefined;

/** The speech and the answer of the recogniser take no longer, ms. */
export const longestMs = ({ maxDuration, endSilence, resultTimeout }: SpeechInput): number =>
  maxDuration + endSilence + resultTimeout + SPARE_MS;

export const timeOver = ({ hearing }: SpeechListening): SpeechParams =>
  hearing === 'speaking'
    ? { reason: 'error', error: 'the recogniser has not answered in time' }
    : { reason: 'noSpeech' };

/** A key is an answer, too: the participant does not have to say it as well. */
export const keyPressed = ({ hearing }: SpeechListening): Partial<SpeechListening> =>
  hearing === 'none' ? {} : { hearing: 'none', speech: { reason: 'digits' } };
