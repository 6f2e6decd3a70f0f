import { CallbackRefusal } from './refusal.ts';

/** Claims of a callback's token; times in epoch seconds (RFC 7519 4.1). */
export interface CallbackClaims {
  readonly [claim: string]: unknown;
  readonly sub?: string;
  readonly scope?: string;
  /** The tenant. */
  readonly iss: string;
  /** Origin of the URL that the callback was posted to. */
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  /** Unique for every request. */
  readonly jti: string;
  /** SHA-256 of the body, lower-case hex. */
  readonly bodySha256: string;
}

/** A token taken apart, nothing of it believed yet. */
export interface ReadToken {
  readonly algorithm: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** Most characters of a token; a longer one is none of ours. */
const LONGEST = 8_192;

/** Reads `Authorization: Bearer …` (RFC 6750 2.1, RFC 7515 7.1). */
export function readToken(authorization: string | null | undefined): ReadToken {
  const token = /^Bearer +([^\s]+)\s*$/i.exec(authorization ?? '')?.[1];
  if (token === undefined)
    throw new CallbackRefusal(
      'tokenMissing',
      'The request has no bearer token.',
      'Give the receiver a restAuthentication entry with a type and a secret, and let the proxy in front pass Authorization on.',
    );
  const [header, payload, signature, more] = token.split('.');
  if (token.length > LONGEST || header === undefined || payload === undefined || more !== undefined)
    throw malformed('is no JWT of three parts');
  if (signature === undefined) throw malformed('is no JWT of three parts');
  const read = object(header, 'header');
  if (read.crit !== undefined) throw malformed('asks for extensions in crit that are not known');
  return {
    algorithm: String(read.alg),
    payload: object(payload, 'payload'),
    signed: new TextEncoder().encode(`${header}.${payload}`),
    signature: decoded(signature, 'signature'),
  };
}

const malformed = (fault: string) =>
  new CallbackRefusal(
    'tokenMalformed',
    `The bearer token ${fault}.`,
    'Look whether another program than the platform posts to this address.',
  );

function decoded(text: string, part: string): Uint8Array {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) throw malformed(`has a ${part} that is no base64url`);
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

function object(text: string, part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(decoded(text, part)));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // The sentence below says it.
  }
  throw malformed(`has a ${part} that is no JSON object`);
}
