/** AES-128 in ECB mode over whole blocks; one persistent cipher object per key. Implemented by `io`. */
export type AesEcb = (key: Uint8Array) => (blocks: Uint8Array, out: Uint8Array) => void;

const BLOCK = 16;
/** Salts are 14 bytes; the last two bytes of a counter block count blocks (RFC 3711, 4.1.1). */
export const SALT_BYTES = 14;

/** Packets whose key stream is made in one call once they come in sequence: a call costs more than the AES in it. */
const AHEAD = 16;

/** Counter blocks on their way to the cipher: of whoever needs some. */
let scratch = new Int32Array(AHEAD * 16 * 4);

/**
 * AES counter mode as SRTP uses it (RFC 3711, 4.1.1): keystream = AES(counter), AES(counter + 1), …
 *
 * ```
 *   counter block   salt (14 bytes) XOR (0 (4) | SSRC (4) | index (6))  |  block number (2)
 *   index           n       n + 1                n + 2 … n + 16      n + 17
 *   cipher called   n       n + 1 … n + 16       nothing to do       n + 17 … n + 32
 * ```
 * A packet that is not the next one (late, or after a loss) is worked out for itself and takes nothing away.
 */
export class CounterMode {
  readonly #encrypt: (blocks: Uint8Array, out: Uint8Array) => void;
  /** Words as this machine stores them: little-endian, as all that Node runs on here. */
  readonly #salt: Int32Array;
  #one: Uint8Array = new Uint8Array(0);
  /** Key stream of packets that come: `#first` … `#first` + `#packets` − 1 of `#ssrc`, `#each` bytes for each. */
  #ahead: Uint8Array = new Uint8Array(0);
  #ssrc = -1;
  #first = 0;
  #packets = 0;
  #each = 0;
  /** The packet that would be the next one in sequence. */
  #nextSsrc = -1;
  #nextIndex = -1;

  constructor(aesEcb: AesEcb, key: Uint8Array, salt: Uint8Array) {
    this.#encrypt = aesEcb(key);
    const padded = new Uint8Array(BLOCK);
    padded.set(salt.subarray(0, SALT_BYTES));
    this.#salt = new Int32Array(padded.buffer);
  }

  /** Encrypts or decrypts `length` bytes in place. @param index 48 bits of SRTP, 31 of SRTCP */
  apply(bytes: Uint8Array, from: number, length: number, ssrc: number, index: number): void {
    if (length === 0) return;
    const ahead = index - this.#first;
    const isReady = ssrc === this.#ssrc && ahead >= 0 && ahead < this.#packets && length <= this.#each;
    if (isReady) xor(bytes, from, length, this.#ahead, ahead * this.#each);
    else if (ssrc === this.#nextSsrc && index === this.#nextIndex) {
      this.#prepare(ssrc, index, Math.ceil(length / BLOCK));
      xor(bytes, from, length, this.#ahead, 0);
    } else {
      this.#one = this.#stream(this.#one, ssrc, index, 1, Math.ceil(length / BLOCK));
      xor(bytes, from, length, this.#one, 0);
    }
    this.#nextSsrc = ssrc;
    this.#nextIndex = index + 1;
  }

  #prepare(ssrc: number, index: number, blocks: number): void {
    this.#ahead = this.#stream(this.#ahead, ssrc, index, AHEAD, blocks);
    this.#ssrc = ssrc;
    this.#first = index;
    this.#packets = AHEAD;
    this.#each = blocks * BLOCK;
  }

  /** Key stream of some packets in a row, in `out` when it has the size for it. */
  #stream(out: Uint8Array, ssrc: number, index: number, packets: number, blocks: number): Uint8Array {
    const size = packets * blocks * BLOCK;
    if (scratch.byteLength < size) scratch = new Int32Array(size / Int32Array.BYTES_PER_ELEMENT);
    for (let packet = 0, at = 0; packet < packets; packet++, at += blocks * 4)
      this.#write(at, ssrc, index + packet, blocks);
    const target = out.length === size ? out : new Uint8Array(size);
    this.#encrypt(new Uint8Array(scratch.buffer, 0, size), target);
    return target;
  }

  /** Counter blocks of one packet. */
  #write(from: number, ssrc: number, index: number, blocks: number): void {
    const salt = this.#salt;
    const high = Math.floor(index / 0x1_0000_0000);
    const first = salt[0] ?? 0;
    const second = (salt[1] ?? 0) ^ turned(ssrc);
    const third = (salt[2] ?? 0) ^ turned((high << 16) | ((index >>> 16) & 0xffff));
    const fourth = (salt[3] ?? 0) ^ turned(index << 16);
    for (let block = 0, at = from; block < blocks; block++, at += 4) {
      scratch[at] = first;
      scratch[at + 1] = second;
      scratch[at + 2] = third;
      scratch[at + 3] = fourth ^ turned(block);
    }
  }
}

/** The bytes of a word in the other order. */
const turned = (word: number): number =>
  (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);

function xor(bytes: Uint8Array, from: number, length: number, stream: Uint8Array, at: number): void {
  for (let i = 0; i < length; i++) bytes[from + i] = (bytes[from + i] ?? 0) ^ (stream[at + i] ?? 0);
}
