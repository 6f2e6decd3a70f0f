import type { PreparedPrompt } from '../control/index.ts';

/** A prompt, and what is known about its source: version of a file, freshness of a page. */
export interface Kept<Mark> {
  readonly prompt: PreparedPrompt;
  readonly mark: Mark;
}

/** Bytes that a prompt takes: Int16, A-law, mu-law. */
export const bytesOf = ({ samples }: PreparedPrompt): number => 4 * samples;

/**
 * Prompts in memory, bounded in bytes; the least recently used goes first.
 *
 * ```
 *   put ──▶ kept (counted, in order of use) ──no room──▶ fallen (a weak reference) ──no player left──▶ freed
 *             ▲                                             │
 *             └────────────────── get ──────────────────────┘
 * ```
 * A playing prompt is never taken away: falling out only ends the cache's own hold, and a fallen prompt that a player still
 * holds is found again without being decoded twice.
 */
export class PromptCache<Mark> {
  readonly #mostBytes: number;
  /** In order of use, the latest last. */
  readonly #kept = new Map<string, Kept<Mark>>();
  readonly #fallen = new Map<string, { readonly prompt: WeakRef<PreparedPrompt>; readonly mark: Mark }>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes counted; prompts that have fallen and still play are not. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Kept<Mark> | undefined {
    const kept = this.#kept.get(key) ?? this.#found(key);
    if (kept !== undefined) this.put(key, kept.prompt, kept.mark);
    return kept;
  }

  /** Keeps it under this name, in place of another. One that is larger than all room is only remembered while it plays. */
  put(key: string, prompt: PreparedPrompt, mark: Mark): void {
    this.drop(key);
    this.#kept.set(key, { prompt, mark });
    this.#bytes += bytesOf(prompt);
    for (const [oldest, each] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) break;
      this.drop(oldest);
      this.#fallen.set(oldest, { prompt: new WeakRef(each.prompt), mark: each.mark });
      this.#sweep();
    }
  }

  drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept !== undefined) this.#bytes -= bytesOf(kept.prompt);
    this.#kept.delete(key);
    this.#fallen.delete(key);
  }

  #found(key: string): Kept<Mark> | undefined {
    const fallen = this.#fallen.get(key);
    const prompt = fallen?.prompt.deref();
    return fallen === undefined || prompt === undefined ? undefined : { prompt, mark: fallen.mark };
  }

  #sweep(): void {
    for (const [key, { prompt }] of this.#fallen) if (prompt.deref() === undefined) this.#fallen.delete(key);
  }
}
