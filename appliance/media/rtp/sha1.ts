import { read32, write32 } from './packet.ts';

const BLOCK = 64;
export const SHA1_BYTES = 20;
const START = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0] as const;

/** One SHA-1 in progress (FIPS 180-4), made to be started again from a saved state without allocating. */
class Sha1 {
  readonly #words = new Int32Array(80);
  readonly #block = new Uint8Array(BLOCK);
  readonly #state = new Int32Array(5);
  #held = 0;
  #total = 0;

  /** Continues from `state`, as if `length` bytes (whole blocks) had been hashed. */
  start(state: Int32Array, length: number): void {
    this.#state.set(state);
    this.#held = 0;
    this.#total = length;
  }

  update(bytes: Uint8Array, from: number, length: number): void {
    this.#total += length;
    let at = from;
    const end = from + length;
    if (this.#held > 0) {
      while (at < end && this.#held < BLOCK) this.#block[this.#held++] = bytes[at++] ?? 0;
      if (this.#held < BLOCK) return;
      this.#compress(this.#block, 0);
      this.#held = 0;
    }
    for (; at + BLOCK <= end; at += BLOCK) this.#compress(bytes, at);
    while (at < end) this.#block[this.#held++] = bytes[at++] ?? 0;
  }

  /** Ends; the 20 bytes go to `out`. */
  finish(out: Uint8Array): void {
    const bits = this.#total * 8;
    this.#block[this.#held++] = 0x80;
    if (this.#held > BLOCK - 8) {
      this.#block.fill(0, this.#held);
      this.#compress(this.#block, 0);
      this.#held = 0;
    }
    this.#block.fill(0, this.#held);
    write32(this.#block, BLOCK - 8, Math.floor(bits / 0x1_0000_0000));
    write32(this.#block, BLOCK - 4, bits >>> 0);
    this.#compress(this.#block, 0);
    for (let i = 0; i < 5; i++) write32(out, 4 * i, this.#state[i] ?? 0);
  }

  /** Copies the state after whole blocks. */
  save(state: Int32Array): void {
    state.set(this.#state);
  }

  #compress(bytes: Uint8Array, at: number): void {
    const w = this.#words;
    for (let i = 0; i < 16; i++) w[i] = read32(bytes, at + 4 * i);
    for (let i = 16; i < 80; i++) {
      const mixed = (w[i - 3] ?? 0) ^ (w[i - 8] ?? 0) ^ (w[i - 14] ?? 0) ^ (w[i - 16] ?? 0);
      w[i] = (mixed << 1) | (mixed >>> 31);
    }
    const state = this.#state;
    let a = state[0] ?? 0;
    let b = state[1] ?? 0;
    let c = state[2] ?? 0;
    let d = state[3] ?? 0;
    let e = state[4] ?? 0;
    for (let i = 0; i < 20; i++) {
      const next = (((a << 5) | (a >>> 27)) + (d ^ (b & (c ^ d))) + e + 0x5a82_7999 + (w[i] ?? 0)) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    for (let i = 20; i < 40; i++) {
      const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + 0x6ed9_eba1 + (w[i] ?? 0)) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    for (let i = 40; i < 60; i++) {
      const majority = (b & c) | (d & (b | c));
      const next = (((a << 5) | (a >>> 27)) + majority + e + 0x8f1b_bcdc + (w[i] ?? 0)) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    for (let i = 60; i < 80; i++) {
      const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + 0xca62_c1d6 + (w[i] ?? 0)) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    state[0] = (state[0] ?? 0) + a;
    state[1] = (state[1] ?? 0) + b;
    state[2] = (state[2] ?? 0) + c;
    state[3] = (state[3] ?? 0) + d;
    state[4] = (state[4] ?? 0) + e;
  }
}

/** Authenticates `length` bytes at the start of `bytes`, then `suffix` (32 bits, big-endian) unless null; 20 bytes to `out`. */
export type Hmac = (bytes: Uint8Array, length: number, suffix: number | null, out: Uint8Array) => void;

/** Makes the authenticator of one key. */
export type HmacSha1 = (key: Uint8Array) => Hmac;

/**
 * HMAC-SHA1 (RFC 2104) with the states after the inner and outer pad computed once per key: a packet of 172 bytes costs
 * five compressions instead of seven, and no call out of JavaScript.
 */
export const hmacSha1: HmacSha1 = (key) => {
  const sha = new Sha1();
  const digest = new Uint8Array(SHA1_BYTES);
  const tail = new Uint8Array(4);
  const inner = new Int32Array(5);
  const outer = new Int32Array(5);
  const start = Int32Array.from(START);
  let secret = key;
  if (key.length > BLOCK) {
    sha.start(start, 0);
    sha.update(key, 0, key.length);
    secret = new Uint8Array(SHA1_BYTES);
    sha.finish(secret);
  }
  for (const [pad, state] of [
    [0x36, inner],
    [0x5c, outer],
  ] as const) {
    const block = Uint8Array.from({ length: BLOCK }, (_, i) => (secret[i] ?? 0) ^ pad);
    sha.start(start, 0);
    sha.update(block, 0, BLOCK);
    sha.save(state);
  }
  return (bytes, length, suffix, out) => {
    sha.start(inner, BLOCK);
    sha.update(bytes, 0, length);
    if (suffix !== null) {
      write32(tail, 0, suffix);
      sha.update(tail, 0, 4);
    }
    sha.finish(digest);
    sha.start(outer, BLOCK);
    sha.update(digest, 0, SHA1_BYTES);
    sha.finish(out);
  };
};
