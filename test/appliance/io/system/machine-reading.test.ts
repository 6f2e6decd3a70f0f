import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readDisk, readMemory } from '#appliance/io/system/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-proc-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('reads what is available, what there is, and how long programs wait for it', async () => {
  mkdirSync(join(folder, 'pressure'), { recursive: true });
  writeFileSync(
    join(folder, 'meminfo'),
    'MemTotal:        1000 kB\nMemFree:          10 kB\nMemAvailable:    250 kB\n',
  );
  writeFileSync(
    join(folder, 'pressure/memory'),
    'some avg10=1.00 avg60=21.50 avg300=0.10 total=9\nfull avg10=0.00 avg60=3.00 avg300=0.00 total=1\n',
  );
  expect(await readMemory(folder)).toEqual({
    availableBytes: 256_000,
    totalBytes: 1_024_000,
    stallPct: 21.5,
  });
});

it('leaves out what this kernel does not tell', async () => {
  expect(await readMemory(folder)).toBeUndefined();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'meminfo'), 'MemTotal: 1000 kB\nMemAvailable: 250 kB\n');
  expect((await readMemory(folder))?.stallPct).toBeUndefined();
  expect(await readDisk(join(folder, 'nothing'))).toBeUndefined();
});

it('counts the disk as programs may use it', async () => {
  const disk = await readDisk(tmpdir());
  expect(disk?.freeBytes).toBeGreaterThan(0);
  expect(disk?.totalBytes).toBeGreaterThan(disk?.freeBytes ?? 0);
});
