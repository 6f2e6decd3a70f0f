import { type AesEcb, CounterMode, SALT_BYTES } from './counter-mode.ts';
import type { Hmac, HmacSha1 } from './sha1.ts';

const KEY_BYTES = 16;
/** Key and salt as `a=crypto` carries them (RFC 4568, 6.2). */
export const MASTER_BYTES = KEY_BYTES + SALT_BYTES;
const AUTH_KEY_BYTES = 20;

export type SrtpSuite = 'AES_CM_128_HMAC_SHA1_80' | 'AES_CM_128_HMAC_SHA1_32';

/** Bytes of the tag behind an RTP packet. Behind RTCP it is 10 in both suites (RFC 4568, 6.2.2). */
export const TAG_BYTES: Readonly<Record<SrtpSuite, number>> = {
  AES_CM_128_HMAC_SHA1_80: 10,
  AES_CM_128_HMAC_SHA1_32: 4,
};
export const RTCP_TAG_BYTES = 10;

/** The functions that `io` gives: AES of the system. HMAC may be its own or the one of `sha1.ts`. */
export interface SrtpCrypto {
  readonly aesEcb: AesEcb;
  readonly hmacSha1: HmacSha1;
}

/** Labels of RFC 3711, 4.3.2: encryption, authentication, salt; 3 more for RTCP. */
const LABELS = { rtp: [0, 1, 2], rtcp: [3, 4, 5] } as const;

/** The keys that protect one direction of RTP or RTCP. */
export interface SessionKey {
  readonly cipher: CounterMode;
  readonly hmac: Hmac;
}

/**
 * Session keys of a master key and salt, 30 bytes (RFC 3711, 4.3.1 and 4.3.3; key derivation rate 0).
 *
 * The key stream for a label begins at salt XOR label · 2^48, which is the counter block of SSRC 0 and index
 * label · 2^48 moved to where the label lies: byte 7.
 */
export function deriveKey(master: Uint8Array, kind: 'rtp' | 'rtcp', crypto: SrtpCrypto): SessionKey {
  const key = master.subarray(0, KEY_BYTES);
  const salt = master.subarray(KEY_BYTES, MASTER_BYTES);
  const [encryption, authentication, salting] = LABELS[kind];
  const sessionKey = derive(crypto.aesEcb, key, salt, encryption, KEY_BYTES);
  const sessionSalt = derive(crypto.aesEcb, key, salt, salting, SALT_BYTES);
  return {
    cipher: new CounterMode(crypto.aesEcb, sessionKey, sessionSalt),
    hmac: crypto.hmacSha1(derive(crypto.aesEcb, key, salt, authentication, AUTH_KEY_BYTES)),
  };
}

/** `length` bytes of key stream for a label (RFC 3711, 4.3.1). */
export function derive(
  aesEcb: AesEcb,
  key: Uint8Array,
  salt: Uint8Array,
  label: number,
  length: number,
): Uint8Array {
  const out = new Uint8Array(length);
  // The label stands in the lowest byte of the field that is the SSRC in packets.
  new CounterMode(aesEcb, key, salt).apply(out, 0, length, label, 0);
  return out;
}
