import { statfs } from 'node:fs/promises';

/** Chosen: pressure is over when this share more than the limit is free, so that it does not flicker. */
const EASED = 1.1;

/** Watches the free room of one disk. Its limit keeps room for what must never stop: the journal of alarms. */
export class DiskGuard {
  readonly #folder: string;
  readonly #leastFreeBytes: number;
  #pressed = false;

  constructor(folder: string, leastFreeBytes: number) {
    this.#folder = folder;
    this.#leastFreeBytes = leastFreeBytes;
  }

  get pressed(): boolean {
    return this.#pressed;
  }

  /** Looks; answers what has changed, if anything. */
  async look(): Promise<{ readonly on: boolean; readonly freeBytes: number } | undefined> {
    const { bavail, bsize } = await statfs(this.#folder);
    const freeBytes = bavail * bsize;
    const pressed = freeBytes < this.#leastFreeBytes * (this.#pressed ? EASED : 1);
    if (pressed === this.#pressed) return undefined;
    this.#pressed = pressed;
    return { on: pressed, freeBytes };
  }
}
