/**
 * AES-128 in ECB mode over whole blocks; one persistent cipher object per key. Answers memory of its own, which is kept.
 * Implemented by `io`.
 */
export type AesEcb = (key: Uint8Array) => (blocks: Uint8Array) => Uint8Array;

const BLOCK = 16;
/** Salts are 14 bytes; the last two bytes of a counter block count blocks (RFC 3711, 4.1.1). */
export const SALT_BYTES = 14;

/** Packets whose key stream is made in one call once they come in sequence: a call costs more than the AES in it. */
const AHEAD = 32;

/** Counter blocks on their way to the cipher: of whoever needs some. */
let scratch = new Int32Array(AHEAD * 16 * 4);

/**
 * AES counter mode as SRTP uses it (RFC 3711, 4.1.1): keystream = AES(counter), AES(counter + 1), …
 *
 * ```
 *   counter block   salt (14 bytes) XOR (0 (4) | SSRC (4) | index (6))  |  block number (2)
 *   index           n       n + 1                n + 2 … n + 32      n + 33
 *   cipher called   n       n + 1 … n + 32       nothing to do       n + 33 … n + 64
 * ```
 * A packet that is not the next one (late, or after a loss) is worked out for itself and takes nothing away.
 */
export class CounterMode {
  readonly #encrypt: (blocks: Uint8Array) => Uint8Array;
  // Words as this machine stores them: little-endian, as all that Node runs on here. Fields instead of an array: with
  // hundreds of keys each further object is a miss of the cache for each packet.
  readonly #salt0: number;
  readonly #salt1: number;
  readonly #salt2: number;
  readonly #salt3: number;
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
    const [first = 0, second = 0, third = 0, fourth = 0] = new Int32Array(padded.buffer);
    this.#salt0 = first;
    this.#salt1 = second;
    this.#salt2 = third;
    this.#salt3 = fourth;
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
      xor(bytes, from, length, this.#stream(ssrc, index, 1, Math.ceil(length / BLOCK)), 0);
    }
    this.#nextSsrc = ssrc;
    this.#nextIndex = index + 1;
  }

  #prepare(ssrc: number, index: number, blocks: number): void {
    this.#ahead = this.#stream(ssrc, index, AHEAD, blocks);
    this.#ssrc = ssrc;
    this.#first = index;
    this.#packets = AHEAD;
    this.#each = blocks * BLOCK;
  }

  /** Key stream of some packets in a row. */
  #stream(ssrc: number, index: number, packets: number, blocks: number): Uint8Array {
    const size = packets * blocks * BLOCK;
    if (scratch.byteLength < size) scratch = new Int32Array(size / Int32Array.BYTES_PER_ELEMENT);
    for (let packet = 0, at = 0; packet < packets; packet++, at += blocks * 4)
      this.#write(at, ssrc, index + packet, blocks);
    return this.#encrypt(new Uint8Array(scratch.buffer, 0, size));
  }

  /** Counter blocks of one packet. */
  #write(from: number, ssrc: number, index: number, blocks: number): void {
    const high = Math.floor(index / 0x1_0000_0000);
    const first = this.#salt0;
    const second = this.#salt1 ^ turned(ssrc);
    const third = this.#salt2 ^ turned((high << 16) | ((index >>> 16) & 0xffff));
    const fourth = this.#salt3 ^ turned(index << 16);
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
