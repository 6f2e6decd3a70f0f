import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Archive } from '#installer/build/packed/archive.ts';
import { writeArchive } from '#installer/build/write-archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAM = Buffer.from('the bytes of an executable');
const FILES = new Map<string, Uint8Array>([
  ['systemd/carillon.service', Buffer.from('[Unit]\n'.repeat(1_000))],
  ['systemd/vip/keepalived.conf', Buffer.from('x')],
  ['voice.wasm', Buffer.alloc(300_000, 7)],
  ['empty', Buffer.alloc(0)],
]);

function executable(name: string, behind: Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, Buffer.concat([PROGRAM, behind]));
  return file;
}

describe('the archive behind an executable', () => {
  const bytes = writeArchive(FILES, PROGRAM.length);
  const archive = new Archive(executable('whole', bytes));

  it.each([...FILES])('gives back %s', (name, content) => {
    expect(archive.read(name).equals(content)).toBe(true);
  });

  it('stores what is long shorter than it is', () => {
    expect(bytes.length).toBeLessThan(1_500);
  });

  it('knows its folders', () => {
    expect(archive.inFolder('systemd')).toEqual(['carillon.service', 'vip']);
    expect(archive.inFolder('systemd/')).toEqual(['carillon.service', 'vip']);
    expect(archive.inFolder('nothing')).toEqual([]);
  });

  it('says what it does not hold, as a file system would', () => {
    expect(() => archive.read('absent')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(() => archive.read('constructor')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
  });

  it('is the same whatever the order of its files', () => {
    const turned = new Map([...FILES].toReversed());
    expect(writeArchive(turned, PROGRAM.length).equals(bytes)).toBe(true);
  });

  it.each([
    ['cut', bytes.subarray(0, -1)],
    ['absent', Buffer.alloc(0)],
  ])('is refused when it is %s', (name, behind) => {
    expect(() => new Archive(executable(name, behind))).toThrow('carries no archive');
  });
});
