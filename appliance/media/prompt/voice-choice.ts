import type { Speech } from './source.ts';

/** A voice of a provider. */
export interface Voice {
  readonly id: string;
  /** BCP 47, in lower case. */
  readonly lang: string;
  /** Samples per second that it speaks with. */
  readonly rate: number;
  readonly gender?: 'female' | 'male';
}

interface Speaker {
  readonly id: string;
  readonly voices: readonly Voice[];
}

/** Other names under which languages come (ISO 639-1 and BCP 47). */
const ALIAS: Readonly<Record<string, string>> = { no: 'nb' };

const primary = (lang: string): string => {
  const [first = ''] = lang.toLowerCase().split(/[-_]/);
  return ALIAS[first] ?? first;
};

/** The voice of a provider for a request: the one named, else the same language and region, else the same language. */
export function voiceFor(
  speech: Pick<Speech, 'lang' | 'voice'>,
  voices: readonly Voice[],
): Voice | undefined {
  const fitting = voices.filter(({ lang }) => primary(lang) === primary(speech.lang));
  const wanted = speech.voice?.toLowerCase();
  return (
    fitting.find(({ id }) => id.toLowerCase() === wanted) ??
    fitting.find(({ lang }) => lang === speech.lang.toLowerCase().replace('_', '-')) ??
    fitting.find(({ lang }) => lang === primary(speech.lang)) ??
    fitting[0]
  );
}

/**
 * The providers that may speak, in this order: the engine named, when it has the language, then every other that has it. Another
 * language is never read by an English voice: a listener would not understand it.
 *
 * Interop: engines of other services (`neural`, `standard`) are names that no provider here has; they choose nothing.
 */
export function speakersFor<Provider extends Speaker>(
  speech: Pick<Speech, 'lang' | 'engine'>,
  providers: readonly Provider[],
): readonly Provider[] {
  const able = providers.filter(({ voices }) => voiceFor(speech, voices) !== undefined);
  return [...able.filter(({ id }) => id === speech.engine), ...able.filter(({ id }) => id !== speech.engine)];
}
