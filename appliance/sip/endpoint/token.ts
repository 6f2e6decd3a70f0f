import type { RandomBytes } from '#shared/id.ts';

const POOL = 4_096;
const TAKE = 8;

/** Tags and branches: 64 random bits each, drawn from a pool so that one message does not cost one system call. */
export class TokenSource {
  readonly #random: RandomBytes;
  #pool: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(random: RandomBytes) {
    this.#random = random;
  }

  next(): string {
    if (this.#at + TAKE > this.#pool.length) {
      const bytes = this.#random(POOL);
      this.#pool = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      this.#at = 0;
    }
    this.#at += TAKE;
    return this.#pool.toString('hex', this.#at - TAKE, this.#at);
  }
}
