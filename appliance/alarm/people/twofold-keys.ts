/** A key of the audio (RFC 4733 or in band), or one of INFO. */
export type KeyMedium = 'audio' | 'info';

/** `Chosen:` the second form of one key comes within so much of the first, ms; some telephones send INFO when it is released. */
const TOGETHER_MS = 1_500;

interface ReceivedKey {
  readonly key: string;
  readonly medium: KeyMedium;
  readonly atMs: number;
}

/**
 * Interop: some telephones send each key in the audio and by INFO. It counts once: 0 twice clears an alarm, and one slip of a
 * finger must not.
 */
export class TwofoldKeys {
  /** Keys whose other form may still come. */
  #alone: readonly ReceivedKey[] = [];

  /** Whether it is a key that was not heard yet. `atMs`: monotonic. */
  isNew(key: string, medium: KeyMedium, atMs: number): boolean {
    const recent = this.#alone.filter((entry) => atMs - entry.atMs <= TOGETHER_MS);
    const first = recent.find((entry) => entry.key === key && entry.medium !== medium);
    this.#alone =
      first === undefined ? [...recent, { key, medium, atMs }] : recent.filter((entry) => entry !== first);
    return first === undefined;
  }
}
