/** A file of an archive. */
export interface TarFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const BLOCK = 512;
/** Places in the header of ustar (POSIX.1-1988): begin and length. */
type Field = readonly [number, number];
const NAME: Field = [0, 100];
const SIZE: Field = [124, 12];
const TIME: Field = [136, 12];
const CHECKSUM: Field = [148, 8];

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

/** The sum of the bytes of a header whose checksum counts as blanks. */
function sumOf(head: Uint8Array): number {
  let sum = 0;
  for (const [at, byte] of head.entries())
    sum += at >= CHECKSUM[0] && at < CHECKSUM[0] + CHECKSUM[1] ? 0x20 : byte;
  return sum;
}

/** An archive (ustar) of these files, whose names are short and ASCII; the same files give the same bytes. */
export function packTar(files: readonly TarFile[], atS: number): Uint8Array<ArrayBuffer> {
  const parts = files.flatMap(({ name, bytes }) => {
    const head = Buffer.alloc(BLOCK);
    const fields = [
      ...[name.padEnd(100, '\0'), octal(0o600, 8), octal(0, 8), octal(0, 8)],
      ...[octal(bytes.length, 12), octal(Math.floor(atS), 12), ' '.repeat(8), '0', '\0'.repeat(100)],
      'ustar\x0000',
    ];
    head.write(fields.join(''), 'latin1');
    head.write(`${octal(sumOf(head), 7)} `, CHECKSUM[0], 'latin1');
    return [head, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  });
  return new Uint8Array(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}

/**
 * The files of an archive that `packTar` made; undefined when any byte of it is another, when it was cut short, or when another
 * program made it.
 */
export function unpackTar(archive: Uint8Array): TarFile[] | undefined {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const text = (at: number, [begin, length]: Field): string =>
    bytes.toString('latin1', at + begin, at + begin + length).replace(/\0.*$/s, '');
  const files: TarFile[] = [];
  for (let at = 0; text(at, NAME) !== ''; ) {
    const size = Number.parseInt(text(at, SIZE), 8);
    const begin = at + BLOCK;
    if (!(size >= 0) || begin + size > bytes.length) return undefined;
    files.push({ name: text(at, NAME), bytes: bytes.subarray(begin, begin + size) });
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
  const atS = Number.parseInt(text(0, TIME), 8);
  return Number.isSafeInteger(atS) && bytes.equals(packTar(files, atS)) ? files : undefined;
}
