/* Texts of DC-09 are Windows-1252: one sign is one byte, so lengths in signs are lengths in bytes. */

const decoder = new TextDecoder('windows-1252');
const BYTE_OF = new Map(
  Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
);
const QUESTION_MARK = 0x3f;

export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

/** A sign that Windows-1252 does not have becomes a question mark. */
export const encodeText = (text: string): Uint8Array =>
  Uint8Array.from(text, (sign) => BYTE_OF.get(sign) ?? QUESTION_MARK);
