/** A key of the audio (RFC 4733 or in band), or one of INFO. */
export type KeyMedium = 'audio' | 'info';

/** `Chosen:` the second form of one key comes within so much of the first, ms; some telephones send INFO when it is released. */
const TOGETHER_MS = 1_500;

interface HeardKey {
  readonly key: string;
  readonly way: KeyMedium;
  readonly atMs: number;
}

/**
 * Interop: some telephones send each key in the audio and by INFO. It counts once: 0 twice clears an alarm, and one slip of a
 * finger must not.
 */
export class TwofoldKeys {
  /** Keys whose other form may still come. */
  #alone: readonly HeardKey[] = [];

  /** Whether it is a key that was not heard yet. `atMs`: monotonic. */
  isNew(key: string, medium: KeyMedium, atMs: number): boolean {
    const recent = this.#alone.filter((heard) => atMs - heard.atMs <= TOGETHER_MS);
    const first = recent.find((heard) => heard.key === key && heard.way !== medium);
    this.#alone =
      first === undefined
        ? [...recent, { key, way: medium, atMs }]
        : recent.filter((heard) => heard !== first);
    return first === undefined;
  }
}
