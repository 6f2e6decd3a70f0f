import { type Libc, MSG_DONTWAIT, MSG_TRUNC } from './libc.ts';
import { ADDRESS_BYTES } from './socket-address.ts';

/** Longest datagram that is taken, bytes: more than any Ethernet frame carries. */
const LARGEST = 2_048;
/** `struct mmsghdr` and `struct iovec` of a 64-bit Linux. */
const HEADER_BYTES = 64;
const IOVEC_BYTES = 16;
const NAME = { at: 0, lengthAt: 8 };
const IOVEC = { at: 16, countAt: 24 };
const FLAGS_AT = 48;
const LENGTH_AT = 56;

/**
 * Memory for several datagrams that are read in one call (recvmmsg(2)), laid out once and used again for each call:
 * whoever keeps bytes longer than until the next one copies them.
 */
export class ReceiveBatch {
  /** Where each datagram came from, `ADDRESS_BYTES` apart; as words they are quickly compared. */
  readonly from: Uint8Array;
  readonly fromWords: Int32Array;

  readonly #libc: Libc;
  readonly #count: number;
  readonly #headers: Buffer;
  readonly #words: Int32Array;
  /** The memory that the headers point to: held, so that it does not move. */
  readonly #vectors: Buffer;
  readonly #data: Buffer;
  /** Views of each datagram's room by length, made once. */
  readonly #views: Uint8Array[][];

  constructor(libc: Libc, count: number) {
    this.#libc = libc;
    this.#count = count;
    this.#headers = Buffer.alloc(count * HEADER_BYTES);
    this.#words = new Int32Array(this.#headers.buffer, this.#headers.byteOffset, (count * HEADER_BYTES) / 4);
    this.#vectors = Buffer.alloc(count * IOVEC_BYTES);
    this.#data = Buffer.alloc(count * LARGEST);
    this.from = new Uint8Array(count * ADDRESS_BYTES);
    this.fromWords = new Int32Array(this.from.buffer);
    this.#views = Array.from({ length: count }, () => []);
    const [names, vectors, data] = [this.from, this.#vectors, this.#data].map((part) => libc.address(part));
    for (let i = 0; i < count; i++) {
      const header = i * HEADER_BYTES;
      const vector = i * IOVEC_BYTES;
      this.#headers.writeBigUInt64LE((names ?? 0n) + BigInt(i * ADDRESS_BYTES), header + NAME.at);
      this.#headers.writeBigUInt64LE((vectors ?? 0n) + BigInt(vector), header + IOVEC.at);
      this.#headers.writeBigUInt64LE(1n, header + IOVEC.countAt);
      this.#vectors.writeBigUInt64LE((data ?? 0n) + BigInt(i * LARGEST), vector);
      this.#vectors.writeBigUInt64LE(BigInt(LARGEST), vector + 8);
    }
  }

  /** Reads what waits at a socket without waiting; how many datagrams came, 0 when there is none. */
  receive(fd: number): number {
    const words = this.#words;
    // The kernel writes the length of each name over ours.
    for (let i = 0; i < this.#count; i++) words[(i * HEADER_BYTES + NAME.lengthAt) >> 2] = ADDRESS_BYTES;
    return Math.max(0, this.#libc.recvmmsg(fd, this.#headers, this.#count, MSG_DONTWAIT, null));
  }

  /** Datagram `i` of the last call; null when it was too long for us. */
  bytes(i: number): Uint8Array | null {
    const words = this.#words;
    const header = i * HEADER_BYTES;
    if (((words[(header + FLAGS_AT) >> 2] ?? 0) & MSG_TRUNC) !== 0) return null;
    const length = words[(header + LENGTH_AT) >> 2] ?? 0;
    const views = this.#views[i] ?? [];
    const known = views[length];
    if (known !== undefined) return known;
    const made = new Uint8Array(this.#data.buffer, this.#data.byteOffset + i * LARGEST, length);
    views[length] = made;
    return made;
  }
}
