/** One entry of the journal of systemd: field names and what they hold. */
export type JournalFields = Readonly<Record<string, string>>;

/** journald drops an entry whose field names are longer. */
const LONGEST_NAME = 64;
const PREFIX = 'CARILLON_';

/**
 * Journal Native Protocol (systemd.io/JOURNAL_NATIVE_PROTOCOL): `NAME=value\n`; a value of several lines as `NAME\n`, its length
 * in 64 bits little-endian, the bytes, `\n`.
 */
export function encodeJournalEntry(fields: JournalFields): Uint8Array {
  const pieces = Object.entries(fields).map(([name, value]) => {
    if (!value.includes('\n')) return Buffer.from(`${name}=${value}\n`);
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(bytes.length));
    return Buffer.concat([Buffer.from(`${name}\n`), length, bytes, Buffer.from('\n')]);
  });
  return Buffer.concat(pieces);
}

/** `traceId` as CARILLON_TRACE_ID. A value other than a text, number or boolean is in the line only. */
export function journalFieldsOf(detail: Readonly<Record<string, unknown>>): JournalFields {
  const fields: Record<string, string> = {};
  for (const [key, value] of Object.entries(detail)) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
    const name = `${PREFIX}${words.replace(/[^A-Z0-9_]/g, '_')}`;
    if (name.length <= LONGEST_NAME) fields[name] = String(value);
  }
  return fields;
}
