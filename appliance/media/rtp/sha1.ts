import { write32 } from './packet.ts';
import { sha1Compression } from './sha1-code.ts';

const BLOCK = 64;
export const SHA1_BYTES = 20;
const START = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0] as const;

// Where things are in the memory of the compression: the state, a block for the outer hash, the message.
const STATE = 0;
const OUTER = BLOCK;
const MESSAGE = 2 * BLOCK;
/** Longest message; a datagram is shorter. */
const ROOM = 0x1_0000 - MESSAGE - 2 * BLOCK;
/** Buffers up to this size are copied whole: cheaper than making a view of the part that counts. */
const COPIED_WHOLE = 2_048;

const { memory, compress } = sha1Compression();
const bytesThere = new Uint8Array(memory);
const state = new Int32Array(memory, STATE, 5);

/** Pads a message of `length` bytes at `at`, before which `before` bytes were hashed, and hashes it into the state. */
function hash(at: number, length: number, before: number): void {
  const end = pad(at, length, before);
  for (let block = at; block < end; block += BLOCK) compress(STATE, block);
}

/** Answers the end of the last block. */
function pad(at: number, length: number, before: number): number {
  const end = at + Math.ceil((length + 9) / BLOCK) * BLOCK;
  bytesThere[at + length] = 0x80;
  for (let i = at + length + 1; i < end - 4; i++) bytesThere[i] = 0;
  // Bits fit into 32: nothing here is longer than the memory.
  write32(bytesThere, end - 4, (before + length) * 8);
  return end;
}

function set(a: number, b: number, c: number, d: number, e: number): void {
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = d;
  state[4] = e;
}

/** Authenticates `length` bytes at the start of `bytes`, then `suffix` (32 bits, big-endian) unless null; 20 bytes to `out`. */
export type Hmac = (bytes: Uint8Array, length: number, suffix: number | null, out: Uint8Array) => void;

/** Makes the authenticator of one key. */
export type HmacSha1 = (key: Uint8Array) => Hmac;

/**
 * HMAC-SHA1 (RFC 2104) with the states after the inner and outer pad computed once per key: a packet of 172 bytes costs
 * four compressions instead of six, and no call of the system. Messages up to 65,000 bytes.
 */
export const hmacSha1: HmacSha1 = (key) => {
  const secret = key.length > BLOCK ? digestOf(key) : key;
  // Ten numbers instead of two arrays: with hundreds of keys each further object is a miss of the cache for each packet.
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = stateAfter(secret, 0x36);
  const [f = 0, g = 0, h = 0, i = 0, j = 0] = stateAfter(secret, 0x5c);
  return (bytes, length, suffix, out) => {
    if (length > ROOM) throw new RangeError(`${length} bytes are more than can be authenticated at once`);
    const isShort = bytes.length <= COPIED_WHOLE;
    bytesThere.set(isShort ? bytes : bytes.subarray(0, length), MESSAGE);
    let end = length;
    if (suffix !== null) {
      write32(bytesThere, MESSAGE + end, suffix);
      end += 4;
    }
    set(a, b, c, d, e);
    hash(MESSAGE, end, BLOCK);
    write(bytesThere, OUTER);
    set(f, g, h, i, j);
    pad(OUTER, SHA1_BYTES, BLOCK);
    compress(STATE, OUTER);
    write(out, 0);
  };
};

/** Copies the state out as the digest it is. */
function write(target: Uint8Array, at: number): void {
  for (let i = 0; i < 5; i++) write32(target, at + 4 * i, state[i] ?? 0);
}

function digestOf(message: Uint8Array): Uint8Array {
  bytesThere.set(message, MESSAGE);
  state.set(START);
  hash(MESSAGE, message.length, 0);
  const digest = new Uint8Array(SHA1_BYTES);
  write(digest, 0);
  return digest;
}

/** The state after one block: the key, changed by a pad. */
function stateAfter(secret: Uint8Array, pad: number): Int32Array {
  for (let i = 0; i < BLOCK; i++) bytesThere[OUTER + i] = (secret[i] ?? 0) ^ pad;
  state.set(START);
  compress(STATE, OUTER);
  return state.slice();
}
