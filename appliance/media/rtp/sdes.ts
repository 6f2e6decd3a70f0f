import { fail, ok, type Result } from '#shared/result.ts';
import { MASTER_BYTES, type SrtpSuite, TAG_BYTES } from './srtp-key.ts';

/** The parts of an `a=crypto` line (RFC 4568, 4). */
export interface CryptoLine {
  readonly tag: number;
  readonly suite: string;
  /** `inline:…`, several separated by `;`. */
  readonly keys: string;
  readonly parameters?: string;
}

export interface SrtpOffer {
  readonly tag: number;
  readonly suite: SrtpSuite;
  readonly master: Uint8Array;
}

/** Session parameters that change what packets look like (RFC 4568, 6.3); what we do not do, we do not take. */
const REFUSED = /\b(?:KDR|UNENCRYPTED_SRTP|UNENCRYPTED_SRTCP|UNAUTHENTICATED_SRTP|FEC_ORDER|FEC_KEY)\b/;

/**
 * Reads one line. Fails with `Unsupported` for another suite, an MKI or parameters we do not do (take the next line), with
 * `Malformed` for a key that is none. A lifetime is ignored: no call of ours lasts 2^31 packets.
 */
export function readCrypto(line: CryptoLine): Result<SrtpOffer> {
  const suite = line.suite;
  if (!isSuite(suite)) return fail('Unsupported', `The SRTP suite ${suite} is not spoken here.`);
  if (line.parameters !== undefined && REFUSED.test(line.parameters)) {
    return fail('Unsupported', `The SRTP parameters ${line.parameters} are not spoken here.`);
  }
  if (line.keys.includes(';')) return fail('Unsupported', 'Several SRTP keys in one line need an MKI.');
  const [method, rest = ''] = line.keys.split(/:(.*)/s);
  if (method !== 'inline') return fail('Unsupported', `The SRTP key method ${method} is not spoken here.`);
  const [text = '', ...options] = rest.split('|');
  if (options.some((option) => option.includes(':'))) return fail('Unsupported', 'An SRTP key with an MKI.');
  if (!/^[A-Za-z0-9+/]{40}$/.test(text)) {
    return fail('Malformed', `An SRTP key that is not ${MASTER_BYTES} bytes in base64.`);
  }
  return ok({ tag: line.tag, suite, master: Uint8Array.from(Buffer.from(text, 'base64')) });
}

/** The key part of a line of ours. */
export const inlineKey = (master: Uint8Array): string =>
  `inline:${Buffer.from(master.buffer, master.byteOffset, MASTER_BYTES).toString('base64')}`;

const isSuite = (text: string): text is SrtpSuite => Object.hasOwn(TAG_BYTES, text);
