import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { XML_LIMITS } from './read-xml.ts';

/**
 * Inflates zlib or raw deflate, at most `maxBytes` of output; undefined when the input is broken or the output
 * would be longer.
 */
export type Inflate = (bytes: Uint8Array, maxBytes: number) => Uint8Array | undefined;

export type ContentFailure = Failure<'UnsupportedEncoding' | 'Malformed'>;

/** Whether a profile takes this `Content-Type`. Parameters and case do not count; `*` takes everything. */
export function acceptsContentType(accepted: readonly string[], contentType: string | undefined): boolean {
  if (accepted.includes('*')) return true;
  const mediaType = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return accepted.some((type) => type.toLowerCase() === mediaType);
}

/**
 * The body behind `Content-Encoding` (RFC 3261 20.12): none, `identity` or `deflate`. A body that inflates beyond
 * the limit is Malformed before it is read.
 */
export function decodeContent(
  body: Uint8Array,
  encoding: string | undefined,
  inflate: Inflate,
): Result<Uint8Array, ContentFailure> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === '' || name === 'identity') return ok(body);
  if (name !== 'deflate') return fail('UnsupportedEncoding', `Content-Encoding ${name} is not understood`);
  const inflated = inflate(body, XML_LIMITS.maxBytes);
  return inflated === undefined
    ? fail('Malformed', `the body does not inflate to at most ${XML_LIMITS.maxBytes} bytes`)
    : ok(inflated);
}
