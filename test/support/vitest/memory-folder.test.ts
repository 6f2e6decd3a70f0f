import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freeBytes, goesToMemory } from './memory-folder.ts';

const GIB = 2 ** 30;

describe('temporary folders of tests', () => {
  it.each([
    ['with enough free memory', { named: undefined, freeBytes: 4 * GIB }, true],
    ['with too little', { named: undefined, freeBytes: 4 * GIB - 1 }, false],
    ['without a file system in memory', { named: undefined, freeBytes: undefined }, false],
    ['where a person has named another place', { named: '/var/tmp', freeBytes: 64 * GIB }, false],
    ['where a person has named no place at all', { named: '', freeBytes: 64 * GIB }, false],
  ])('go to memory %s: %j is %s', (_title, room, inMemory) => {
    expect(goesToMemory(room)).toBe(inMemory);
  });
});

describe('the free bytes of a folder', () => {
  it('are those of its file system, and unknown where it is missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-free-'));
    try {
      const { bsize, blocks } = statfsSync(folder);
      expect(freeBytes(folder)).toBeGreaterThan(0);
      expect(freeBytes(folder)).toBeLessThanOrEqual(bsize * blocks);
      expect(freeBytes(join(folder, 'missing'))).toBeUndefined();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
