/*
 * DC-09 names Windows-1252 for its texts. Panels write UTF-8, too: bytes above 7F that are valid UTF-8 are UTF-8. Two
 * letters of Windows-1252 that form such a sequence ("Ã¤") follow each other in no word.
 */

const windows1252 = new TextDecoder('windows-1252');
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BYTE_OF = new Map(
  Array.from({ length: 256 }, (_, byte) => [windows1252.decode(Uint8Array.of(byte)), byte] as const),
);
const QUESTION_MARK = 0x3f;

export function decodeText(bytes: Uint8Array): string {
  if (bytes.every((byte) => byte < 0x80)) return windows1252.decode(bytes);
  try {
    return utf8.decode(bytes);
  } catch {
    return decodeMixed(bytes);
  }
}

/** A text of both kinds, sequence by sequence: a panel may put a text of its user beside one of its own. */
function decodeMixed(bytes: Uint8Array): string {
  let text = '';
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    while (at < bytes.length && sequenceLength(bytes, at) === 0) at++;
    text += windows1252.decode(bytes.subarray(start, at));
    const begin = at;
    while (at < bytes.length && sequenceLength(bytes, at) > 0) at += sequenceLength(bytes, at);
    text += decodedUtf8(bytes.subarray(begin, at));
  }
  return text;
}

/** Overlong forms and surrogates look like UTF-8 and are none. */
function decodedUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}

/** Bytes of the UTF-8 sequence of a sign above 7F that begins here; 0: none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length =
    first >= 0xc2 && first <= 0xdf ? 2 : first >> 4 === 0xe ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0;
  for (let i = 1; i < length; i++) if ((bytes[at + i] ?? 0) >> 6 !== 2) return 0;
  return length;
}

/** In Windows-1252; a sign that it does not have becomes a question mark. */
export function encodeText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (const sign of text) {
    const code = sign.charCodeAt(0);
    bytes[length++] = code < 0x80 ? code : (BYTE_OF.get(sign) ?? QUESTION_MARK);
  }
  return bytes.subarray(0, length);
}
