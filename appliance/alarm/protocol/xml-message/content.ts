import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { XML_LIMITS } from './read-xml.ts';

/**
 * Inflates zlib, gzip or raw deflate, at most `maxBytes` of output; undefined when the input is broken or the output
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
 * The body behind `Content-Encoding` (RFC 3261 20.12): none, `identity`, `deflate` or `gzip`. A body that inflates beyond
 * the limit is Malformed before it is read.
 * Interop: gateways drop the field, or add it to a body that they have inflated. The first bytes tell which it is.
 */
export function decodeContent(
  body: Uint8Array,
  encoding: string | undefined,
  inflate: Inflate,
): Result<Uint8Array, ContentFailure> {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === '' || name === 'identity')
    return ok(isPacked(body) ? (inflate(body, XML_LIMITS.maxBytes) ?? body) : body);
  if (isText(body)) return ok(body);
  if (!PACKED.includes(name))
    return fail('UnsupportedEncoding', `Content-Encoding ${name} is not understood`);
  const inflated = inflate(body, XML_LIMITS.maxBytes);
  return inflated === undefined
    ? fail('Malformed', `the body does not inflate to at most ${XML_LIMITS.maxBytes} bytes`)
    : ok(inflated);
}

const PACKED: readonly string[] = ['deflate', 'gzip', 'x-gzip'];

/** The head of zlib (RFC 1950 2.2) or gzip (RFC 1952 2.3.1): neither begins a text. */
function isPacked(body: Uint8Array): boolean {
  const [first = 0, second = 0] = body;
  const isZlib = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0 && first !== LESS_THAN;
  return isZlib || (first === 0x1f && second === 0x8b);
}

/** XML begins with `<`, perhaps behind a mark of its encoding or white space. */
function isText(body: Uint8Array): boolean {
  const first = body.subarray(0, 4).findIndex((byte) => !LEADING.has(byte));
  return first >= 0 && body[first] === LESS_THAN;
}

const LESS_THAN = 0x3c;
/** White space, and the bytes of marks of UTF-8 and UTF-16. */
const LEADING: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20, 0x00, 0xef, 0xbb, 0xbf, 0xfe, 0xff]);
