import type { IvrCommand, Phrase } from '../contract/api.codes.ts';

export interface SayOptions {
  /** BCP 47, such as `sv-SE`. */
  readonly language?: string;
  readonly voice?: string;
  readonly repeat?: number;
}

/** Speech. */
export const say = (text: string, { language, voice, repeat }: SayOptions = {}): Phrase => ({
  format: 'cloudtts',
  cloudTTSParameters: {
    Text: text,
    ...(language === undefined ? {} : { LanguageCode: language }),
    ...(voice === undefined ? {} : { VoiceId: voice }),
  },
  ...(repeat === undefined ? {} : { repeat }),
});

/** A file of the prompts. */
export const play = (fileName: string, repeat?: number): Phrase => ({
  format: 'file',
  fileName,
  ...(repeat === undefined ? {} : { repeat }),
});

/** A tone; Hz and ms. */
export const tone = (frequency: number, duration: number): Phrase => ({
  format: 'tone',
  frequency,
  duration,
});

/** Silence, ms. */
export const silence = (duration: number): Phrase => ({ format: 'silence', duration });

/** Plays phrases and listens for digits; the next getIvrCommand brings them. */
export const ask = (phrases: readonly Phrase[], dtmf: IvrCommand['dtmf'] = { maxDigits: 1 }): IvrCommand => ({
  phrases,
  ...(dtmf === undefined ? {} : { dtmf }),
});

/** Plays phrases and leaves the IVR; callEvent follows. */
export const end = (phrases: readonly Phrase[] = []): IvrCommand => ({ phrases, hangup: true });

/** Plays phrases and records the caller. */
export const recordAfter = (
  phrases: readonly Phrase[],
  record: NonNullable<IvrCommand['record']>,
): IvrCommand => ({ phrases, record });
