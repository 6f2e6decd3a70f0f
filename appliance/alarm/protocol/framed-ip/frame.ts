import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { crc16 } from './crc.ts';

/*
 *   LF  CRC   length  "token"…          CR
 *       4 hex 4 hex   body
 *       or 2 raw bytes
 *
 * CRC and length cover the body: from the first quote to before CR.
 */

export const LF = 0x0a;
export const CR = 0x0d;
export const QUOTE = 0x22;

/** One frame whose CRC is right. */
export interface Frame {
  readonly body: Uint8Array;
  readonly crc: number;
  /** How the CRC was written. */
  readonly crcForm: 'hex' | 'binary';
  /** Whether the length field says what the body is; the CRC already proves the body. */
  readonly lengthOk: boolean;
}

export type FrameFailure = Failure<'Malformed' | 'WrongCrc'>;

/** Position of the first quote behind LF, by the way the CRC is written. */
export const HEAD = { hex: 8, binary: 6 } as const;
/**
 * Where the body begins, in bytes behind LF. The length before the quote is digits in both forms, so a quote at the
 * place of the shorter head can only be that of raw CRC bytes.
 */
function bodyStart(bytes: Uint8Array): number | undefined {
  if (bytes[HEAD.binary] === QUOTE) return HEAD.binary;
  return bytes[HEAD.hex] === QUOTE ? HEAD.hex : undefined;
}

/** Reads what stands between LF and CR. Lower-case hex is taken. The body is a copy. */
export function decodeFrame(bytes: Uint8Array): Result<Frame, FrameFailure> {
  const start = bodyStart(bytes);
  if (start === undefined) return fail('Malformed', 'no quote where the token begins');
  const body = bytes.subarray(start);
  const binary = start === HEAD.binary;
  const said = binary ? ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0) : hexNumber(bytes, 0);
  const crc = crc16(body);
  if (said !== crc) return fail('WrongCrc', 'the CRC is not that of the body');
  const lengthOk = hexNumber(bytes, start - 4) === body.length;
  return ok({ body: body.slice(), crc, crcForm: binary ? 'binary' : 'hex', lengthOk });
}

/** LF, CRC and length in upper-case hex, body, CR. */
export function encodeFrame(body: Uint8Array): Uint8Array {
  const head = `\n${hex4(crc16(body))}${hex4(body.length)}`;
  const bytes = new Uint8Array(head.length + body.length + 1);
  for (let i = 0; i < head.length; i++) bytes[i] = head.charCodeAt(i);
  bytes.set(body, head.length);
  bytes[bytes.length - 1] = CR;
  return bytes;
}

export const hex4 = (value: number): string => value.toString(16).toUpperCase().padStart(4, '0');

/** The four hex digits at `at` as a number; NaN when they are none, which equals nothing. */
function hexNumber(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = at; i < at + 4; i++) value = value * 16 + hexDigit(bytes[i] ?? 0);
  return value;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN;
}
