import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Alignment of sections in a file, and the length of what stands before the first of them, bytes. */
const ALIGNED = 0x200;
const HEAD = 0x400;
const SECTION_OF_DATA = 11;

/**
 * The assemblies of the library of .NET by the name of their file. A program in a browser brings them as Webcil, which is a PE file
 * without what a browser does not need, in a module of WebAssembly; a compiler reads PE files (ECMA-335 II.25).
 */
export function libraryIn(folder: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder).filter((name) => /^(System|mscorlib|netstandard)\b.*\.wasm$/.test(name));
  return new Map(
    names.map((name) => [
      name.replace('.wasm', '.dll'),
      portable(segmentsOf(readFileSync(join(folder, name)))[1]),
    ]),
  );
}

/** The data segments of a module. */
function segmentsOf(module: Buffer): readonly Buffer[] {
  let at = 8;
  const number = (): number => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = module[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
      shift += 7;
    }
  };
  while (at < module.length) {
    const kind = module[at++];
    const length = number();
    if (kind !== SECTION_OF_DATA) {
      at += length;
      continue;
    }
    return Array.from({ length: number() }, () => {
      if (number() !== 1) throw new Error('the module has a data segment that is not passive');
      const size = number();
      at += size;
      return module.subarray(at - size, at);
    });
  }
  throw new Error('the module has no data');
}

/** Webcil as a PE file for any machine; its code is never run. */
function portable(webcil: Buffer | undefined): Buffer {
  if (webcil?.subarray(0, 4).toString() !== 'WbIL') throw new Error('the module holds no Webcil');
  let end = HEAD;
  const sections = Array.from({ length: webcil.readUInt16LE(8) }, (_, i) => {
    const [size = 0, address = 0, length = 0, from = 0] = [0, 4, 8, 12].map((field) =>
      webcil.readUInt32LE(28 + 16 * i + field),
    );
    const at = end;
    end += Math.ceil(length / ALIGNED) * ALIGNED;
    return { size, address, content: webcil.subarray(from, from + length), at, room: end - at };
  });
  const file = Buffer.alloc(end);
  const put16 = (value: number, at: number) => file.writeUInt16LE(value, at);
  const put32 = (value: number, at: number) => file.writeUInt32LE(value, at);
  file.write('MZ');
  put32(0x80, 0x3c);
  file.write('PE', 0x80);
  // i386, so many sections, 224 bytes of optional header, executable DLL.
  for (const [value, at] of [
    [0x14c, 0x84],
    [sections.length, 0x86],
    [224, 0x94],
    [0x2102, 0x96],
  ] as const)
    put16(value, at);
  const optional = 0x98;
  put16(0x10b, optional);
  const last = sections.at(-1);
  const imageSize = Math.ceil(((last?.address ?? 0) + (last?.size ?? 0)) / 0x2000) * 0x2000;
  for (const [value, at] of [
    [0x400000, 28],
    [0x2000, 32],
    [ALIGNED, 36],
    [imageSize, 56],
    [HEAD, 60],
    [16, 92],
  ] as const)
    put32(value, optional + at);
  // Subsystem of the console; the 15th directory is the head of what .NET reads.
  put16(3, optional + 68);
  put32(webcil.readUInt32LE(12), optional + 96 + 14 * 8);
  put32(webcil.readUInt32LE(16), optional + 96 + 14 * 8 + 4);
  sections.forEach(({ size, address, content, at, room }, i) => {
    const row = optional + 224 + 40 * i;
    file.write(`.s${i}`, row);
    for (const [value, field] of [
      [size, 8],
      [address, 12],
      [room, 16],
      [at, 20],
      [0x60000020, 36],
    ] as const)
      put32(value, row + field);
    content.copy(file, at);
  });
  return file;
}
