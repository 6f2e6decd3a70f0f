import type { PhraseSource } from './sound.ts';

/** Where the sound of a phrase came from, for a person who reads the trace. */
export function sourceWords({ phrase, cacheHit, stale, engine, firstSoundMs }: PhraseSource): string {
  const of = `phrase ${phrase + 1}`;
  if (stale === true) return `${of}: an older copy, since its server could not be asked`;
  if (cacheHit) return `${of}: from the cache`;
  if (engine === undefined) return `${of}: read now`;
  return `${of}: spoken by ${engine}, first sound after ${Math.round(firstSoundMs ?? 0)} ms`;
}
