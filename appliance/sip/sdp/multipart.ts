import { ok, type Result } from '#shared/result.ts';
import { refuse, type SdpRefusal } from './refusal.ts';

/** One part of a body (RFC 2046 5.1), or a whole body that is not divided. */
export interface BodyPart {
  /** Media type in lower case, without parameters. */
  readonly type: string;
  /** Field lines of the part; names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  readonly content: Uint8Array;
}

const MOST_PARTS = 16;
const DEEPEST = 3;
const MOST_FIELDS = 32;

/**
 * Parts of a body, in order; parts that are divided themselves are opened (three levels deep). A body that is
 * not `multipart/…` is its own single part. `contentType` is the raw value of the field.
 */
export function bodyParts(
  contentType: string,
  body: Uint8Array,
  depth = 0,
): Result<readonly BodyPart[], SdpRefusal> {
  const type = mediaType(contentType);
  if (!type.startsWith('multipart/')) return ok([{ type, fields: new Map(), content: body }]);
  const boundary = boundaryOf(contentType);
  if (boundary === undefined)
    return refuse('Malformed', 'a multipart body names its boundary', 'Content-Type');
  if (depth === DEEPEST) return refuse('Malformed', 'multipart bodies nested too deep');
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  const pieces = cut(text, boundary);
  if (pieces === undefined) return refuse('Malformed', 'a multipart body begins and ends with its boundary');
  const parts: BodyPart[] = [];
  for (const piece of pieces) {
    const { fields, content } = readPart(piece);
    // RFC 2046 5.1: a part without a type is text.
    const inner = bodyParts(
      fields.get('content-type') ?? 'text/plain',
      Buffer.from(content, 'latin1'),
      depth + 1,
    );
    if (!inner.ok) return inner;
    const [only] = inner.value;
    if (inner.value.length === 1 && only !== undefined) parts.push({ ...only, fields });
    else parts.push(...inner.value);
    if (parts.length > MOST_PARTS) return refuse('TooLarge', `over ${MOST_PARTS} parts`);
  }
  return ok(parts);
}

/**
 * Bytes of the session description in a body: the body itself or the first such part. undefined when there is no
 * body; refused with 415 when there is one without a description in it.
 */
export function sessionBody(
  contentType: string | undefined,
  body: Uint8Array,
): Result<Uint8Array | undefined, SdpRefusal> {
  if (body.length === 0) return ok(undefined);
  if (contentType === SDP) return ok(body);
  // Interop: a body without a type can only be a description where one is asked for.
  const parts = bodyParts(contentType ?? SDP, body);
  if (!parts.ok) return parts;
  const found = parts.value.find(({ type }) => type === SDP);
  return found === undefined
    ? refuse('NoDescription', `no ${SDP} in the body`, 'Content-Type')
    : ok(found.content);
}

export const SDP = 'application/sdp';

/** A part as it is to be written; `disposition` is its Content-Disposition, `id` its Content-ID (RFC 2392). */
export interface WrittenPart {
  readonly type: string;
  readonly id?: string;
  readonly disposition?: string;
  readonly content: Uint8Array;
}

/** Several parts as one body (RFC 2046 5.1), and the value of its Content-Type. The boundary stands in none of them. */
export function writeParts(parts: readonly WrittenPart[]): {
  readonly type: string;
  readonly body: Uint8Array;
} {
  const texts = parts.map(({ content }) => Buffer.from(content).toString('latin1'));
  let boundary = 'carillon-part';
  while (texts.some((text) => text.includes(boundary))) boundary += '-';
  const pieces = parts.map(({ type, id, disposition }, index) => {
    const named = id === undefined ? '' : `Content-ID: <${id}>\r\n`;
    const more = disposition === undefined ? named : `${named}Content-Disposition: ${disposition}\r\n`;
    return `--${boundary}\r\nContent-Type: ${type}\r\n${more}\r\n${texts[index]}\r\n`;
  });
  return {
    type: `multipart/mixed;boundary=${boundary}`,
    body: Buffer.from(`${pieces.join('')}--${boundary}--\r\n`, 'latin1'),
  };
}

const mediaType = (field: string): string => {
  const end = field.indexOf(';');
  return (end < 0 ? field : field.slice(0, end)).replaceAll(/[ \t]/g, '').toLowerCase();
};

function boundaryOf(field: string): string | undefined {
  // Interop: blanks may stand around the sign (RFC 3261 25.1, EQUAL).
  const found = /;[ \t]{0,16}boundary[ \t]{0,16}=[ \t]{0,16}(?:"([^"]{1,70})"|([^\s";,]{1,70}))/i.exec(field);
  return found?.[1] ?? found?.[2];
}

/** Pieces between delimiter lines. Interop: the closing delimiter may be missing, lines may end in LF alone. */
function cut(text: string, boundary: string): readonly string[] | undefined {
  const delimiter = `--${boundary}`;
  const pieces: string[] = [];
  let from = -1;
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && text.charAt(at - 1) !== '\n') continue;
    if (from >= 0) pieces.push(text.slice(from, lineEndBefore(text, at)));
    if (pieces.length > MOST_PARTS) break;
    const past = at + delimiter.length;
    if (text.startsWith('--', past)) return pieces;
    const end = text.indexOf('\n', past);
    if (end < 0) return undefined;
    from = end + 1;
  }
  if (from < 0) return undefined;
  if (pieces.length <= MOST_PARTS) pieces.push(text.slice(from));
  return pieces;
}

/** The line end before a delimiter belongs to the delimiter (RFC 2046 5.1.1). */
const lineEndBefore = (text: string, at: number): number =>
  text.charAt(at - 2) === '\r' && text.charAt(at - 1) === '\n' ? at - 2 : at - 1;

function readPart(piece: string): { readonly fields: ReadonlyMap<string, string>; readonly content: string } {
  const fields = new Map<string, string>();
  let at = 0;
  for (let lines = 0; lines <= MOST_FIELDS; lines++) {
    const end = piece.indexOf('\n', at);
    const line = (end < 0 ? piece.slice(at) : piece.slice(at, end)).replace(/\r$/, '');
    at = end < 0 ? piece.length : end + 1;
    if (line === '' || end < 0) break;
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { fields, content: piece.slice(at) };
}
