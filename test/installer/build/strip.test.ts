import { describe, expect, it } from 'vitest';
import { strip } from '#installer/build/strip.ts';

/** A section header (System V ABI): kind, flags, offset and size, the rest nought. */
function section(kind: number, flags: bigint, offset: number, size: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32LE(kind, 4);
  bytes.writeBigUInt64LE(flags, 8);
  bytes.writeBigUInt64LE(BigInt(offset), 24);
  bytes.writeBigUInt64LE(BigInt(size), 32);
  return bytes;
}

const [PROGBITS, SYMTAB, NOBITS] = [1, 2, 8];
const ALLOC = 2n;

/** header │ code, 100 bytes │ symbols, 50 bytes │ list of sections */
function executable(): Buffer {
  const sections = [
    section(0, 0n, 0, 0),
    section(PROGBITS, ALLOC, 64, 100),
    section(NOBITS, ALLOC, 164, 10_000),
    section(SYMTAB, 0n, 164, 50),
  ];
  const header = Buffer.alloc(64);
  header.write('\x7fELF', 'latin1');
  header.writeUInt8(2, 4);
  header.writeUInt8(1, 5);
  header.writeBigUInt64LE(214n, 40);
  header.writeUInt16LE(64, 58);
  header.writeUInt16LE(sections.length, 60);
  header.writeUInt16LE(3, 62);
  return Buffer.concat([header, Buffer.alloc(100, 0x90), Buffer.alloc(50, 1), ...sections]);
}

describe('an executable is stripped', () => {
  it('down to what a loader reads', () => {
    const whole = executable();
    const stripped = strip(whole);
    expect(stripped.length).toBe(164);
    expect(stripped.subarray(64).equals(whole.subarray(64, 164))).toBe(true);
  });

  it('and says that it has no list of sections', () => {
    const stripped = strip(executable());
    expect([stripped.readBigUInt64LE(40), stripped.readUInt16LE(60), stripped.readUInt16LE(62)]).toEqual([
      0n,
      0,
      0,
    ]);
  });

  it('without a change to what was given', () => {
    const whole = executable();
    strip(whole);
    expect(whole.equals(executable())).toBe(true);
  });

  it.each([
    ['a script', Buffer.from('#!/bin/sh\nexit 0\n'.padEnd(64))],
    ['one of 32 bits', Buffer.from(executable()).fill(1, 4, 5)],
  ])('but not %s', (_, bytes) => {
    expect(() => strip(bytes)).toThrow('not a 64-bit little-endian ELF file');
  });
});
