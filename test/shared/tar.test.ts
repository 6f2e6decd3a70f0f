import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { packTar, unpackTar } from '#shared/tar.ts';

const FILES = [
  { name: 'empty.txt', bytes: Buffer.alloc(0) },
  { name: 'block.bin', bytes: Buffer.alloc(512, 7) },
  { name: 'long.bin', bytes: Buffer.alloc(10_001, 9) },
];
const AT_S = 1_795_680_000;

test('the tar of the system reads what is packed, and the same files give the same bytes', () => {
  const archive = packTar(FILES, AT_S);
  expect(execFileSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' })).toBe(
    'empty.txt\nblock.bin\nlong.bin\n',
  );
  const long = execFileSync('tar', ['-xOf', '-', 'long.bin'], { input: archive });
  expect(long.equals(FILES[2]?.bytes ?? Buffer.alloc(0))).toBe(true);
  expect(Buffer.from(packTar(FILES, AT_S)).equals(archive)).toBe(true);
  expect(unpackTar(archive)?.map(({ name, bytes }) => [name, bytes.length])).toEqual([
    ['empty.txt', 0],
    ['block.bin', 512],
    ['long.bin', 10_001],
  ]);
});

test('an archive that was cut, or in which any byte was changed, is not read as the same files', () => {
  const archive = Buffer.from(packTar(FILES, AT_S));
  for (const length of [0, 100, 511, 600, archive.length - 512, archive.length - 1])
    expect(unpackTar(archive.subarray(0, length)), String(length)).toBeUndefined();
  for (let at = 0; at < archive.length; at++) {
    const changed = Buffer.from(archive);
    changed.writeUInt8(changed.readUInt8(at) ^ 0x41, at);
    const files = unpackTar(changed);
    const same = files?.every(
      ({ name, bytes }, n) => name === FILES[n]?.name && Buffer.from(bytes).equals(FILES[n]?.bytes ?? bytes),
    );
    if (same === true && files?.length === FILES.length) expect(at).toBeUndefined();
  }
});
