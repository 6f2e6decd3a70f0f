import type { CryptoLine, CryptoSuite } from './description.ts';

/** Suites in our order of preference (RFC 4568 6.2). */
export const SUITES: readonly CryptoSuite[] = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'];

/** Master key and salt of both suites are 30 bytes (6.2, table 1): in base64 without padding. */
const KEY_TEXT = /^[A-Za-z0-9+/]{40}$/;
const LIFETIME = /^(?:2\^)?\d{1,20}$/;

/**
 * Reads one line; undefined when it is none we can use: another suite, session parameters (they change the
 * cipher or the order of things), several keys, or a key behind an MKI. Lifetimes are ignored: a call ends long
 * before 2^48 packets.
 */
export function readCrypto(tag: number, suite: string, parameters: string): CryptoLine | undefined {
  const known = SUITES.find((each) => each === suite.toUpperCase());
  const [key = '', lifetime, mki] = parameters.slice('inline:'.length).split('|');
  if (known === undefined || !Number.isInteger(tag) || tag < 0 || tag > 999_999_999) return undefined;
  if (!parameters.toLowerCase().startsWith('inline:') || !KEY_TEXT.test(key)) return undefined;
  if (mki !== undefined || (lifetime !== undefined && !LIFETIME.test(lifetime))) return undefined;
  return { tag, suite: known, key: Uint8Array.from(Buffer.from(key, 'base64')) };
}

export const keyText = (key: Uint8Array): string => `inline:${Buffer.from(key).toString('base64')}`;
