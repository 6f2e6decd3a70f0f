import { type CapturedMessage, type Direction, keyHash, PROTOCOLS, TRANSPORTS } from './message.ts';
import { redact } from './redact.ts';

/*
 *  0  magic      u32   "CPC1"
 *  4  length     u32   of the whole record
 *  8  serial     u32   of the segment: a record of an earlier use of the same place has another one
 * 12  checksum   u32   CRC-32 of what follows
 * 16  time       f64   epoch ms
 * 24  key hash   u32
 * 28  direction, transport, protocol, 0    u8 each
 * 32  local port, remote port              u16 each
 * 36  lengths of local and remote address  u8 each;  38  length of the key  u16
 * 40  local address, remote address, key, message
 */
const MAGIC = 0x31435043;
const HEAD = 40;
const LONGEST_KEY = 512;
const LONGEST_ADDRESS = 255;

/** CRC-32 (ISO 3309). */
export type Checksum = (bytes: Uint8Array) => number;

/** Bytes that the record of this message may take. */
export const roomFor = ({ bytes }: CapturedMessage): number =>
  HEAD + 2 * LONGEST_ADDRESS + LONGEST_KEY + bytes.length;

/** Writes the record at `at`, its message without secrets; gives the length. The buffer has room for it. */
export function writeRecord(
  into: Buffer,
  at: number,
  serial: number,
  { atMs, direction, protocol, flow, key, bytes }: CapturedMessage,
  checksum: Checksum,
): number {
  const local = writeText(into, at + HEAD, flow.localAddress, LONGEST_ADDRESS);
  const remote = writeText(into, at + HEAD + local, flow.remoteAddress, LONGEST_ADDRESS);
  const keyBytes = writeText(into, at + HEAD + local + remote, key, LONGEST_KEY);
  const start = at + HEAD + local + remote + keyBytes;
  into.set(bytes, start);
  const end = start + bytes.length;
  redact(into, protocol, start, end);
  writeU32(into, at, MAGIC);
  writeU32(into, at + 4, end - at);
  writeU32(into, at + 8, serial);
  into.writeDoubleLE(atMs, at + 16);
  writeU32(into, at + 24, keyHash(key));
  into[at + 28] = direction === 'in' ? 0 : 1;
  into[at + 29] = TRANSPORTS.indexOf(flow.transport);
  into[at + 30] = PROTOCOLS.indexOf(protocol);
  into[at + 31] = 0;
  writeU16(into, at + 32, flow.localPort);
  writeU16(into, at + 34, flow.remotePort);
  into[at + 36] = local;
  into[at + 37] = remote;
  writeU16(into, at + 38, keyBytes);
  writeU32(into, at + 12, checksum(into.subarray(at + 16, end)));
  return end - at;
}

/** Latin-1; gives its length. Short texts cost less sign by sign than by a call of their own. */
function writeText(into: Uint8Array, at: number, text: string, most: number): number {
  const length = Math.min(text.length, most);
  for (let i = 0; i < length; i++) into[at + i] = text.charCodeAt(i);
  return length;
}

function writeU16(into: Uint8Array, at: number, value: number): void {
  into[at] = value;
  into[at + 1] = value >>> 8;
}

/** Little-endian, without the checks of `writeUInt32LE`: six of them cost as much as the checksum. */
function writeU32(into: Uint8Array, at: number, value: number): void {
  writeU16(into, at, value);
  writeU16(into, at + 2, value >>> 16);
}

/** A record as it lies in a segment: its message is decoded only when it is wanted. */
export interface StoredRecord {
  readonly at: number;
  readonly length: number;
  readonly atMs: number;
  readonly keyHash: number;
}

/** The record at this place; undefined: the segment or these bytes end here, or what is here was not written whole. */
export function recordAt(bytes: Buffer, at: number, serial: number): StoredRecord | undefined {
  const length = recordLength(bytes, at, serial);
  if (length === undefined || at + length > bytes.length) return undefined;
  return { at, length, atMs: bytes.readDoubleLE(at + 16), keyHash: bytes.readUInt32LE(at + 24) };
}

/** Length of the record that begins at this place, as its head says it; undefined: none does. */
export function recordLength(bytes: Buffer, at: number, serial: number): number | undefined {
  if (at + HEAD > bytes.length || bytes.readUInt32LE(at) !== MAGIC) return undefined;
  const length = bytes.readUInt32LE(at + 4);
  return bytes.readUInt32LE(at + 8) !== serial || length < HEAD ? undefined : length;
}

/** The message of a record; undefined: its checksum is wrong, as after a power cut. */
export function messageOf(
  bytes: Buffer,
  { at, length, atMs }: StoredRecord,
  checksum: Checksum,
): CapturedMessage | undefined {
  const end = at + length;
  const transport = TRANSPORTS[bytes[at + 29] ?? 0];
  const protocol = PROTOCOLS[bytes[at + 30] ?? 0];
  if (transport === undefined || protocol === undefined) return undefined;
  if (bytes.readUInt32LE(at + 12) !== checksum(bytes.subarray(at + 16, end)) >>> 0) return undefined;
  const direction: Direction = bytes[at + 28] === 0 ? 'in' : 'out';
  const remoteAt = at + HEAD + (bytes[at + 36] ?? 0);
  const keyAt = remoteAt + (bytes[at + 37] ?? 0);
  const start = keyAt + bytes.readUInt16LE(at + 38);
  return {
    atMs,
    direction,
    protocol,
    flow: {
      transport,
      localAddress: bytes.toString('latin1', at + HEAD, remoteAt),
      localPort: bytes.readUInt16LE(at + 32),
      remoteAddress: bytes.toString('latin1', remoteAt, keyAt),
      remotePort: bytes.readUInt16LE(at + 34),
    },
    key: bytes.toString('latin1', keyAt, start),
    bytes: Buffer.from(bytes.subarray(start, end)),
  };
}

const BLANK = 0x78; // x

/** Takes everything but its time and its length out of a record where it lies: addresses, key and message become `x`. */
export function blankRecord(bytes: Buffer, { at, length }: StoredRecord, checksum: Checksum): void {
  const end = at + length;
  bytes.fill(BLANK, at + HEAD, end);
  bytes.writeUInt32LE(keyHash(''), at + 24);
  bytes.writeUInt32LE(checksum(bytes.subarray(at + 16, end)) >>> 0, at + 12);
}

/** Whether the content was taken out already. */
export const isBlank = (bytes: Buffer, { at, length }: StoredRecord): boolean =>
  bytes.subarray(at + HEAD, at + length).every((byte) => byte === BLANK);
