/** AES-128 in ECB mode over whole blocks; one persistent cipher object per key. Implemented by `io`. */
export type AesEcb = (key: Uint8Array) => (blocks: Uint8Array, out: Uint8Array) => void;

const BLOCK = 16;
/** Salts are 14 bytes; the last two bytes of a counter block count blocks (RFC 3711, 4.1.1). */
export const SALT_BYTES = 14;

/**
 * AES counter mode as SRTP uses it (RFC 3711, 4.1.1): keystream = AES(counter), AES(counter + 1), …
 *
 * ```
 *   counter block   salt (14 bytes) XOR (0 (4) | SSRC (4) | index (6))  |  block number (2)
 * ```
 * Blocks are built in scratch memory and encrypted in one call.
 */
export class CounterMode {
  readonly #encrypt: (blocks: Uint8Array, out: Uint8Array) => void;
  readonly #salt: Uint8Array;
  #blocks = new Uint8Array(0);
  #stream = new Uint8Array(0);
  /** Views of exactly n blocks, made once. */
  readonly #views: { readonly blocks: Uint8Array; readonly stream: Uint8Array }[] = [];

  constructor(aesEcb: AesEcb, key: Uint8Array, salt: Uint8Array) {
    this.#encrypt = aesEcb(key);
    this.#salt = salt;
  }

  /** Encrypts or decrypts `length` bytes in place. @param index 48 bits of SRTP, 31 of SRTCP */
  apply(bytes: Uint8Array, from: number, length: number, ssrc: number, index: number): void {
    const count = Math.ceil(length / BLOCK);
    if (count === 0) return;
    const { blocks, stream } = this.#view(count);
    const salt = this.#salt;
    const high = Math.floor(index / 0x1_0000_0000);
    for (let block = 0; block < count; block++) {
      const at = block * BLOCK;
      for (let i = 0; i < 4; i++) blocks[at + i] = salt[i] ?? 0;
      blocks[at + 4] = (salt[4] ?? 0) ^ (ssrc >>> 24);
      blocks[at + 5] = (salt[5] ?? 0) ^ (ssrc >>> 16);
      blocks[at + 6] = (salt[6] ?? 0) ^ (ssrc >>> 8);
      blocks[at + 7] = (salt[7] ?? 0) ^ ssrc;
      blocks[at + 8] = (salt[8] ?? 0) ^ (high >>> 8);
      blocks[at + 9] = (salt[9] ?? 0) ^ high;
      blocks[at + 10] = (salt[10] ?? 0) ^ (index >>> 24);
      blocks[at + 11] = (salt[11] ?? 0) ^ (index >>> 16);
      blocks[at + 12] = (salt[12] ?? 0) ^ (index >>> 8);
      blocks[at + 13] = (salt[13] ?? 0) ^ index;
      blocks[at + 14] = block >>> 8;
      blocks[at + 15] = block;
    }
    this.#encrypt(blocks, stream);
    for (let i = 0; i < length; i++) bytes[from + i] = (bytes[from + i] ?? 0) ^ (stream[i] ?? 0);
  }

  #view(count: number): { readonly blocks: Uint8Array; readonly stream: Uint8Array } {
    if (this.#blocks.length < count * BLOCK) {
      this.#blocks = new Uint8Array(count * BLOCK);
      this.#stream = new Uint8Array(count * BLOCK);
      this.#views.length = 0;
    }
    const known = this.#views[count];
    if (known !== undefined) return known;
    const view = {
      blocks: this.#blocks.subarray(0, count * BLOCK),
      stream: this.#stream.subarray(0, count * BLOCK),
    };
    this.#views[count] = view;
    return view;
  }
}
