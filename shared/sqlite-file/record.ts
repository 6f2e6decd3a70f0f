/** A value of a row as the file keeps it. */
export type FileValue = string | number | Uint8Array | null;

/** A variable-length integer, and where the next field begins; undefined: the bytes end before it does. */
export function varintAt(
  bytes: Uint8Array,
  at: number,
): { readonly value: bigint; readonly next: number } | undefined {
  let value = 0n;
  for (let length = 0; length < 9; length++) {
    const byte = bytes[at + length];
    if (byte === undefined) return undefined;
    if (length === 8) return { value: BigInt.asIntN(64, (value << 8n) | BigInt(byte)), next: at + 9 };
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value, next: at + length + 1 };
  }
  return undefined;
}

/** The same where the number must be one that JavaScript holds exactly and that is not negative. */
export function countAt(
  bytes: Uint8Array,
  at: number,
): { readonly value: number; readonly next: number } | undefined {
  const found = varintAt(bytes, at);
  if (found === undefined || found.value < 0n || found.value > LARGEST) return undefined;
  return { value: Number(found.value), next: found.next };
}

/**
 * The values of a record (https://sqlite.org/fileformat2.html#record_format). Undefined: the bytes are no record. A record
 * that is damaged must not pass for one: header and content fill the payload exactly, every text is UTF-8.
 */
export function readRecord(payload: Uint8Array): readonly FileValue[] | undefined {
  const head = countAt(payload, 0);
  if (head === undefined || head.value > payload.length) return undefined;
  const values: FileValue[] = [];
  let content = head.value;
  for (let at = head.next; at < head.value; ) {
    const type = countAt(payload, at);
    if (type === undefined || type.next > head.value) return undefined;
    const size = sizeOf(type.value);
    if (size === undefined || content + size > payload.length) return undefined;
    const value = contentOf(type.value, payload.subarray(content, content + size));
    if (value === undefined) return undefined;
    values.push(value);
    content += size;
    at = type.next;
  }
  return content === payload.length ? values : undefined;
}

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);
const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];
const REAL = 7;
const ZERO = 8;
const ONE = 9;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undefined: a type that the format keeps for itself. */
function sizeOf(type: number): number | undefined {
  if (type < REAL) return INTEGER_BYTES[type];
  if (type === REAL) return 8;
  if (type === ZERO || type === ONE) return 0;
  return type < 12 ? undefined : Math.floor((type - 12) / 2);
}

function contentOf(type: number, bytes: Uint8Array): FileValue | undefined {
  if (type === 0) return null;
  if (type === ZERO || type === ONE) return type - ZERO;
  if (type === REAL) return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0);
  if (type < REAL) return integerOf(bytes);
  if (type % 2 === 0) return bytes;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined: larger than a number holds exactly. */
function integerOf(bytes: Uint8Array): number | undefined {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  const signed = Number(BigInt.asIntN(bytes.length * 8, value));
  return Number.isSafeInteger(signed) ? signed : undefined;
}
